#include "tests/metal_emulator/host/objc_runtime.h"

#include <objc/message.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tests/metal_emulator/host/autorelease_pool.h"
#include "tests/metal_emulator/host/state.h"

#ifndef __x86_64__
#error "the emulator's message dispatch is written for x86-64"
#endif

namespace metal_emulator {
namespace {

// The world's state is never destroyed: messages are still sent while the process's own statics go.
struct World {
  std::mutex mutex;
  std::set<std::string, std::less<>> selectors;  // SEL is the address of the text in here
  std::unordered_set<const Instance*> living;
  std::deque<const Instance*> tombstones;  // so that a leak checker sees them held
  std::shared_mutex methods_mutex;
  std::map<std::pair<const objc_class*, SEL>, void (*)()> methods;
};
World& TheWorld() {
  static World* world = new World;
  return *world;
}

const std::string& TextOf(SEL selector) { return *reinterpret_cast<const std::string*>(selector); }

std::string NameOfClass(const objc_class* of_class) { return of_class->definition().name; }

// What every object answers.
bool RespondsTo(const objc_class* of_class, SEL selector);

class AnyObject {
 public:
  static Instance* RetainMessage(Instance* self, SEL) {
    Retain(self->object);
    return self;
  }
  static void ReleaseMessage(Instance* self, SEL) { Release(self->object); }
  static Instance* AutoreleaseMessage(Instance* self, SEL) {
    Autorelease(self->object);
    return self;
  }
  static uint64_t RetainCount(Instance* self, SEL) { return static_cast<uint64_t>(self->retain_count.load()); }
  static Instance* Itself(Instance* self, SEL) { return self; }
  static uint64_t Hash(Instance* self, SEL) { return reinterpret_cast<uint64_t>(self) >> 4; }
  static bool IsEqual(Instance* self, SEL, const void* other) { return self == other; }
  static bool RespondsToSelector(Instance* self, SEL, SEL selector) { return RespondsTo(self->isa, selector); }
  static void* NoSignature(Instance*, SEL, SEL) { return nullptr; }
  static void* Alloc(Class self, SEL) {
    Object* made = self->definition().make == nullptr ? nullptr : self->definition().make();
    if (made == nullptr) {
      ReportMisuse(Misuse::kUnknownMessage, "+alloc of " + NameOfClass(self) + ", which only devices make");
      return nullptr;
    }
    return made->instance();
  }
};

template <typename F>
Method Plain(const char* selector, F* function) {
  return {selector, reinterpret_cast<void (*)()>(function)};
}

void (*FindIn(std::span<const Method> methods, const std::string& selector))() {
  for (const Method& method : methods) {
    if (selector == method.selector) return method.function;
  }
  return nullptr;
}

void (*FindMethod(const objc_class* of_class, SEL selector))() {
  World& world = TheWorld();
  const std::pair key(of_class, selector);
  {
    std::shared_lock lock(world.methods_mutex);
    if (auto found = world.methods.find(key); found != world.methods.end()) return found->second;
  }
  const std::string& text = TextOf(selector);
  void (*function)() = nullptr;
  switch (of_class->kind) {
    case objc_class::kOfInstances:
      function = FindIn(of_class->definition().methods, text);
      if (function == nullptr) function = FindIn(MethodsOfEveryObject(), text);
      break;
    case objc_class::kOfClasses:
      function = FindIn(of_class->definition().class_methods, text);
      if (function == nullptr) function = FindIn(MethodsOfEveryClass(), text);
      break;
    case objc_class::kOfConstantStrings:
      function = FindIn(of_class->definition().methods, text);
      break;
  }
  if (function != nullptr) {
    std::unique_lock lock(world.methods_mutex);
    world.methods.emplace(key, function);
  }
  return function;
}

bool RespondsTo(const objc_class* of_class, SEL selector) { return FindMethod(of_class, selector) != nullptr; }

const ClassDefinition& ConstantStringDefinition() {
  static const ClassDefinition kDefinition = {"constant NSString", ConstantStringMethods(), {}, nullptr};
  return kDefinition;
}

// Runs after all destructors of the process's statics.
__attribute__((destructor)) void CheckForLeaks() {
  const std::vector<std::string> living = LiveObjects();
  if (living.empty()) return;
  std::string text = std::to_string(living.size()) + " objects live at the end of the process:";
  for (const std::string& line : living) text += "\n  " + line;
  ReportMisuse(Misuse::kLeak, text);
}

}  // namespace

std::span<const Method> MethodsOfEveryObject() {
  static const Method kMethods[] = {
      Plain("retain", AnyObject::RetainMessage),
      Plain("release", AnyObject::ReleaseMessage),
      Plain("autorelease", AnyObject::AutoreleaseMessage),
      Plain("retainCount", AnyObject::RetainCount),
      Plain("init", AnyObject::Itself),
      Plain("hash", AnyObject::Hash),
      Plain("isEqual:", AnyObject::IsEqual),
      Plain("respondsToSelector:", AnyObject::RespondsToSelector),
      Plain("methodSignatureForSelector:", AnyObject::NoSignature),
  };
  return kMethods;
}

std::span<const Method> MethodsOfEveryClass() {
  static const Method kMethods[] = {Plain("alloc", AnyObject::Alloc)};
  return kMethods;
}

std::string Object::Describe() const {
  std::string text = "<" + NameOfClass(instance_->isa);
  if (!label_.empty()) text += " '" + label_ + "'";
  return text + ">";
}

Instance* Wrap(Object* object, Class of_class) {
  auto* instance = new Instance;
  instance->isa = of_class;
  instance->object = object;
  object->instance_ = instance;
  World& world = TheWorld();
  std::lock_guard lock(world.mutex);
  world.living.insert(instance);
  return instance;
}

void Retain(const Object* object) { object->instance()->retain_count.fetch_add(1); }

bool RetainIfAlive(Instance* instance) {
  int64_t count = instance->retain_count.load();
  while (count > 0) {
    if (instance->retain_count.compare_exchange_weak(count, count + 1)) return true;
  }
  return false;
}

void Release(const Object* object) {
  Instance* instance = object->instance();
  if (instance->retain_count.fetch_sub(1) > 1) return;
  if (instance->unretained_uses > 0)
    ReportMisuse(Misuse::kReleasedInUse,
                 object->Describe() + ": given up while commands need it whose command buffer does not keep it");
  World& world = TheWorld();
  {
    std::lock_guard lock(world.mutex);
    world.living.erase(instance);
    world.tombstones.push_back(instance);
  }
  instance->released = true;
  delete object;
}

void Autorelease(const Object* object) { AutoreleasePool::AddToCurrent(object->instance()); }

Object* Behind(const void* pointer, Class wanted, const char* what) {
  if (pointer == nullptr) return nullptr;
  const auto* instance = static_cast<const Instance*>(pointer);
  if (instance->isa != wanted) {
    ReportMisuse(Misuse::kBadArgument,
                 std::string(what) + ": a " + NameOfClass(instance->isa) + " where a " + NameOfClass(wanted) + " goes");
    return nullptr;
  }
  if (instance->released) {
    ReportMisuse(Misuse::kUseAfterRelease, std::string(what) + ": the " + NameOfClass(wanted) + " is gone");
    return nullptr;
  }
  return instance->object;
}

std::vector<std::string> LiveObjects() {
  WaitForFlights();
  World& world = TheWorld();
  std::lock_guard lock(world.mutex);
  std::vector<std::string> lines;
  for (const Instance* instance : world.living) {
    lines.push_back(instance->object->Describe() + " retained " + std::to_string(instance->retain_count.load()) + "x");
  }
  return lines;
}

}  // namespace metal_emulator

