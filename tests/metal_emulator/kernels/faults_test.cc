// Every kind of fault that the emulator must catch, each by a kernel of testdata/faults.metal that has it.
#include "tests/metal_emulator/kernels/kernel_bench.h"

namespace metal_emulator {
namespace {

constexpr char kLibrary[] = "metal_emulator_fault_kernels";

struct Int2 {
  int32_t x, y;
};
struct Uint2 {
  uint32_t x, y;
};

Fault CopyShifted(int32_t from, int32_t to) {
  DeviceArray<uint16_t> x(64), y(64);
  KernelBench bench(kLibrary, "copy_shifted");
  bench.Buffer(0, x).Buffer(1, y).Bytes(2, Int2{from, to});
  return bench.Run({2, 1, 1}, {32, 1, 1});
}

TEST(FaultsTest, AnAccessOneElementOutside) {
  EXPECT_NO_FAULT(CopyShifted(0, 0));
  EXPECT_FAULT(CopyShifted(1, 0), kOutOfBounds, "'copy_shifted'");
  EXPECT_FAULT(CopyShifted(1, 0), kOutOfBounds,
               "reads bytes 128 to 129 of buffer 0 ('x'), bound to 'array0', which has 128");
  EXPECT_FAULT(CopyShifted(-1, 0), kOutOfBounds, "reads bytes -2 to -1 of buffer 0");
  EXPECT_FAULT(CopyShifted(0, 1), kOutOfBounds, "writes bytes 128 to 129 of buffer 1");
  EXPECT_FAULT(CopyShifted(0, -1), kOutOfBounds, "writes bytes -2");
}

TEST(FaultsTest, AnAccessBeforeTheOffset) {
  DeviceArray<uint16_t> x(64), y(64);
  KernelBench bench(kLibrary, "copy_shifted");
  bench.Buffer(0, x, 8).Buffer(1, y).Bytes(2, Int2{-1, 0});
  EXPECT_FAULT(bench.Run({1, 1, 1}, {32, 1, 1}), kOutOfBounds, "bytes -2 to -1");
}

Fault CopyFours(int32_t shift, size_t offset) {
  DeviceArray<uint16_t> x(64), y(64);
  KernelBench bench(kLibrary, "copy_fours");
  bench.Buffer(0, x).Buffer(1, y, offset).Bytes(2, shift);
  return bench.Run({1, 1, 1}, {8, 1, 1});
}

TEST(FaultsTest, AVectorThatIsNotAligned) {
  EXPECT_NO_FAULT(CopyFours(4, 4));
  EXPECT_FAULT(CopyFours(2, 0), kMisaligned, "as a type that is aligned to 8 bytes");
  EXPECT_FAULT(CopyFours(0, 2), kMisaligned, "buffer 1 ('y') is not aligned to 8 bytes");
  EXPECT_FAULT(CopyFours(36, 0), kOutOfBounds, "reads bytes 128 to 135");
}

TEST(FaultsTest, APointerThatWasNeverSet) {
  DeviceArray<float> y(1);
  KernelBench bench(kLibrary, "unset_pointer");
  bench.Buffer(0, y);
  EXPECT_FAULT(bench.Run({}, {}), kOutOfBounds, "never set");
}

// A kernel with y alone.
Fault RunAlone(const char* kernel, uint32_t threads, size_t size = 128, uint64_t seed = 1) {
  DeviceArray<float> y(size);
  KernelBench bench(kLibrary, kernel);
  bench.Buffer(0, y);
  bench.call.seed = seed;
  return bench.Run({1, 1, 1}, {threads, 1, 1});
}

TEST(FaultsTest, AThreadgroupVariableEndsWhereTheNextBegins) {
  EXPECT_NO_FAULT(RunAlone("tile_overrun", 16));
  EXPECT_FAULT(RunAlone("tile_overrun", 32), kOutOfBounds, "threadgroup variable 'before'");
}

TEST(FaultsTest, WhatTheKernelDeclaresMustBeGiven) {
  DeviceArray<float> y(32), bias(32);
  KernelBench nothing(kLibrary, "biased");
  EXPECT_FAULT(nothing.Run({}, {32, 1, 1}), kMissingBinding, "function constant 0 ('kHasBias')");
  nothing.Constant(0, true);
  EXPECT_FAULT(nothing.Run({}, {32, 1, 1}), kMissingBinding, "buffer 0 ('y') is not bound");
  nothing.Buffer(0, y);
  EXPECT_FAULT(nothing.Run({}, {32, 1, 1}), kMissingBinding, "buffer 3 ('bias') is not bound");
  nothing.Buffer(3, bias);
  EXPECT_FAULT(nothing.Run({}, {32, 1, 1}), kMissingBinding, "threadgroup memory 0 has no length");
  nothing.Lend(0, 128);
  EXPECT_NO_FAULT(nothing.Run({}, {32, 1, 1}));
  KernelBench without(kLibrary, "biased");
  without.Constant(0, false).Buffer(0, y).Lend(0, 124);
  EXPECT_FAULT(without.Run({}, {32, 1, 1}), kOutOfBounds, "threadgroup memory 0");
}

TEST(FaultsTest, DispatchesThatNoDeviceTakes) {
  DeviceArray<float> y(2048);
  KernelBench bench(kLibrary, "all_write_one");
  bench.Buffer(0, y);
  EXPECT_FAULT(bench.Run({1, 1, 1}, {0, 1, 1}), kBadDispatch, "no threads");
  EXPECT_FAULT(bench.Run({0, 1, 1}, {1, 1, 1}), kBadDispatch, "no threadgroups");
  EXPECT_FAULT(bench.Run({1, 1, 1}, {1025, 1, 1}), kBadDispatch, "at most 1024");
  bench.call.max_threads_per_group = 512;
  EXPECT_FAULT(bench.Run({1, 1, 1}, {16, 33, 1}), kBadDispatch, "at most 512");
  KernelBench small(kLibrary, "copy_shifted");
  small.Buffer(0, y).Buffer(1, y).Bytes(2, int32_t{0});
  EXPECT_FAULT(small.Run({}, {}), kBadDispatch, "has 4 bytes; 8 are needed");
  KernelBench lent(kLibrary, "biased");
  lent.Constant(0, false).Buffer(0, y).Lend(0, 32769);
  EXPECT_FAULT(lent.Run({}, {}), kBadDispatch, "at most 32768");
  KernelBench written(kLibrary, "all_write_one");
  written.Bytes(0, 1.0f);
  EXPECT_FAULT(written.Run({}, {}), kBadDispatch, "setBytes");
}

TEST(FaultsTest, ABarrierThatIsMissing) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_FAULT(RunAlone("no_barrier", 128, 128, seed), kRace, "threadgroup variable 'tile'");
    EXPECT_FAULT(RunAlone("no_second_barrier", 128, 128, seed), kRace, "with no barrier between");
    EXPECT_FAULT(RunAlone("wrong_flag", 128, 128, seed), kRace, "of the same threadgroup");
    EXPECT_FAULT(RunAlone("barrier_too_narrow", 128, 128, seed), kRace, "'barrier_too_narrow'");
    EXPECT_NO_FAULT(RunAlone("barrier_too_narrow", 32, 128, seed));
    EXPECT_FAULT(RunAlone("no_barrier_before_load", 32, 128, seed), kRace, "");
  }
}

