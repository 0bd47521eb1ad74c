// Each layout against the index that its step's contract gives.
#include "planner/pack.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/bf16.h"
#include "base/f16.h"

namespace inkread {
namespace {

Tensor Counted(Dims dims) {
  int64_t count = 1;
  for (int64_t d : dims) count *= d;
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i + 1));
  return Tensor::FromFloats(std::move(dims), std::move(values));
}

const float* Packed(const AlignedBuffer& block, uint64_t offset) {
  return reinterpret_cast<const float*>(block.data() + offset);
}

TEST(WeightPackerTest, EachLayoutIsItsContracts) {
  constexpr int64_t kOc = 5, kIc = 3, kKh = 2, kKw = 3, kPanel = 4;
  constexpr PanelForm kForm{kPanel, INKREAD_WEIGHTS_F32};
  const Tensor conv = Counted({kOc, kIc, kKh, kKw}), matmul = Counted({kIc, kOc});
  const Tensor transposed = Counted({kIc, kOc, kKh, kKw}), depthwise = Counted({kOc, 1, kKh, kKw});
  const Tensor pointwise = Counted({kOc, kIc, 1, 1}), bias = Counted({kOc});
  WeightPacker packer;
  const uint64_t at_conv = packer.AddConv(conv, kForm), at_matmul = packer.AddMatMul(matmul, kForm);
  const uint64_t at_transposed = packer.AddConvTranspose(transposed, kForm);
  const uint64_t at_depthwise = packer.AddDepthwise(depthwise), at_pointwise = packer.AddPointwiseTransposed(pointwise);
  const uint64_t at_repeated = packer.AddRepeated(bias, 6, kPanel), at_plain = packer.AddPlain(bias, 8);
  const uint64_t at_ones = packer.AddOnes(3), at_zeros = packer.AddZeros(3);
  for (uint64_t at :
       {at_conv, at_matmul, at_transposed, at_depthwise, at_pointwise, at_repeated, at_plain, at_ones, at_zeros})
    EXPECT_EQ(at % 64, 0u);
  const auto block = packer.Pack(128);
  ASSERT_TRUE(block.ok());
  ASSERT_GE(block->size_bytes(), packer.size_bytes() + 128);

  for (int64_t o = 0; o < 8; ++o) {
    for (int64_t i = 0; i < kIc; ++i) {
      EXPECT_EQ(Packed(*block, at_matmul)[(o / kPanel * kIc + i) * kPanel + o % kPanel],
                o < kOc ? matmul.floats[i * kOc + o] : 0);
      if (o < kOc) {
        EXPECT_EQ(Packed(*block, at_pointwise)[i * kOc + o], pointwise.floats[o * kIc + i]);
      }
      for (int64_t ky = 0; ky < kKh; ++ky) {
        for (int64_t kx = 0; kx < kKw; ++kx) {
          const int64_t row = (ky * kKw + kx) * kIc + i, rows = kKh * kKw * kIc;
          EXPECT_EQ(Packed(*block, at_conv)[(o / kPanel * rows + row) * kPanel + o % kPanel],
                    o < kOc ? conv.floats[((o * kIc + i) * kKh + ky) * kKw + kx] : 0);
          if (o >= kOc) continue;
          const int64_t column = (ky * kKw + kx) * kOc + o;
          EXPECT_EQ(Packed(*block, at_transposed)[(column / kPanel * kIc + i) * kPanel + column % kPanel],
                    transposed.floats[((i * kOc + o) * kKh + ky) * kKw + kx]);
          EXPECT_EQ(Packed(*block, at_depthwise)[(ky * kKw + kx) * kOc + o],
                    depthwise.floats[(o * kKh + ky) * kKw + kx]);
        }
      }
    }
  }
  for (int64_t i = 0; i < 32; ++i) EXPECT_EQ(Packed(*block, at_repeated)[i], i < 30 ? bias.floats[i % kOc] : 0);
  for (int64_t i = 0; i < 8; ++i) EXPECT_EQ(Packed(*block, at_plain)[i], i < kOc ? bias.floats[i] : 0);
  for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(Packed(*block, at_ones)[i], 1);
  for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(Packed(*block, at_zeros)[i], 0);
  for (uint64_t i = packer.size_bytes(); i < packer.size_bytes() + 128; ++i) EXPECT_EQ(block->data()[i], std::byte{0});
}

