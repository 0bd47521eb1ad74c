// Where threads meet: barriers, functions of the simdgroup, matrices, and that no order of threads shows in results.
#include <chrono>
#include <cmath>
#include <cstdio>

#include "tests/metal_emulator/kernels/kernel_bench.h"
#include "tests/metal_emulator/kernels/stdlib/scalars.h"

namespace metal_emulator {
namespace {

constexpr char kLibrary[] = "metal_emulator_group_kernels";

TEST(GroupsTest, BarriersAreMeetingPointsInEveryOrder) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    DeviceArray<float> y(3 * 200);
    for (size_t i = 0; i < y.values.size(); ++i) y[i] = float(i);
    KernelBench bench(kLibrary, "reverse");
    bench.Buffer(0, y);
    bench.call.seed = seed;
    bench.call.num_cpu_threads = 2;
    EXPECT_NO_FAULT(bench.Run({3, 1, 1}, {200, 1, 1}));
    for (size_t i = 0; i < y.values.size(); ++i) ASSERT_EQ(y[i], float(i / 200 * 200 + 199 - i % 200)) << seed;
  }
}

TEST(GroupsTest, ThreadgroupMemoryOfEveryShape) {
  DeviceArray<float> y(32);
  KernelBench bench(kLibrary, "shapes");
  bench.Buffer(0, y).Lend(1, 32 * sizeof(float));
  EXPECT_FAULT(bench.Run({2, 1, 1}, {32, 1, 1}), kRace, "buffer 0");  // both groups write y
  EXPECT_NO_FAULT(bench.Run({1, 1, 1}, {32, 1, 1}));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(y[i], 4 * 496.0f + 32 * 6 + 4 * float(31 - i) + 6);
}

TEST(GroupsTest, ThreadgroupMemoryBeginsAsNotANumber) {
  DeviceArray<float> y(32);
  KernelBench bench(kLibrary, "unwritten");
  bench.Buffer(0, y);
  EXPECT_NO_FAULT(bench.Run({1, 1, 1}, {32, 1, 1}));
  for (const float value : y.values) EXPECT_TRUE(std::isnan(value));
}

TEST(GroupsTest, SimdgroupFunctions) {
  const uint32_t n = 64;
  DeviceArray<float> y(10 * n);
  KernelBench bench(kLibrary, "simd_functions");
  bench.Buffer(0, y);
  EXPECT_NO_FAULT(bench.Run({1, 1, 1}, {n, 1, 1}));
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t lane = i % 32, first = i - lane;
    EXPECT_EQ(y[i], float(first * 32 + 496));
    EXPECT_EQ(y[n + i], 31.0f);
    EXPECT_EQ(y[2 * n + i], float(i ^ 1));
    EXPECT_EQ(y[3 * n + i], float(lane + 3 < 32 ? i + 3 : i));
    EXPECT_EQ(y[4 * n + i], float(lane >= 3 ? i - 3 : i));
    EXPECT_EQ(y[5 * n + i], float(2 * first + 5));
    EXPECT_EQ(y[6 * n + i], float(i ^ 16));
    EXPECT_EQ(y[7 * n + i], 3.0f);
    EXPECT_EQ(y[8 * n + i], float(first * 32 + 496 + 96));
    EXPECT_EQ(y[9 * n + i], 496.0f);
  }
}

TEST(GroupsTest, ALastSimdgroupMayHaveFewerLanes) {
  const uint32_t n = 40;
  DeviceArray<float> y(10 * n);
  KernelBench bench(kLibrary, "simd_functions");
  bench.Buffer(0, y);
  EXPECT_FAULT(bench.Run({1, 1, 1}, {n, 1, 1}), kDivergence, "which is not there");  // simd_shuffle_xor by 16
  EXPECT_EQ(y[39], 32 * 8 + 28.0f);
  EXPECT_EQ(y[n + 39], 7.0f);
}

TEST(GroupsTest, SimdgroupsWaitForThemselvesOnly) {
  DeviceArray<uint32_t> y(128);
  KernelBench bench(kLibrary, "rounds");
  bench.Buffer(0, y);
  EXPECT_NO_FAULT(bench.Run({1, 1, 1}, {128, 1, 1}));
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(y[i], (i % 32 + i / 32 + 1) % 32);
}

float Factor(uint32_t i) { return float(i * 7 % 13) / 8.0f - 0.75f; }