TEST(FaultsTest, ABarrierThatIsMissingAfterTheNumbersOfBarriersRanOut) {
  DeviceArray<float> y(128);
  KernelBench bench(kLibrary, "no_second_barrier");
  bench.Buffer(0, y);
  for (int32_t num_epochs = 1; num_epochs <= 4; ++num_epochs) {
    bench.call.num_epochs = num_epochs;
    EXPECT_FAULT(bench.Run({1, 1, 1}, {128, 1, 1}), kRace, "with no barrier between");
  }
}

TEST(FaultsTest, AMissingBarrierOfDeviceMemoryShowsAsAWrongValue) {
  DeviceArray<float> y(128, -1.0f), z(128);
  KernelBench bench(kLibrary, "no_device_barrier");
  bench.Buffer(0, y).Buffer(1, z);
  EXPECT_NO_FAULT(bench.Run({1, 1, 1}, {128, 1, 1}));
  int wrong = 0;
  for (int i = 0; i < 128; ++i) wrong += z[i] != float(127 - i);
  EXPECT_GT(wrong, 20);
}

TEST(FaultsTest, ThreadsThatDoNotMeet) {
  EXPECT_FAULT(RunAlone("barrier_for_some", 64), kDivergence, "16 of 64 threads wait at threadgroup_barrier");
  EXPECT_FAULT(RunAlone("barrier_after_return", 64), kDivergence, "63 of 64 threads wait at threadgroup_barrier");
  EXPECT_FAULT(RunAlone("two_barriers", 64), kDivergence, "while others are at threadgroup_barrier in line");
  EXPECT_FAULT(RunAlone("sum_of_some", 64), kDivergence, "16 of 32 threads wait at simd_sum");
  EXPECT_FAULT(RunAlone("lane_not_there", 20), kDivergence, "simd_shuffle");
  EXPECT_NO_FAULT(RunAlone("lane_not_there", 32));
}

TEST(FaultsTest, MatricesOfSomeLanes) {
  EXPECT_FAULT(RunAlone("matrix_of_some", 32), kDivergence,
               "different calls of matrix functions before simdgroup_barrier");
  EXPECT_FAULT(RunAlone("matrix_by_lane", 32), kDivergence,
               "different calls of matrix functions before the kernel's end");
  DeviceArray<float> y(64);
  KernelBench bench(kLibrary, "store_matrix");
  bench.Buffer(0, y).Bytes(1, 0u);
  EXPECT_FAULT(bench.Run({1, 1, 1}, {31, 1, 1}), kDivergence, "a simdgroup of 31 threads");
}