// Each half of each word of the bf16 forms, those that no weight has included.
TEST(WeightPackerTest, ABiasThatIsLeftOutIsZeros) {
  const Tensor bias = Counted({5});
  WeightPacker packer;
  const uint64_t at_bias = packer.AddBias(&bias, 5, 2, 4), at_none = packer.AddBias(nullptr, 5, 2, 4);
  const auto block = packer.Pack(0);
  ASSERT_TRUE(block.ok());
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(Packed(*block, at_bias)[i], i < 10 ? bias.floats[i % 5] : 0);
    EXPECT_EQ(Packed(*block, at_none)[i], 0);
  }
}

TEST(WeightPackerTest, PairsOfBf16AreTheirContracts) {
  constexpr int64_t kOc = 5, kIc = 3, kKh = 2, kKw = 9, kPanel = 4;
  constexpr PanelForm kForm{kPanel, INKREAD_WEIGHTS_BF16};
  const Tensor conv = Counted({kOc, kIc, kKh, kKw}), matmul = Counted({kIc, kOc});
  const Tensor transposed = Counted({kIc, 2, kKh, 1});
  WeightPacker packer;
  const uint64_t at_conv = packer.AddConv(conv, kForm), at_matmul = packer.AddMatMul(matmul, kForm);
  const uint64_t at_transposed = packer.AddConvTranspose(transposed, kForm), end = packer.size_bytes();
  const auto block = packer.Pack(0);
  ASSERT_TRUE(block.ok());
  // Half `half` of word `row` of a column, in blocks of `rows` words a row of the window.
  const auto at = [&](uint64_t offset, int64_t column, int64_t blocks, int64_t rows, int64_t row, int64_t half) {
    uint16_t value;
    const int64_t word = (column / kPanel * blocks * rows + row) * kPanel + column % kPanel;
    std::memcpy(&value, block->data() + offset + word * 4 + half * 2, sizeof(value));
    return FromBf16(value);
  };
  constexpr int64_t kConvRows = 32, kRows = 16;  // 9 * 2 pairs and 2 pairs, in whole sixteens
  EXPECT_EQ(at_matmul - at_conv, static_cast<uint64_t>(8 * kKh * kConvRows * 4));
  EXPECT_EQ(at_transposed - at_matmul, static_cast<uint64_t>(8 * kRows * 4));
  EXPECT_EQ(end - at_transposed, static_cast<uint64_t>(4 * kRows * 4));
  for (int64_t o = 0; o < 8; ++o) {
    for (int64_t half : {0, 1}) {
      for (int64_t row = 0; row < kKh * kConvRows; ++row) {
        const int64_t ky = row / kConvRows, kx = row % kConvRows / 2, i = row % 2 * 2 + half;
        const bool is_weight = o < kOc && kx < kKw && i < kIc;
        EXPECT_EQ(at(at_conv, o, kKh, kConvRows, row, half),
                  is_weight ? RoundToBf16(conv.floats[((o * kIc + i) * kKh + ky) * kKw + kx]) : 0);
      }
      for (int64_t row = 0; row < kRows; ++row) {
        const int64_t i = row * 2 + half;
        EXPECT_EQ(at(at_matmul, o, 1, kRows, row, half),
                  o < kOc && i < kIc ? RoundToBf16(matmul.floats[i * kOc + o]) : 0);
        if (o >= 4) continue;  // the transposed one's columns, (ky, o)
        EXPECT_EQ(at(at_transposed, o, 1, kRows, row, half),
                  i < kIc ? RoundToBf16(transposed.floats[(i * 2 + o % 2) * kKh + o / 2]) : 0);
      }
    }
  }
}

TEST(WeightPackerTest, HalvesLieAsFloatsWould) {
  constexpr int64_t kPanel = 4;
  const Tensor conv = Counted({5, 3, 2, 3});
  WeightPacker floats, halves;
  const uint64_t at_float = floats.AddConv(conv, {kPanel, INKREAD_WEIGHTS_F32});
  const uint64_t at_half = halves.AddConv(conv, {kPanel, INKREAD_WEIGHTS_F16});
  const auto wide = floats.Pack(0), narrow = halves.Pack(0);
  ASSERT_TRUE(wide.ok() && narrow.ok());
  EXPECT_EQ(halves.size_bytes(), 320u);  // 8 columns of 18 in 16 bits, in whole 64 bytes
  for (uint64_t i = 0; i < 8 * 18; ++i) {
    uint16_t value;
    std::memcpy(&value, narrow->data() + at_half + i * sizeof(value), sizeof(value));
    EXPECT_EQ(FromF16(value), RoundToF16(Packed(*wide, at_float)[i])) << i;
  }
}

}  // namespace
}  // namespace inkread
