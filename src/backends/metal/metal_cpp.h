// metal-cpp, and owners of its objects.
#ifndef INKREAD_BACKENDS_METAL_METAL_CPP_H_
#define INKREAD_BACKENDS_METAL_METAL_CPP_H_

#include <Metal/Metal.hpp>
#include <string>

#include "base/status.h"

namespace inkread::metal {

// Takes over a reference that the caller owns (new..., alloc, copy).
template <typename T>
NS::SharedPtr<T> Own(T* object) {
  return NS::TransferPtr(object);
}

// Releases autoreleased objects at the end of the scope.
class AutoreleaseScope {
 public:
  AutoreleaseScope() : pool_(NS::AutoreleasePool::alloc()->init()) {}
  ~AutoreleaseScope() { pool_->drain(); }
  AutoreleaseScope(const AutoreleaseScope&) = delete;
  AutoreleaseScope& operator=(const AutoreleaseScope&) = delete;

 private:
  NS::AutoreleasePool* pool_;
};

inline std::string TextOf(const NS::String* string) { return string == nullptr ? "" : string->utf8String(); }
inline std::string TextOf(const NS::Error* error) {
  return error == nullptr ? "no reason is given" : TextOf(error->localizedDescription());
}
// Lives as long as the current AutoreleaseScope.
inline NS::String* StringOf(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

}  // namespace inkread::metal

#endif  // INKREAD_BACKENDS_METAL_METAL_CPP_H_
