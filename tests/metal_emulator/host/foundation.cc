#include "tests/metal_emulator/host/foundation.h"

#include <cstdlib>

namespace metal_emulator {
namespace {

bool CheckEncoding(NS::StringEncoding encoding) {
  if (encoding == NS::UTF8StringEncoding || encoding == NS::ASCIIStringEncoding) return true;
  ReportMisuse(Misuse::kUnsupported, "NSString: encodings other than ASCII and UTF-8");
  return false;
}

std::string CheckedText(const char* text, NS::StringEncoding encoding) {
  if (!CheckEncoding(encoding)) return "";
  if (text == nullptr) {
    ReportMisuse(Misuse::kBadArgument, "NSString: made of a null pointer");
    return "";
  }
  return text;
}

bool IsConstant(const void* string) {
  return static_cast<const objc_object*>(string)->isa->kind == objc_class::kOfConstantStrings;
}

// Constants are no Instances: nothing counts them.
void RetainItem(const Instance* item) {
  if (!IsConstant(item)) Retain(item->object);
}
void ReleaseItem(const Instance* item) {
  if (!IsConstant(item)) Release(item->object);
}
// Whether a caller's object can be put into a collection.
bool CheckItem(const Instance* item, const char* collection) {
  if (item != nullptr && (IsConstant(item) || !item->released)) return true;
  ReportMisuse(item == nullptr ? Misuse::kBadArgument : Misuse::kUseAfterRelease,
               std::string(collection) + ": an item that is " + (item == nullptr ? "nil" : "gone"));
  return false;
}

// UTF-16 units, as NSString counts.
NS::UInteger Utf16Length(const std::string& text) {
  NS::UInteger length = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) length += byte >= 0xf0 ? 2 : 1;
  }
  return length;
}

template <typename M, typename T>
M* Pooled(T* object) {
  Autorelease(object);
  return As<M>(object);
}

}  // namespace

const ClassDefinition& String::Definition() {
  static const Method kMethods[] = {
      Bind<&String::InitWithString>("initWithString:"),
      Bind<&String::InitWithCString>("initWithCString:encoding:"),
      Bind<&String::InitWithBytes>("initWithBytesNoCopy:length:encoding:freeWhenDone:"),
      Bind<&String::Copy>("copy"),
      Bind<&String::Utf8>("UTF8String"),
      Bind<&String::CString>("cStringUsingEncoding:"),
      Bind<&String::Length>("length"),
      Bind<&String::LengthOfBytes>("lengthOfBytesUsingEncoding:"),
      Bind<&String::IsEqualToString>("isEqualToString:"),
  };
  static const Method kClassMethods[] = {
      BindToClass<&String::Empty>("string"),
      BindToClass<&String::WithString>("stringWithString:"),
      BindToClass<&String::WithCString>("stringWithCString:encoding:"),
  };
  static const ClassDefinition kDefinition = {"NSString", kMethods, kClassMethods,
                                              []() -> Object* { return Make<String>(); }};
  return kDefinition;
}

NS::String* String::Empty() { return PooledString(""); }
NS::String* String::WithString(const NS::String* text) { return PooledString(TextOf(text)); }
NS::String* String::WithCString(const char* text, NS::StringEncoding encoding) {
  return PooledString(CheckedText(text, encoding));
}
NS::String* String::InitWithString(const NS::String* text) {
  text_ = TextOf(text);
  return As<NS::String>(this);
}
NS::String* String::InitWithCString(const char* text, NS::StringEncoding encoding) {
  text_ = CheckedText(text, encoding);
  return As<NS::String>(this);
}
NS::String* String::InitWithBytes(void* bytes, NS::UInteger length, NS::StringEncoding encoding, bool free_when_done) {
  if (CheckEncoding(encoding)) text_.assign(static_cast<const char*>(bytes), length);
  if (free_when_done) std::free(bytes);
  return As<NS::String>(this);
}
NS::String* String::Copy() {
  Retain(this);
  return As<NS::String>(this);
}
const char* String::CString(NS::StringEncoding encoding) { return CheckEncoding(encoding) ? text_.c_str() : nullptr; }
NS::UInteger String::Length() const { return Utf16Length(text_); }
NS::UInteger String::LengthOfBytes(NS::StringEncoding encoding) { return CheckEncoding(encoding) ? text_.size() : 0; }
bool String::IsEqualToString(const NS::String* other) { return other != nullptr && text_ == TextOf(other); }

