// Inner loop of the warp. A vector holds two source pixels as pairs of 16-bit values, or the three sums of a pixel.
#include "image/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "image/warp_rows.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include <algorithm>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace inkread {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kWeightBits = 15;

#if HWY_TARGET == HWY_SCALAR

void WarpPixelsOf(const WarpTap* taps, size_t n, ptrdiff_t stride_bytes, bool has_four_bytes, bool swapped,
                  uint8_t* to) {
  const int pixel_bytes = has_four_bytes ? 4 : 3;
  for (size_t i = 0; i < n; ++i, to += 3) {
    for (int c = 0; c < 3; ++c) {
      int sum = 1 << (kWeightBits - 1);
      for (int k = 0; k < 16; ++k) {
        const uint8_t* pixel = taps[i].from + k / 4 * stride_bytes + k % 4 * pixel_bytes;
        sum += pixel[swapped ? 2 - c : c] * taps[i].weights[k];
      }
      to[c] = static_cast<uint8_t>(std::clamp(sum >> kWeightBits, 0, 255));
    }
  }
}

#else

using D8 = hn::FixedTag<uint8_t, 16>;
using D16 = hn::Repartition<int16_t, D8>;
using D32 = hn::Repartition<int32_t, D8>;

// Shuffle indices that spread two neighbouring pixels into pairs of 16-bit values, one pair per channel.
class PairBytes {
 public:
  PairBytes(int pixel_bytes, int first, bool swapped) {
    constexpr uint8_t kZero = 0x80;
    for (int i = 0; i < 16; ++i) bytes_[i] = kZero;
    for (int c = 0; c < 3; ++c) {
      const int channel = swapped ? 2 - c : c;
      bytes_[4 * c] = static_cast<uint8_t>(first * pixel_bytes + channel);
      bytes_[4 * c + 2] = static_cast<uint8_t>((first + 1) * pixel_bytes + channel);
    }
  }
  hn::Vec<D8> Load() const { return hn::Load(D8(), bytes_); }

 private:
  HWY_ALIGN uint8_t bytes_[16];
};

HWY_INLINE hn::Vec<D16> TwoWeights(const int16_t* weights) {
  int32_t both;
  std::memcpy(&both, weights, sizeof(both));
  return hn::BitCast(D16(), hn::Set(D32(), both));
}

void WarpPixelsOf(const WarpTap* taps, size_t n, ptrdiff_t stride_bytes, bool has_four_bytes, bool swapped,
                  uint8_t* to) {
  const int pixel_bytes = has_four_bytes ? 4 : 3;
  const auto left = PairBytes(pixel_bytes, 0, swapped).Load(), right = PairBytes(pixel_bytes, 2, swapped).Load();
  const auto half = hn::Set(D32(), 1 << (kWeightBits - 1));
  for (size_t i = 0; i < n; ++i, to += 3) {
    const uint8_t* from = taps[i].from;
    const int16_t* weights = taps[i].weights;
    auto even = hn::Zero(D32()), odd = hn::Zero(D32());
    for (int row = 0; row < 4; ++row, from += stride_bytes, weights += 4) {
      const auto pixels = hn::LoadU(D8(), from);
      const auto first = hn::BitCast(D16(), hn::TableLookupBytesOr0(pixels, left));
      const auto last = hn::BitCast(D16(), hn::TableLookupBytesOr0(pixels, right));
      even = hn::ReorderWidenMulAccumulate(D32(), first, TwoWeights(weights), even, odd);
      even = hn::ReorderWidenMulAccumulate(D32(), last, TwoWeights(weights + 2), even, odd);
    }
    const auto sums = hn::ShiftRight<kWeightBits>(hn::Add(hn::RearrangeToOddPlusEven(even, odd), half));
    const hn::Rebind<uint8_t, D32> d4;
    HWY_ALIGN uint8_t bytes[16];
    hn::Store(hn::DemoteTo(d4, sums), d4, bytes);
    std::memcpy(to, bytes, 3);
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace inkread
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread {

HWY_EXPORT(WarpPixelsOf);
void WarpPixels(const WarpTap* taps, size_t n, ptrdiff_t stride_bytes, bool has_four_bytes, bool swapped, uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(WarpPixelsOf)(taps, n, stride_bytes, has_four_bytes, swapped, to);
}

}  // namespace inkread
#endif