extern "C" {

objc_class __CFConstantStringClassReference = {
    {nullptr}, &metal_emulator::ConstantStringDefinition, objc_class::kOfConstantStrings};

SEL sel_registerName(const char* name) {
  metal_emulator::World& world = metal_emulator::TheWorld();
  std::lock_guard lock(world.mutex);
  return reinterpret_cast<SEL>(const_cast<std::string*>(&*world.selectors.emplace(name).first));
}
const char* sel_getName(SEL selector) { return metal_emulator::TextOf(selector).c_str(); }
Class objc_lookUpClass(const char* name) { return metal_emulator::FindClass(name); }
Class objc_getClass(const char* name) { return metal_emulator::FindClass(name); }
Protocol* objc_getProtocol(const char*) { return nullptr; }
Class object_getClass(id object) { return object == nullptr ? nullptr : object->isa; }
const char* class_getName(Class of_class) { return of_class == nullptr ? "nil" : of_class->definition().name; }
bool class_respondsToSelector(Class of_class, SEL selector) {
  return of_class != nullptr && metal_emulator::RespondsTo(of_class, selector);
}

// nil for a pointer, 0 for a number, in both kinds of register. Of a large struct the caller gets what was there.
void metal_emulator_answer_nothing();

// The function that answers a message; called by objc_msgSend below with the caller's registers put aside.
void (*metal_emulator_find_method(objc_object* self, SEL selector))() {
  using metal_emulator::Instance;
  using metal_emulator::Misuse;
  const objc_class* of_class = self->isa;
  const std::string& text = metal_emulator::TextOf(selector);
  if (of_class->kind == objc_class::kOfInstances && static_cast<Instance*>(self)->released) {
    const std::string name = metal_emulator::NameOfClass(of_class);
    if (text == "release")
      metal_emulator::ReportMisuse(Misuse::kOverRelease, "release of a " + name + " that is gone");
    else
      metal_emulator::ReportMisuse(Misuse::kUseAfterRelease, "'" + text + "' to a " + name + " that is gone");
    return metal_emulator_answer_nothing;
  }
  if (auto function = metal_emulator::FindMethod(of_class, selector)) return function;
  const char* name = of_class->definition().name;
  metal_emulator::ReportMisuse(Misuse::kUnknownMessage,
                               std::string(of_class->kind == objc_class::kOfClasses ? "+" : "-") + "[" + name + " " +
                                   text + "] is not among what the emulator has");
  return metal_emulator_answer_nothing;
}

}  // extern "C"

