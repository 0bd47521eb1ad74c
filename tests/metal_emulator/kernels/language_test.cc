// The language: kernels of testdata/language.metal and what they must give.
#include <cmath>

#include "tests/metal_emulator/kernels/kernel_bench.h"
#include "tests/metal_emulator/kernels/stdlib/scalars.h"

namespace metal_emulator {
namespace {

constexpr char kLibrary[] = "metal_emulator_language_kernels";
const Size3 kOne{1, 1, 1};

struct Numbers {
  uint32_t count;
  float factor;
  int32_t offset;
};

// The results of a kernel that fills y alone.
std::vector<float> Results(KernelBench bench, uint32_t index = 0) {
  DeviceArray<float> y(32, -99.0f);
  bench.Buffer(index, y);
  EXPECT_NO_FAULT(bench.Run(kOne, kOne));
  return y.values;
}

TEST(LanguageTest, BuffersStructsAndPositions) {
  DeviceArray<float> x(10, 2.0f), y(10, -1.0f);
  KernelBench bench(kLibrary, "scale");
  bench.Buffer(0, x).Buffer(1, y).Bytes(2, Numbers{9, 1.5f, -4});
  EXPECT_NO_FAULT(bench.Run({3, 1, 1}, {4, 1, 1}));
  EXPECT_EQ(y[0], -1.0f);
  EXPECT_EQ(y[8], -1.0f);
  EXPECT_EQ(y[9], -1.0f) << "not written";
}

TEST(LanguageTest, ABufferIsSeenFromItsOffsetOn) {
  DeviceArray<float> x(10), y(10, -1.0f);
  for (int i = 0; i < 10; ++i) x[i] = float(i);
  KernelBench bench(kLibrary, "scale");
  bench.Buffer(0, x, 4).Buffer(1, y, 2).Bytes(2, Numbers{3, 1.0f, 0});
  EXPECT_NO_FAULT(bench.Run(kOne, {3, 1, 1}));
  EXPECT_EQ(y.values, (std::vector<float>{-1, -1, 4, 5, 6, -1, -1, -1, -1, -1}));
}

TEST(LanguageTest, LiteralsAreFloats) {
  const std::vector<float> y = Results(KernelBench(kLibrary, "literals"));
  EXPECT_EQ(y[0], 1.0f / 3.0f);
  EXPECT_EQ(y[1], 0.0999755859375f);
  EXPECT_EQ(y[2], 0.25f + 0.1f);
  EXPECT_EQ(y[3], 42.5f);
  EXPECT_EQ(y[4], 1.0f);
  EXPECT_EQ(y[5], 0.333251953125f);
  EXPECT_EQ(y[6], 23.0f);
}

TEST(LanguageTest, FunctionConstantsAndWhatIsMadeOfThem) {
  const uint16_t half_step = metal::half(0.1f).bits;
  KernelBench all(kLibrary, "constants");
  all.Constant(0, true).Constant(4, 5u).Constant(7, 1.25f).Constant(9, half_step);
  EXPECT_EQ(Results(std::move(all)), ([] {
              std::vector<float> y(32, -99.0f);
              y[0] = 2, y[1] = 18, y[2] = 1.25f, y[3] = 0.0999755859375f, y[4] = 55;
              return y;
            }()));
  KernelBench some(kLibrary, "constants");
  some.Constant(0, false).Constant(4, 6u).Constant(9, half_step);
  const std::vector<float> y = Results(std::move(some));
  EXPECT_EQ(y[0], 1.0f);
  EXPECT_EQ(y[2], 3.0f) << "kScale has no value";
  EXPECT_EQ(y[4], -1.0f);
}

TEST(LanguageTest, AnArgumentMayDependOnAFunctionConstant) {
  KernelBench without(kLibrary, "optional_buffer");
  without.Constant(0, false);
  EXPECT_EQ(Results(std::move(without))[0], -1.0f);
  DeviceArray<float> bias(1, 3.0f);
  KernelBench with(kLibrary, "optional_buffer");
  with.Constant(0, true).Buffer(1, bias);
  EXPECT_EQ(Results(std::move(with))[0], 4.0f);
}

TEST(LanguageTest, Pointers) {
  DeviceArray<uint16_t> x(16);
  for (int i = 0; i < 16; ++i) x[i] = metal::half(float(i) + 0.5f).bits;
  KernelBench bench(kLibrary, "pointers");
  bench.Buffer(0, x);
  const std::vector<float> y = Results(std::move(bench), 1);
  EXPECT_EQ(y[0], 1.5f);
  EXPECT_EQ(y[1], 4.5f + 5.5f + 6.5f + 7.5f);
  EXPECT_EQ(y[2], float(x[0]));
  EXPECT_EQ(y[3], 3.5f);
  EXPECT_EQ(y[4], 3.0f);
  EXPECT_EQ(y[5], 6.5f);
  EXPECT_EQ(y[6], 1.5f);
  EXPECT_EQ(y[7], 1.0f);
  EXPECT_EQ(y[8], 3.0f);
  EXPECT_EQ(y[9], 6.0f);
  EXPECT_EQ(y[10], -197.0f);
  EXPECT_EQ((std::vector<float>(y.begin() + 12, y.begin() + 20)), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 7}));
}

