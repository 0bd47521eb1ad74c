// What generated code stands on: a kernel's arguments from an Invocation. C++14.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_ENTRY_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_ENTRY_H_

#include <metal_stdlib>

#include "tests/metal_emulator/kernels/emulated_library.h"
#include "tests/metal_emulator/kernels/runtime.h"

namespace metal_emulator {

template <class Pointer>
inline Pointer PointerTo(const Memory* memory) {
  return Pointer(memory, memory->begin);
}

// `constant T&`: all of it counts as read.
template <class T>
inline const T& ReferenceTo(const Memory* memory) {
  NoteAccess<Space::kConstant>(memory, memory->begin, sizeof(T), alignof(T), false);
  return *reinterpret_cast<const T*>(memory->begin);
}

// A position or size: one number, or one for each axis.
template <class T>
struct Builtin {
  static T Of(Invocation& call, uint32_t (Invocation::*get)()) { return static_cast<T>((call.*get)()); }
  static T Of(Invocation& call, uint32_t (Invocation::*get)(int)) { return static_cast<T>((call.*get)(0)); }
};
template <class T>
struct Builtin<metal::vec<T, 2>> {
  static metal::vec<T, 2> Of(Invocation& call, uint32_t (Invocation::*get)(int)) {
    return metal::vec<T, 2>(static_cast<T>((call.*get)(0)), static_cast<T>((call.*get)(1)));
  }
};
template <class T>
struct Builtin<metal::vec<T, 3>> {
  static metal::vec<T, 3> Of(Invocation& call, uint32_t (Invocation::*get)(int)) {
    return metal::vec<T, 3>(static_cast<T>((call.*get)(0)), static_cast<T>((call.*get)(1)),
                            static_cast<T>((call.*get)(2)));
  }
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_ENTRY_H_
