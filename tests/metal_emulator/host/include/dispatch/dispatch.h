// The dispatch types that metal-cpp names. Nothing of the emulator takes or gives one.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_DISPATCH_DISPATCH_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_DISPATCH_DISPATCH_H_

typedef struct dispatch_queue_s* dispatch_queue_t;
typedef struct dispatch_data_s* dispatch_data_t;

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_DISPATCH_DISPATCH_H_