TEST(LanguageTest, Vectors) {
  const std::vector<float> y = Results(KernelBench(kLibrary, "vectors"));
  EXPECT_EQ(y[0], 20.0f);
  EXPECT_EQ(y[1], 30.0f);
  EXPECT_EQ(y[2], 60.0f);
  EXPECT_EQ(y[3], 60.0f);
  EXPECT_EQ(y[4], 412.0f);
  EXPECT_EQ(y[5], 1.0f);
  EXPECT_EQ(y[6], 6.0f);
  EXPECT_EQ(y[7], 25.0f + 35.0f + 2 * 5.0f - 2 * 2.0f);
  EXPECT_EQ(y[8], 43.0f);
  EXPECT_EQ(y[9], 4.0f - 20.0f);
  EXPECT_EQ(y[10], 0.0999755859375f);
}

TEST(LanguageTest, Functions) {
  const std::vector<float> y = Results(KernelBench(kLibrary, "functions"));
  EXPECT_EQ(y[0], 3.14159274f);
  EXPECT_EQ(y[1], -std::ldexp(1.0f, -24));
  EXPECT_EQ(y[2], 6.0f);
  EXPECT_FLOAT_EQ(y[3], 2.71828183f);
  EXPECT_EQ(y[4], 3.0f) << "of a number and a NaN the number";
  EXPECT_EQ(y[5], 2.0f);
  EXPECT_EQ(y[6], 4.0f);
  EXPECT_EQ(y[7], 3.5f);
  EXPECT_EQ(y[8], 4.0f + 2.0f - 1.0f + 1.0f);
  EXPECT_EQ(y[9], 0.199951171875f);
  EXPECT_EQ(y[10], 37.0f);
  EXPECT_EQ(y[11], float(0x3c00));
  EXPECT_EQ(y[12], 1.009765625f);
  EXPECT_EQ(y[13], 3.0f);
}

TEST(LanguageTest, PositionsOfAGridOfThreads) {
  const Size3 grid{7, 3, 2};
  DeviceArray<uint32_t> y(7 * 3 * 2 * 10);
  KernelBench bench(kLibrary, "positions");
  bench.Buffer(0, y);
  bench.call.grid_threads = grid;
  EXPECT_NO_FAULT(bench.Run({}, {4, 2, 2}));
  for (uint32_t z = 0; z < 2; ++z) {
    for (uint32_t row = 0; row < 3; ++row) {
      for (uint32_t x = 0; x < 7; ++x) {
        const uint32_t* seen = &y[((z * 3 + row) * 7 + x) * 10];
        const uint32_t width = x < 4 ? 4 : 3, height = row < 2 ? 2 : 1;  // of its threadgroup, which the grid cuts
        const uint32_t index = (z * height + row % 2) * width + x % 4;
        EXPECT_EQ(seen[0], x / 4 + 10 * (row / 2));
        EXPECT_EQ(seen[1], x % 4 + 10 * (row % 2) + 100 * z);
        EXPECT_EQ(seen[2], index);
        EXPECT_EQ(seen[3], width + 10 * height + 200);
        EXPECT_EQ(seen[4], 122u);
        EXPECT_EQ(seen[5], index % 32);
        EXPECT_EQ(seen[6], index / 32);
        EXPECT_EQ(seen[7], (width * height * 2 + 31) / 32);
        EXPECT_EQ(seen[8], 7u);
        EXPECT_EQ(seen[9], 32u);
      }
    }
  }
}

TEST(LanguageTest, AtomicsCountWhateverTheOrder) {
  DeviceArray<uint32_t> counters(5), x(1000);
  for (uint32_t i = 0; i < 1000; ++i) x[i] = i % 7 % 4;
  KernelBench bench(kLibrary, "count");
  bench.Buffer(0, counters).Buffer(1, x);
  bench.call.num_cpu_threads = 4;
  EXPECT_NO_FAULT(bench.Run({20, 1, 1}, {50, 1, 1}));
  EXPECT_EQ(counters.values, (std::vector<uint32_t>{286, 286, 285, 143, 3}));
}

}  // namespace
}  // namespace metal_emulator
