// How every function of the C interface reports errors and treats structs that grow.
#ifndef INKREAD_C_API_CONVENTIONS_H_
#define INKREAD_C_API_CONVENTIONS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include "base/status.h"
#include "inkread/codec.h"
#include "inkread/inkread.h"
#include "inkread/ocr.h"

namespace inkread::c_api {

inkread_status_code ToC(StatusCode code);

// Sets *message, unless it is null, to a copy of the status's message, or to null if the status is ok.
inkread_status_code Report(const Status& status, char** message);

// Calls f, which returns a Status, and reports what it returns or throws.
template <typename F>
inkread_status_code Try(char** message, const F& f) {
  return Report(WithoutExceptions([&]() -> Status { return f(); }), message);
}

// Sets *out to null. Errors: kInvalidArgument (`out` is null)
template <typename T>
Status Clear(T** out, const char* name) {
  if (out == nullptr) return InvalidArgument("'", name, "' is NULL; expected where to put the result");
  *out = nullptr;
  return Status();
}

Status Refuse(const char* name, size_t struct_size, size_t expected);

// What the caller gave of a struct of options, over `defaults`; null: the defaults.
//
// Errors  kInvalidArgument (struct_size is too small for itself), kUnsupported (a field is set that is not known here)
template <typename T>
Result<T> Given(const T* options, T defaults, const char* name) {
  if (options == nullptr) return defaults;
  const size_t size = options->struct_size;
  if (size < sizeof(size_t)) return Refuse(name, size, sizeof(T));
  std::memcpy(&defaults, options, std::min(size, sizeof(T)));
  const auto* bytes = reinterpret_cast<const unsigned char*>(options);
  for (size_t i = sizeof(T); i < size; ++i) {
    if (bytes[i] != 0) {
      return Unsupported(name, ": a field at byte ", i, " is set, but this library knows ", sizeof(T),
                         " bytes; use a newer libinkread");
    }
  }
  return defaults;
}

// Fills the caller's struct as far as it goes; fields that are not known here become 0.
//
// Errors  kInvalidArgument (null, or struct_size is too small for itself)
template <typename T>
Status Fill(T* out, T value, const char* name) {
  if (out == nullptr) return InvalidArgument("'", name, "' is NULL; expected a struct with its struct_size");
  const size_t size = out->struct_size;
  if (size < sizeof(size_t)) return Refuse(name, size, sizeof(T));
  value.struct_size = size;
  std::memcpy(out, &value, std::min(size, sizeof(T)));
  if (size > sizeof(T)) std::memset(reinterpret_cast<unsigned char*>(out) + sizeof(T), 0, size - sizeof(T));
  return Status();
}

// What the functions that end in _init do.
template <typename T>
inkread_status_code Init(T* options, size_t struct_size, const T& defaults) {
  return Try(nullptr, [&] {
    if (struct_size < sizeof(size_t)) return Refuse("options", struct_size, sizeof(T));
    if (options != nullptr) options->struct_size = struct_size;
    return Fill(options, defaults, "options");
  });
}

inline std::string Text(const char* text) { return text == nullptr ? "" : text; }

inline inkread_quad ToC(const std::array<Point, 4>& quad) {
  inkread_quad out;
  for (size_t i = 0; i < quad.size(); ++i) out.corners[i] = {quad[i].x, quad[i].y};
  return out;
}

// Of options and results: the values of inkread.h are those of ocr.h, in the same order.
static_assert(INKREAD_SIZE_MEDIUM == static_cast<int>(ModelSize::kMedium));
static_assert(INKREAD_BACKEND_METAL == static_cast<int>(OcrBackend::kMetal));
static_assert(INKREAD_PRECISION_FAST == static_cast<int>(Precision::kFast));
static_assert(INKREAD_PROFILE_FAST960 == static_cast<int>(Profile::kFast960));
static_assert(INKREAD_ORDER_OFFICIAL == static_cast<int>(LineOrder::kOfficial));
static_assert(INKREAD_FORMAT_GRAY8 == static_cast<int>(PixelFormat::kGray8));
static_assert(INKREAD_ALPHA_DROP == static_cast<int>(AlphaMode::kDrop));

}  // namespace inkread::c_api

#endif  // INKREAD_C_API_CONVENTIONS_H_