std::string TextOf(const NS::String* string) {
  if (string == nullptr) return "";
  if (IsConstant(string)) {
    const auto* constant = reinterpret_cast<const ConstantString*>(string);
    return {constant->characters, static_cast<size_t>(constant->length)};
  }
  const String* found = Behind<String>(string, "a string");
  return found == nullptr ? "" : found->text();
}

NS::String* NewString(std::string text) { return As<NS::String>(Make<String>(std::move(text))); }
NS::String* PooledString(std::string text) { return Pooled<NS::String>(Make<String>(std::move(text))); }

namespace {

// The messages of a constant string. Only ASCII literals become one of 8-bit characters; others are refused.
constexpr int kWideCharacters = 0x10;
struct Constant {
  static ConstantString* Itself(ConstantString* self, SEL) { return self; }
  static void Nothing(ConstantString*, SEL) {}
  static const char* Utf8(ConstantString* self, SEL) {
    if ((self->flags & kWideCharacters) != 0) ReportMisuse(Misuse::kUnsupported, "MTLSTR of a text that is not ASCII");
    return self->characters;
  }
  static const char* CString(ConstantString* self, SEL selector, NS::StringEncoding encoding) {
    return CheckEncoding(encoding) ? Utf8(self, selector) : nullptr;
  }
  static NS::UInteger Length(ConstantString* self, SEL) { return static_cast<NS::UInteger>(self->length); }
  static bool IsEqualToString(ConstantString* self, SEL, const NS::String* other) {
    return other != nullptr && TextOf(reinterpret_cast<const NS::String*>(self)) == TextOf(other);
  }
};

}  // namespace

std::span<const Method> ConstantStringMethods() {
  const auto plain = [](const char* selector, auto* function) {
    return Method{selector, reinterpret_cast<void (*)()>(function)};
  };
  static const Method kMethods[] = {
      plain("retain", Constant::Itself),   plain("autorelease", Constant::Itself),
      plain("copy", Constant::Itself),     plain("release", Constant::Nothing),
      plain("UTF8String", Constant::Utf8), plain("cStringUsingEncoding:", Constant::CString),
      plain("length", Constant::Length),   plain("isEqualToString:", Constant::IsEqualToString),
  };
  return kMethods;
}

const ClassDefinition& Array::Definition() {
  static const Method kMethods[] = {Bind<&Array::InitWithObjects>("initWithObjects:count:"),
                                    Bind<&Array::At>("objectAtIndex:"), Bind<&Array::Count>("count")};
  static const Method kClassMethods[] = {BindToClass<&Array::Empty>("array"),
                                         BindToClass<&Array::WithObject>("arrayWithObject:"),
                                         BindToClass<&Array::WithObjects>("arrayWithObjects:count:")};
  static const ClassDefinition kDefinition = {"NSArray", kMethods, kClassMethods,
                                              []() -> Object* { return Make<Array>(); }};
  return kDefinition;
}

Array::~Array() {
  for (const Instance* item : items_) ReleaseItem(item);
}
void Array::Add(const Object* object) {
  Retain(object);
  items_.push_back(object->instance());
}
NS::Array* Array::Empty() { return Pooled<NS::Array>(Make<Array>()); }
NS::Array* Array::WithObject(const Instance* object) { return WithObjects(&object, 1); }
NS::Array* Array::WithObjects(const Instance* const* objects, NS::UInteger count) {
  Array* array = Make<Array>();
  array->InitWithObjects(objects, count);
  return Pooled<NS::Array>(array);
}
NS::Array* Array::InitWithObjects(const Instance* const* objects, NS::UInteger count) {
  for (NS::UInteger i = 0; i < count; ++i) {
    if (!CheckItem(objects[i], "NSArray")) continue;
    RetainItem(objects[i]);
    items_.push_back(const_cast<Instance*>(objects[i]));
  }
  return As<NS::Array>(this);
}
Instance* Array::At(NS::UInteger index) {
  if (index < items_.size()) return items_[index];
  ReportMisuse(Misuse::kBadArgument,
               "NSArray: object " + std::to_string(index) + " of " + std::to_string(items_.size()));
  return nullptr;
}

