// The Objective-C runtime as far as metal-cpp calls it, for Linux: declarations of our own, made by the emulator's
// objc_runtime.cc. What is not here does not exist; a use of it does not compile or does not link.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_OBJC_RUNTIME_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_OBJC_RUNTIME_H_

// Every object begins with its class. metal-cpp derives its classes from this type, which therefore is complete.
struct objc_object {
  struct objc_class* isa;
};
typedef struct objc_class* Class;
typedef struct objc_object* id;
typedef struct objc_selector* SEL;
typedef struct objc_object Protocol;

extern "C" {
SEL sel_registerName(const char* name);
const char* sel_getName(SEL selector);
Class objc_lookUpClass(const char* name);  // null where there is none
Class objc_getClass(const char* name);
Protocol* objc_getProtocol(const char* name);  // always null: the emulator asks an object's class, not its protocols
Class object_getClass(id object);
const char* class_getName(Class of_class);
bool class_respondsToSelector(Class of_class, SEL selector);
}

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_OBJC_RUNTIME_H_