// Arguments stay where the caller put them, in registers and on the stack: find the function, then jump to it. The
// receiver is the first argument, or the second where the first is the address of a struct to fill in.
asm(R"(
.text
.globl metal_emulator_answer_nothing
.type metal_emulator_answer_nothing, @function
metal_emulator_answer_nothing:
  .cfi_startproc
  xorl %eax, %eax
  xorl %edx, %edx
  pxor %xmm0, %xmm0
  ret
  .cfi_endproc
.size metal_emulator_answer_nothing, .-metal_emulator_answer_nothing
.macro EMULATED_SEND name, receiver, selector
.globl \name
.type \name, @function
\name:
  .cfi_startproc
  testq \receiver, \receiver
  je 1f
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $192, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movdqu %xmm0, 64(%rsp)
  movdqu %xmm1, 80(%rsp)
  movdqu %xmm2, 96(%rsp)
  movdqu %xmm3, 112(%rsp)
  movdqu %xmm4, 128(%rsp)
  movdqu %xmm5, 144(%rsp)
  movdqu %xmm6, 160(%rsp)
  movdqu %xmm7, 176(%rsp)
  movq \receiver, %r10
  movq \selector, %r11
  movq %r10, %rdi
  movq %r11, %rsi
  call metal_emulator_find_method@PLT
  movq %rax, %r11
  movq 0(%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movdqu 64(%rsp), %xmm0
  movdqu 80(%rsp), %xmm1
  movdqu 96(%rsp), %xmm2
  movdqu 112(%rsp), %xmm3
  movdqu 128(%rsp), %xmm4
  movdqu 144(%rsp), %xmm5
  movdqu 160(%rsp), %xmm6
  movdqu 176(%rsp), %xmm7
  leave
  .cfi_def_cfa %rsp, 8
  jmp *%r11
1:
  .cfi_restore %rbp
  jmp metal_emulator_answer_nothing@PLT
  .cfi_endproc
.size \name, .-\name
.endm
EMULATED_SEND objc_msgSend, %rdi, %rsi
EMULATED_SEND objc_msgSend_fpret, %rdi, %rsi
EMULATED_SEND objc_msgSend_stret, %rsi, %rdx
)");
