// The kernel types that metal-cpp names. Nothing of the emulator takes or gives one.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_MACH_MACH_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_MACH_MACH_H_

typedef int kern_return_t;
typedef unsigned int task_id_token_t;

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_MACH_MACH_H_
