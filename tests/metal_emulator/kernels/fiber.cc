#include "tests/metal_emulator/kernels/fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define METAL_EMULATOR_ASAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define METAL_EMULATOR_ASAN
#endif
#ifdef METAL_EMULATOR_ASAN
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// Saves what the platform's calling convention says a function keeps, changes stacks, takes the other's back. A new
// stack holds the same record with StartFiber as the place to return to, its function and argument in kept registers.
extern "C" void MetalEmulatorSwitchStacks(void** save, void* load);
extern "C" void MetalEmulatorStartFiber();

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl MetalEmulatorSwitchStacks
.type MetalEmulatorSwitchStacks, @function
MetalEmulatorSwitchStacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size MetalEmulatorSwitchStacks, .-MetalEmulatorSwitchStacks
.globl MetalEmulatorStartFiber
.type MetalEmulatorStartFiber, @function
MetalEmulatorStartFiber:
  movq %r12, %rdi
  callq *%r13
  ud2
.size MetalEmulatorStartFiber, .-MetalEmulatorStartFiber
)");
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl MetalEmulatorSwitchStacks
.type MetalEmulatorSwitchStacks, %function
MetalEmulatorSwitchStacks:
  sub sp, sp, #160
  stp x19, x20, [sp]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size MetalEmulatorSwitchStacks, .-MetalEmulatorSwitchStacks
.globl MetalEmulatorStartFiber
.type MetalEmulatorStartFiber, %function
MetalEmulatorStartFiber:
  mov x0, x19
  blr x20
  brk #0
.size MetalEmulatorStartFiber, .-MetalEmulatorStartFiber
)");
#else
#error "The emulator's fibers know x86-64 and 64-bit Arm"
#endif

namespace metal_emulator {
namespace {

constexpr size_t kStackBytes = 256 << 10;
constexpr size_t kGuardBytes = 64 << 10;  // a page, however large those are

}  // namespace

void Switch(Context* from, const Context& to) {
#ifdef METAL_EMULATOR_ASAN
  if (from->stack == nullptr) {  // the thread's own
    pthread_attr_t attributes;
    void* stack = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &stack, &from->stack_bytes);
    pthread_attr_destroy(&attributes);
    from->stack = stack;
  }
  __sanitizer_start_switch_fiber(&from->fake_stack, to.stack, to.stack_bytes);
#endif
  MetalEmulatorSwitchStacks(&from->stack_pointer, to.stack_pointer);
#ifdef METAL_EMULATOR_ASAN
  __sanitizer_finish_switch_fiber(from->fake_stack, nullptr, nullptr);
#endif
}

Fiber::Fiber(void (*main)(void*), void* argument) : main_(main), argument_(argument) {
  void* memory = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, kGuardBytes, PROT_NONE) != 0) {
    std::perror("metal emulator: no memory for a thread's stack");
    std::abort();
  }
  stack_ = static_cast<char*>(memory);
  // Stacks begin at different lines of the cache: equal variables of neighbours would fight for the same few.
  static std::atomic<size_t> count{0};
  color_ = count++ % 61 * 64;
  Reset();
}

Fiber::~Fiber() { munmap(stack_, kGuardBytes + kStackBytes); }

void Fiber::Start(void* fiber) {
#ifdef METAL_EMULATOR_ASAN
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  const Fiber* self = static_cast<Fiber*>(fiber);
  self->main_(self->argument_);
}

void Fiber::Reset() {
#ifdef METAL_EMULATOR_ASAN
  __asan_unpoison_memory_region(stack_ + kGuardBytes, kStackBytes);
#endif
  uintptr_t* top = reinterpret_cast<uintptr_t*>(stack_ + kGuardBytes + kStackBytes - 256 - color_);
#if defined(__x86_64__)
  uintptr_t* record = top - 7;
  record[0] = record[1] = 0;                               // r15, r14
  record[2] = reinterpret_cast<uintptr_t>(&Fiber::Start);  // r13
  record[3] = reinterpret_cast<uintptr_t>(this);           // r12
  record[4] = record[5] = 0;                               // rbx, rbp
  record[6] = reinterpret_cast<uintptr_t>(&MetalEmulatorStartFiber);
#else
  uintptr_t* record = top - 20;
  for (int i = 0; i < 20; ++i) record[i] = 0;
  record[0] = reinterpret_cast<uintptr_t>(this);                       // x19
  record[1] = reinterpret_cast<uintptr_t>(&Fiber::Start);              // x20
  record[11] = reinterpret_cast<uintptr_t>(&MetalEmulatorStartFiber);  // x30
#endif
  context.stack_pointer = record;
  context.stack = stack_ + kGuardBytes;
  context.stack_bytes = kStackBytes;
  context.fake_stack = nullptr;
}

}  // namespace metal_emulator