const ClassDefinition& Dictionary::Definition() {
  static const Method kMethods[] = {Bind<&Dictionary::InitWithObjects>("initWithObjects:forKeys:count:"),
                                    Bind<&Dictionary::At>("objectForKey:"), Bind<&Dictionary::Count>("count")};
  static const Method kClassMethods[] = {BindToClass<&Dictionary::Empty>("dictionary"),
                                         BindToClass<&Dictionary::WithObject>("dictionaryWithObject:forKey:"),
                                         BindToClass<&Dictionary::WithObjects>("dictionaryWithObjects:forKeys:count:")};
  static const ClassDefinition kDefinition = {"NSDictionary", kMethods, kClassMethods,
                                              []() -> Object* { return Make<Dictionary>(); }};
  return kDefinition;
}

Dictionary::~Dictionary() {
  for (const auto& [key, value] : items_) {
    ReleaseItem(key);
    ReleaseItem(value);
  }
}
void Dictionary::Add(const Instance* value, const Instance* key) {
  if (!CheckItem(value, "NSDictionary") || !CheckItem(key, "NSDictionary")) return;
  RetainItem(value);
  RetainItem(key);
  items_.emplace_back(const_cast<Instance*>(key), const_cast<Instance*>(value));
}
NS::Dictionary* Dictionary::Empty() { return Pooled<NS::Dictionary>(Make<Dictionary>()); }
NS::Dictionary* Dictionary::WithObject(const Instance* value, const Instance* key) {
  return WithObjects(&value, &key, 1);
}
NS::Dictionary* Dictionary::WithObjects(const Instance* const* values, const Instance* const* keys,
                                        NS::UInteger count) {
  Dictionary* dictionary = Make<Dictionary>();
  dictionary->InitWithObjects(values, keys, count);
  return Pooled<NS::Dictionary>(dictionary);
}
NS::Dictionary* Dictionary::InitWithObjects(const Instance* const* values, const Instance* const* keys,
                                            NS::UInteger count) {
  for (NS::UInteger i = 0; i < count; ++i) Add(values[i], keys[i]);
  return As<NS::Dictionary>(this);
}
Instance* Dictionary::At(const Instance* key) {
  if (!CheckItem(key, "NSDictionary")) return nullptr;
  const auto is_string = [](const Instance* item) { return IsConstant(item) || item->isa == ClassOf<String>(); };
  const auto text = [](const Instance* item) { return TextOf(reinterpret_cast<const NS::String*>(item)); };
  for (const auto& [candidate, value] : items_) {
    if (candidate == key || (is_string(candidate) && is_string(key) && text(candidate) == text(key))) return value;
  }
  return nullptr;
}

const ClassDefinition& Error::Definition() {
  static const Method kMethods[] = {
      Bind<&Error::InitWithDomain>("initWithDomain:code:userInfo:"),
      Bind<&Error::Code>("code"),
      Bind<&Error::Domain>("domain"),
      Bind<&Error::UserInfo>("userInfo"),
      Bind<&Error::LocalizedDescription>("localizedDescription"),
  };
  static const Method kClassMethods[] = {BindToClass<&Error::WithDomain>("errorWithDomain:code:userInfo:")};
  static const ClassDefinition kDefinition = {"NSError", kMethods, kClassMethods,
                                              []() -> Object* { return Make<Error>(); }};
  return kDefinition;
}

Error::~Error() {
  if (info_ != nullptr) Release(info_->object);
}
NS::Error* Error::WithDomain(NS::ErrorDomain domain, NS::Integer code, NS::Dictionary* info) {
  Error* error = Make<Error>();
  error->InitWithDomain(domain, code, info);
  return Pooled<NS::Error>(error);
}
NS::Error* Error::InitWithDomain(NS::ErrorDomain domain, NS::Integer code, NS::Dictionary* info) {
  domain_ = TextOf(domain);
  code_ = code;
  description_ = "The operation couldn't be completed. (" + domain_ + " error " + std::to_string(code) + ".)";
  if (Dictionary* dictionary = Behind<Dictionary>(info, "NSError"); dictionary != nullptr) {
    Retain(dictionary);
    info_ = dictionary->instance();
  }
  return As<NS::Error>(this);
}

void SetError(NS::Error** error, const char* domain, int64_t code, const std::string& description) {
  if (error != nullptr) *error = Pooled<NS::Error>(Make<Error>(domain, code, description));
}

}  // namespace metal_emulator