template <class T>
void CheckProduct(const char* kernel, uint32_t m, uint32_t k, uint32_t n, T (*make)(float), Size3 threads,
                  uint32_t tile) {
  DeviceArray<T> a(m * k), b(k * n);
  DeviceArray<float> c(m * n, -1.0f);
  for (uint32_t i = 0; i < m * k; ++i) a[i] = make(Factor(i));
  for (uint32_t i = 0; i < k * n; ++i) b[i] = make(Factor(i + 5));
  KernelBench bench(kLibrary, kernel);
  bench.Buffer(0, a).Buffer(1, b).Buffer(2, c).Bytes(3, k);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NO_FAULT(bench.Run({n / tile, m / tile, 1}, threads));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%s %ux%ux%u: %.3f GMAC/s\n", kernel, m, k, n, double(m) * k * n / seconds / 1e9);
  for (uint32_t row = 0; row < m; ++row) {
    for (uint32_t column = 0; column < n; ++column) {
      float sum = 0.0f;  // exact: eighths, and few of them
      for (uint32_t i = 0; i < k; ++i) sum += Factor(row * k + i) * Factor(i * n + column + 5);
      ASSERT_EQ(c[row * n + column], sum) << kernel << " " << row << " " << column;
    }
  }
}

TEST(GroupsTest, ProductsOfMatrices) {
  const auto as_half = [](float v) { return metal::half(v).bits; };
  const auto as_float = [](float v) { return v; };
  CheckProduct<uint16_t>("multiply_half", 16, 24, 40, as_half, {32, 1, 1}, 8);
  CheckProduct<float>("multiply_float", 8, 8, 8, as_float, {32, 1, 1}, 8);
  CheckProduct<float>("multiply_float", 24, 40, 16, as_float, {32, 1, 1}, 8);
  CheckProduct<float>("staged_multiply", 32, 40, 48, as_float, {128, 1, 1}, 16);
  CheckProduct<uint16_t>("tiled_multiply", 256, 256, 128, as_half, {128, 1, 1}, 64);
}

TEST(GroupsTest, MatricesTransposedMovedAndRounded) {
  DeviceArray<uint16_t> x(16 * 16), y(4 * 64);
  for (uint32_t i = 0; i < 256; ++i) x[i] = metal::half(float(i)).bits;
  KernelBench bench(kLibrary, "matrix_edges");
  bench.Buffer(0, x).Buffer(1, y);
  EXPECT_NO_FAULT(bench.Run({1, 1, 1}, {32, 1, 1}));
  const auto value = [&](uint32_t i) {
    metal::half h;
    h.bits = y[i];
    return float(h);
  };
  for (uint32_t r = 0; r < 8; ++r) {
    for (uint32_t c = 0; c < 8; ++c) {
      EXPECT_EQ(value(r * 8 + c), float(c * 8 + r)) << "loaded transposed";
      EXPECT_EQ(value(64 + c * 8 + r), float((r + 1) * 16 + 8 + c)) << "from an origin, stored transposed";
      EXPECT_EQ(value(128 + r * 8 + c), 2.0f * float(c * 8 + r));
      EXPECT_EQ(value(192 + r * 8 + c), 2048.0f);
    }
  }
}

// Whichever barrier it is at which the numbers begin anew, while the other simdgroups are anywhere.
TEST(GroupsTest, NumbersOfBarriersMayRunOutAmidAGroup) {
  for (int32_t num_epochs = 1; num_epochs <= 24; ++num_epochs) {
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(std::to_string(num_epochs) + " numbers, seed " + std::to_string(seed));
      DeviceArray<uint32_t> y(128);
      KernelBench bench(kLibrary, "rounds");
      bench.Buffer(0, y);
      bench.call.num_epochs = num_epochs;
      bench.call.seed = seed;
      EXPECT_NO_FAULT(bench.Run({1, 1, 1}, {128, 1, 1}));
      for (uint32_t i = 0; i < 128; ++i) ASSERT_EQ(y[i], (i + i / 32 + 1) % 32);
    }
  }
}

TEST(GroupsTest, TheSameBytesWhateverTheSeedAndTheThreads) {
  std::vector<float> first;
  for (const uint64_t seed : {1u, 2u, 3u}) {
    for (const unsigned threads : {1u, 3u}) {
      DeviceArray<float> a(32 * 40), b(40 * 32), c(32 * 32);
      for (size_t i = 0; i < a.values.size(); ++i) a[i] = 1.0f / float(i + 1);
      for (size_t i = 0; i < b.values.size(); ++i) b[i] = 1.0f / float(i + 7);
      KernelBench bench(kLibrary, "staged_multiply");
      bench.Buffer(0, a).Buffer(1, b).Buffer(2, c).Bytes(3, 40u);
      bench.call.seed = seed;
      bench.call.num_cpu_threads = threads;
      EXPECT_NO_FAULT(bench.Run({2, 2, 1}, {128, 1, 1}));
      if (first.empty()) first = c.values;
      EXPECT_EQ(c.values, first);
    }
  }
}

}  // namespace
}  // namespace metal_emulator
