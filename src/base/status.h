// The macros and helpers with which our folders use Status and Result.
#ifndef INKREAD_BASE_STATUS_H_
#define INKREAD_BASE_STATUS_H_

#include <exception>
#include <locale>
#include <new>
#include <sstream>
#include <string>

#include "inkread/status.h"

namespace inkread {

// Joins its arguments as operator<< prints them in the classic locale, whatever the program's own.
template <typename... Args>
std::string StrCat(const Args&... args) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  (out << ... << args);
  return out.str();
}

template <typename... Args>
Status InvalidArgument(const Args&... args) {
  return Status(StatusCode::kInvalidArgument, StrCat(args...));
}
template <typename... Args>
Status CorruptModel(const Args&... args) {
  return Status(StatusCode::kCorruptModel, StrCat(args...));
}
template <typename... Args>
Status Unsupported(const Args&... args) {
  return Status(StatusCode::kUnsupported, StrCat(args...));
}
template <typename... Args>
Status NotFound(const Args&... args) {
  return Status(StatusCode::kNotFound, StrCat(args...));
}
template <typename... Args>
Status CorruptImage(const Args&... args) {
  return Status(StatusCode::kCorruptImage, StrCat(args...));
}
// Does not throw: if there is no memory for the message either, a short one takes its place.
template <typename... Args>
Status OutOfMemory(const Args&... args) {
  try {
    return Status(StatusCode::kOutOfMemory, StrCat(args...));
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kOutOfMemory, "out of memory");  // 13 characters: std::string allocates nothing for them
  }
}
template <typename... Args>
Status Internal(const Args&... args) {
  return Status(StatusCode::kInternal, StrCat(args...));
}

// Calls f, which returns a Status or a Result. What the standard library throws in it becomes its error: kOutOfMemory
// where memory ran out, else kInternal. Every public function that can fail is called through this.
template <typename F>
auto WithoutExceptions(const F& f) -> decltype(f()) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kOutOfMemory, "out of memory");
  } catch (const std::exception& error) {
    return Status(StatusCode::kInternal, error.what());
  }
}

// Prints file, line and the broken expectation, and aborts. For our own mistakes only.
[[noreturn]] void CheckFailed(const char* file, int line, const char* expectation);

}  // namespace inkread

#define INKREAD_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::inkread::CheckFailed(__FILE__, __LINE__, #condition))

#define INKREAD_RETURN_IF_ERROR(expression)                                                           \
  do {                                                                                                \
    if (::inkread::Status inkread_status = (expression); !inkread_status.ok()) return inkread_status; \
  } while (false)

#define INKREAD_CONCAT_INNER(a, b) a##b
#define INKREAD_CONCAT(a, b) INKREAD_CONCAT_INNER(a, b)
// INKREAD_ASSIGN_OR_RETURN(auto x, F()): x is F()'s value, or its error is returned.
#define INKREAD_ASSIGN_OR_RETURN(declaration, expression)                                                         \
  auto INKREAD_CONCAT(inkread_result_, __LINE__) = (expression);                                                  \
  if (!INKREAD_CONCAT(inkread_result_, __LINE__).ok()) return INKREAD_CONCAT(inkread_result_, __LINE__).status(); \
  declaration = std::move(INKREAD_CONCAT(inkread_result_, __LINE__)).value()

#endif  // INKREAD_BASE_STATUS_H_
