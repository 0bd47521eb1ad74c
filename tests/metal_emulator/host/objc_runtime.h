// Objects, classes and messages of the emulator: what an Objective-C runtime does, as small as it gets.
//
// An object that callers hold is an Instance: class, retain count, and the C++ object that does the work. When the
// count falls to zero that object is deleted; the Instance stays for good as a tombstone, so that a later message to
// it is told from one to a living object.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_OBJC_RUNTIME_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_OBJC_RUNTIME_H_

#include <objc/runtime.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tests/metal_emulator/host/emulator.h"

namespace metal_emulator {

class Object;

struct Instance : objc_object {
  std::atomic<int64_t> retain_count{1};
  std::atomic<bool> released{false};
  mutable std::atomic<int> unretained_uses{0};  // by command buffers that do not keep it
  Object* object = nullptr;
};

// What every class of the emulator derives from.
class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;
  Instance* instance() const { return instance_; }
  const std::string& label() const { return label_; }
  void set_label(std::string label) { label_ = std::move(label); }
  virtual std::string Describe() const;  // "<MTLBuffer 'weights'>"

 private:
  friend Instance* Wrap(Object* object, Class of_class);
  Instance* instance_ = nullptr;
  std::string label_;
};

struct Method {
  const char* selector;
  void (*function)();  // (Instance*, SEL, ...), of a class method (Class, SEL, ...)
};

// What defines a class; lives as long as the process.
struct ClassDefinition {
  const char* name;
  std::span<const Method> methods;        // besides those of every object
  std::span<const Method> class_methods;  // besides those of every class
  Object* (*make)() = nullptr;            // for +alloc; null: only the emulator makes such objects
};

}  // namespace metal_emulator

// The class itself, and its metaclass with the same definition.
struct objc_class : objc_object {
  const metal_emulator::ClassDefinition& (*definition)();
  enum Kind { kOfInstances, kOfClasses, kOfConstantStrings } kind;
};

namespace metal_emulator {

// For each class T of the emulator: `static const ClassDefinition& Definition()`, and its object for the runtime.
template <typename T>
Class ClassOf() {
  static objc_class metaclass = {{nullptr}, &T::Definition, objc_class::kOfClasses};
  static objc_class made = {{&metaclass}, &T::Definition, objc_class::kOfInstances};
  return &made;
}

// A class by the name that metal-cpp asks for, null where the emulator has none. (class_table.cc)
Class FindClass(std::string_view name);

// Messages that all answer.
std::span<const Method> MethodsOfEveryObject();
std::span<const Method> MethodsOfEveryClass();

// A new object, retained once, as +alloc gives it.
Instance* Wrap(Object* object, Class of_class);
template <typename T, typename... Args>
T* Make(Args&&... args) {
  T* made = new T(std::forward<Args>(args)...);
  Wrap(made, ClassOf<T>());
  return made;
}

void Retain(const Object* object);
bool RetainIfAlive(Instance* instance);
void Release(const Object* object);
void Autorelease(const Object* object);  // into the pool of this thread

// What callers know as a MTL::Buffer* and so on.
template <typename M>
M* As(const Object* object) {
  return object == nullptr ? nullptr : reinterpret_cast<M*>(object->instance());
}

// Reports misuse: collected, or the end of the process.
void ReportMisuse(Misuse misuse, const std::string& text);

// The object behind a pointer that a caller gave; null, reported, where it is gone or of another class. nil is null.
Object* Behind(const void* pointer, Class wanted, const char* what);
template <typename T>
T* Behind(const void* pointer, const char* what) {
  return static_cast<T*>(Behind(pointer, ClassOf<T>(), what));
}

// Keeps an object alive.
template <typename T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) {
    if (object_ != nullptr) Retain(object_);
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) Release(object_);
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

// Methods out of member functions: Bind<&Buffer::Length>("length"). Parameters and results are those of the caller's
// cast of objc_msgSend, that is metal-cpp's own types.
template <auto kMember>
struct Bound;
template <typename T, typename R, typename... Args, R (T::*kMember)(Args...)>
struct Bound<kMember> {
  static R Call(Instance* self, SEL, Args... args) { return (static_cast<T*>(self->object)->*kMember)(args...); }
};
template <typename T, typename R, typename... Args, R (T::*kMember)(Args...) const>
struct Bound<kMember> {
  static R Call(Instance* self, SEL, Args... args) { return (static_cast<T*>(self->object)->*kMember)(args...); }
};
template <auto kMember>
Method Bind(const char* selector) {
  return {selector, reinterpret_cast<void (*)()>(&Bound<kMember>::Call)};
}
// Of a class: a plain function of the message's arguments.
template <auto kFunction>
struct BoundToClass;
template <typename R, typename... Args, R (*kFunction)(Args...)>
struct BoundToClass<kFunction> {
  static R Call(Class, SEL, Args... args) { return kFunction(args...); }
};
template <auto kFunction>
Method BindToClass(const char* selector) {
  return {selector, reinterpret_cast<void (*)()>(&BoundToClass<kFunction>::Call)};
}

// What MTLSTR("...") makes at compile time.
struct ConstantString : objc_object {
  int flags;
  const char* characters;
  long length;
};
std::span<const Method> ConstantStringMethods();  // (foundation.cc)

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_OBJC_RUNTIME_H_
