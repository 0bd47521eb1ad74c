// A call of a kernel put together in a line or two, for tests.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_KERNEL_BENCH_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_KERNEL_BENCH_H_

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/metal_emulator/kernels/emulated_library.h"

namespace metal_emulator {

inline const KernelInfo* KernelOf(const std::string& library_name, const std::string& kernel) {
  for (const Library* library : Libraries()) {
    if (library->name == library_name) return FindKernel(*library, kernel);
  }
  return nullptr;
}

// Memory that a device would hold, with the record of who touched it.
template <class T>
struct DeviceArray {
  explicit DeviceArray(size_t size, T value = T{}) : values(size, value), access(size * sizeof(T)) {}
  std::vector<T> values;
  BufferAccess access;
  T& operator[](size_t i) { return values[i]; }
};

class KernelBench {
 public:
  KernelBench(const std::string& library, const std::string& kernel) {
    call.kernel = KernelOf(library, kernel);
    EXPECT_NE(call.kernel, nullptr) << kernel;
    call.num_cpu_threads = 1;
  }
  template <class T>
  KernelBench& Buffer(uint32_t index, DeviceArray<T>& array, size_t offset = 0) {
    call.buffers.push_back({index, array.values.data(), array.values.size() * sizeof(T), offset * sizeof(T),
                            "array" + std::to_string(index), &array.access});
    return *this;
  }
  template <class T>
  KernelBench& Bytes(uint32_t index, const T& value) {
    bytes_.push_back(std::make_unique<std::vector<unsigned char>>(sizeof(T)));
    std::memcpy(bytes_.back()->data(), &value, sizeof(T));
    call.bytes.push_back({index, bytes_.back()->data(), sizeof(T)});
    return *this;
  }
  template <class T>
  KernelBench& Constant(uint32_t index, const T& value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    call.constants.push_back({index, bits});
    return *this;
  }
  KernelBench& Lend(uint32_t index, size_t bytes) {
    call.threadgroup_lengths.push_back({index, bytes});
    return *this;
  }
  Fault Run(Size3 groups, Size3 threads) {
    call.groups = groups;
    call.threads_per_group = threads;
    recorder_.Barrier();
    if (call.recorder == nullptr) call.recorder = &recorder_;
    return Dispatch(call);
  }

  KernelCall call;

 private:
  std::vector<std::unique_ptr<std::vector<unsigned char>>> bytes_;
  AccessRecorder recorder_;
};

}  // namespace metal_emulator

#define EXPECT_NO_FAULT(expression)               \
  do {                                            \
    const ::metal_emulator::Fault f = expression; \
    EXPECT_FALSE(f) << f.message;                 \
  } while (false)
#define EXPECT_FAULT(expression, expected, text)                           \
  do {                                                                     \
    const ::metal_emulator::Fault f = expression;                          \
    EXPECT_EQ(f.kind, ::metal_emulator::FaultKind::expected) << f.message; \
    EXPECT_NE(f.message.find(text), std::string::npos) << f.message;       \
  } while (false)

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_KERNEL_BENCH_H_
