// Strings, arrays, dictionaries and errors: what of Foundation the host code of a Metal program meets.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_FOUNDATION_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_FOUNDATION_H_

#include <Foundation/Foundation.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/metal_emulator/host/objc_runtime.h"

namespace metal_emulator {

// NSString, UTF-8 within.
class String : public Object {
 public:
  static const ClassDefinition& Definition();
  explicit String(std::string text = "") : text_(std::move(text)) {}
  const std::string& text() const { return text_; }
  std::string Describe() const override { return "<NSString \"" + text_.substr(0, 40) + "\">"; }

 private:
  static NS::String* Empty();
  static NS::String* WithString(const NS::String* text);
  static NS::String* WithCString(const char* text, NS::StringEncoding encoding);
  NS::String* InitWithString(const NS::String* text);
  NS::String* InitWithCString(const char* text, NS::StringEncoding encoding);
  NS::String* InitWithBytes(void* bytes, NS::UInteger length, NS::StringEncoding encoding, bool free_when_done);
  NS::String* Copy();
  const char* Utf8() { return text_.c_str(); }
  const char* CString(NS::StringEncoding encoding);
  NS::UInteger Length() const;
  NS::UInteger LengthOfBytes(NS::StringEncoding encoding);
  bool IsEqualToString(const NS::String* other);

  std::string text_;
};

// The text of what a caller gave as a string, be it an object or a constant; empty for nil.
std::string TextOf(const NS::String* string);
// A new string, retained once.
NS::String* NewString(std::string text);
// A string that the pool of this thread releases.
NS::String* PooledString(std::string text);

class Array : public Object {
 public:
  static const ClassDefinition& Definition();
  Array() = default;
  ~Array() override;
  void Add(const Object* object);
  std::string Describe() const override { return "<NSArray of " + std::to_string(items_.size()) + ">"; }

 private:
  static NS::Array* Empty();
  static NS::Array* WithObject(const Instance* object);
  static NS::Array* WithObjects(const Instance* const* objects, NS::UInteger count);
  NS::Array* InitWithObjects(const Instance* const* objects, NS::UInteger count);
  Instance* At(NS::UInteger index);
  NS::UInteger Count() const { return items_.size(); }

  std::vector<Instance*> items_;
};

class Dictionary : public Object {
 public:
  static const ClassDefinition& Definition();
  ~Dictionary() override;
  void Add(const Instance* value, const Instance* key);
  NS::UInteger Count() const { return items_.size(); }
  std::string Describe() const override { return "<NSDictionary of " + std::to_string(items_.size()) + ">"; }

 private:
  static NS::Dictionary* Empty();
  static NS::Dictionary* WithObject(const Instance* value, const Instance* key);
  static NS::Dictionary* WithObjects(const Instance* const* values, const Instance* const* keys, NS::UInteger count);
  NS::Dictionary* InitWithObjects(const Instance* const* values, const Instance* const* keys, NS::UInteger count);
  Instance* At(const Instance* key);

  std::vector<std::pair<Instance*, Instance*>> items_;  // key, value
};

class Error : public Object {
 public:
  static const ClassDefinition& Definition();
  Error() = default;
  Error(std::string domain, int64_t code, std::string description)
      : domain_(std::move(domain)), code_(code), description_(std::move(description)) {}
  ~Error() override;
  std::string Describe() const override { return "<NSError " + domain_ + " " + std::to_string(code_) + ">"; }

 private:
  static NS::Error* WithDomain(NS::ErrorDomain domain, NS::Integer code, NS::Dictionary* info);
  NS::Error* InitWithDomain(NS::ErrorDomain domain, NS::Integer code, NS::Dictionary* info);
  NS::Integer Code() const { return code_; }
  NS::String* Domain() { return PooledString(domain_); }
  NS::Dictionary* UserInfo() { return reinterpret_cast<NS::Dictionary*>(info_); }
  NS::String* LocalizedDescription() { return PooledString(description_); }

  std::string domain_;
  int64_t code_ = 0;
  std::string description_;
  Instance* info_ = nullptr;
};

// Fills in a caller's NS::Error**, where it gave one, with an error that the pool of this thread releases.
void SetError(NS::Error** error, const char* domain, int64_t code, const std::string& description);

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_FOUNDATION_H_
