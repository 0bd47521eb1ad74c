// Stacks of their own and the way from one to another: what a thread of a kernel runs on.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_FIBER_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_FIBER_H_

#include <cstddef>

namespace metal_emulator {

// Where something that does not run now goes on. The caller's own stack needs no more than one of these.
struct Context {
  void* stack_pointer = nullptr;
  const void* stack = nullptr;  // its lowest byte and size, for AddressSanitizer; null for a thread's own stack
  size_t stack_bytes = 0;
  void* fake_stack = nullptr;
};

// Leaves for `to` and comes back when somebody switches to `from`.
void Switch(Context* from, const Context& to);

// A stack with a guard page below: a kernel whose variables do not fit ends the process there.
class Fiber {
 public:
  // `main(argument)` runs on the fiber from the first switch to it on, and never returns.
  Fiber(void (*main)(void*), void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Forgets what runs there: the next switch begins with main again.
  void Reset();

  Context context;

 private:
  static void Start(void* fiber);

  void (*main_)(void*);
  void* argument_;
  char* stack_;
  size_t color_;
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_FIBER_H_