Fault LoadMatrix(size_t from, size_t to, uint32_t load_stride, uint32_t store_stride) {
  DeviceArray<uint16_t> x(from), y(to);
  KernelBench bench(kLibrary, "load_matrix");
  bench.Buffer(0, x).Buffer(1, y).Bytes(2, Uint2{load_stride, store_stride});
  return bench.Run({1, 1, 1}, {32, 1, 1});
}

TEST(FaultsTest, AMatrixThatLeavesItsMemory) {
  EXPECT_NO_FAULT(LoadMatrix(64, 64, 8, 8));
  EXPECT_NO_FAULT(LoadMatrix(7 * 20 + 8, 64, 20, 8));
  EXPECT_FAULT(LoadMatrix(7 * 20 + 7, 64, 20, 8), kOutOfBounds, "reads bytes 280 to 295");
  EXPECT_FAULT(LoadMatrix(64, 7 * 9 + 7, 8, 9), kOutOfBounds, "writes bytes 126 to 141");
}

Fault RunGroups(const char* kernel, uint32_t groups, uint32_t threads, unsigned cpu_threads) {
  DeviceArray<float> y(64);
  KernelBench bench(kLibrary, kernel);
  bench.Buffer(0, y);
  bench.call.num_cpu_threads = cpu_threads;
  return bench.Run({groups, 1, 1}, {threads, 1, 1});
}

TEST(FaultsTest, RacesBetweenThreadgroups) {
  EXPECT_NO_FAULT(RunGroups("all_write_one", 1, 1, 1));
  EXPECT_FAULT(RunGroups("all_write_one", 2, 1, 1), kRace, "writes bytes 0 and 1 of buffer 0");
  EXPECT_FAULT(RunGroups("read_neighbour", 2, 32, 1), kRace, "kernel 'read_neighbour' (dispatch 0), threadgroup");
  EXPECT_FAULT(RunGroups("read_neighbour", 64, 1, 2), kRace, "with no barrier between");
}

TEST(FaultsTest, HalvesSideBySideAreNoRace) {
  DeviceArray<uint16_t> y(16);
  KernelBench bench(kLibrary, "write_half");
  bench.Buffer(0, y);
  EXPECT_NO_FAULT(bench.Run({16, 1, 1}, {1, 1, 1}));
}

TEST(FaultsTest, MatricesOfTwoThreadgroupsOverlap) {
  DeviceArray<float> y(128);
  for (const uint32_t step : {64u, 63u}) {
    KernelBench bench(kLibrary, "store_matrix");
    bench.Buffer(0, y).Bytes(1, step);
    const Fault fault = bench.Run({2, 1, 1}, {32, 1, 1});
    EXPECT_EQ(fault.kind, step == 64 ? FaultKind::kNone : FaultKind::kRace) << fault.message;
  }
}

TEST(FaultsTest, DispatchesWithoutABarrierBetween) {
  DeviceArray<float> x(32), y(32);
  AccessRecorder recorder;
  const auto run = [&](const char* kernel, DeviceArray<float>& first, DeviceArray<float>* second, uint64_t dispatch) {
    KernelBench bench(kLibrary, kernel);
    bench.Buffer(0, first);
    if (second != nullptr) bench.Buffer(1, *second);
    bench.call.recorder = &recorder;
    bench.call.dispatch = dispatch;
    return bench.Run({1, 1, 1}, {kernel == std::string("all_write_one") ? 1u : 32u, 1, 1});
  };
  EXPECT_NO_FAULT(run("read_all", x, &y, 1));
  EXPECT_FAULT(run("all_write_one", x, nullptr, 2), kRace, "kernel 'read_all' (dispatch 1), threadgroup 0 of 1 read");
  recorder.Barrier();
  EXPECT_NO_FAULT(run("all_write_one", x, nullptr, 3));
  EXPECT_FAULT(run("read_all", x, &y, 4), kRace, "kernel 'all_write_one' (dispatch 3), threadgroup 0 of 1 wrote");
  recorder.Barrier();
  EXPECT_NO_FAULT(run("read_all", x, &y, 5));
  EXPECT_FAULT(run("read_all", x, &y, 6), kRace, "writes");  // y a second time
  recorder.Barrier();
  EXPECT_NO_FAULT(run("read_all", y, &x, 7));
}

TEST(FaultsTest, AfterAFaultTheNextDispatchRuns) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_FAULT(RunAlone("barrier_for_some", 64), kDivergence, "");
    EXPECT_NO_FAULT(RunAlone("lane_not_there", 32));
  }
}

}  // namespace
}  // namespace metal_emulator
