// Homography, cubic tables and the bicubic warp.
#include "image/warp.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "image/rows.h"

namespace inkread {
namespace {

constexpr int kFractionBits = 5;  // positions are in 1/32 px
constexpr int kFractions = 1 << kFractionBits;
constexpr int kWeightBits = 15;

// Solves a x = b by LU with partial pivoting, in the order of operations of OpenCV's solver; x replaces b. False if a
// is singular.
bool Solve(double (&a)[8][8], double (&b)[8]) {
  constexpr int n = 8;
  for (int i = 0; i < n; ++i) {
    int pivot = i;
    for (int j = i + 1; j < n; ++j) {
      if (std::fabs(a[j][i]) > std::fabs(a[pivot][i])) pivot = j;
    }
    if (std::fabs(a[pivot][i]) < std::numeric_limits<double>::epsilon() * 100) return false;
    if (pivot != i) {
      std::swap(a[i], a[pivot]);
      std::swap(b[i], b[pivot]);
    }
    const double d = -1 / a[i][i];
    for (int j = i + 1; j < n; ++j) {
      const double alpha = a[j][i] * d;
      for (int k = i + 1; k < n; ++k) a[j][k] += alpha * a[i][k];
      b[j] += alpha * b[i];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = i + 1; k < n; ++k) sum -= a[i][k] * b[k];
    b[i] = sum / a[i][i];
  }
  return true;
}

// The inverse by the adjugate; all zero if m is singular.
Homography Inverse(const Homography& m) {
  const double determinant =
      m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  if (determinant == 0) return {};
  const double d = 1.0 / determinant;
  return {(m[4] * m[8] - m[5] * m[7]) * d, (m[2] * m[7] - m[1] * m[8]) * d, (m[1] * m[5] - m[2] * m[4]) * d,
          (m[5] * m[6] - m[3] * m[8]) * d, (m[0] * m[8] - m[2] * m[6]) * d, (m[2] * m[3] - m[0] * m[5]) * d,
          (m[3] * m[7] - m[4] * m[6]) * d, (m[1] * m[6] - m[0] * m[7]) * d, (m[0] * m[4] - m[1] * m[3]) * d};
}

// The weights of 4 x 4 neighbours for each pair of fractions; the sum of the 16 weights is 2^15.
struct CubicTables {
  int16_t weights[kFractions][kFractions][16];  // [fraction of y][fraction of x]
};

std::array<float, 4> CubicWeights(float t) {
  constexpr float a = -0.75f;
  std::array<float, 4> w;
  w[0] = ((a * (t + 1) - 5 * a) * (t + 1) + 8 * a) * (t + 1) - 4 * a;
  w[1] = ((a + 2) * t - (a + 3)) * t * t + 1;
  w[2] = ((a + 2) * (1 - t) - (a + 3)) * (1 - t) * (1 - t) + 1;
  w[3] = 1.0f - w[0] - w[1] - w[2];
  return w;
}

std::unique_ptr<CubicTables> MakeCubicTables() {
  constexpr int kSum = 1 << kWeightBits;
  auto tables = std::make_unique<CubicTables>();
  for (int fy = 0; fy < kFractions; ++fy) {
    const std::array<float, 4> wy = CubicWeights(static_cast<float>(fy) * (1.0f / kFractions));
    for (int fx = 0; fx < kFractions; ++fx) {
      const std::array<float, 4> wx = CubicWeights(static_cast<float>(fx) * (1.0f / kFractions));
      int16_t* w = tables->weights[fy][fx];
      int sum = 0;
      for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) {
          // At integer positions one weight would be 2^15 and saturates to 2^15 - 1. The correction below adds the
          // missing 1 to a neighbour, which cannot change the rounded result.
          w[r * 4 + c] = static_cast<int16_t>(std::min(std::lrint(wy[r] * wx[c] * kSum), long{INT16_MAX}));
          sum += w[r * 4 + c];
        }
      }
      // The rounding error of the sum is corrected in one of the four weights at the lower right.
      int smallest = 10, largest = 10;
      for (int i : {10, 11, 14, 15}) {
        if (w[i] < w[smallest]) {
          smallest = i;
        } else if (w[i] > w[largest]) {
          largest = i;
        }
      }
      int16_t* corrected = &w[sum < kSum ? largest : smallest];
      *corrected = static_cast<int16_t>(*corrected + kSum - sum);
    }
  }
  return tables;
}

const CubicTables& Tables() {
  static const std::unique_ptr<const CubicTables> tables = MakeCubicTables();
  return *tables;
}

// Rounds half to even and saturates to int. Adding 1.5 * 2^52 leaves the rounded integer in the low bits of the sum.
int RoundToInt(double v) {
  v = std::max(-2147483648.0, std::min(2147483647.0, v));
  return static_cast<int>(std::bit_cast<int64_t>(v + 6755399441055744.0));
}

// The source positions of the pixels of a target row, in 1/32 px.
class RowPositions {
 public:
  RowPositions(const Homography& m, int width, int height) : m_(m), x_(width), y_(width) {
    // OpenCV works in blocks of at most 1024 pixels and computes x relative to the left edge of a block.
    constexpr int kBlock = 32;
    block_width_ = std::min(kBlock * kBlock / std::min(kBlock / 2, height), width);
  }

  void SetRow(int y) {
    const int width = static_cast<int>(x_.size());
    for (int x0 = 0; x0 < width; x0 += block_width_) {
      const double left_x = m_[0] * x0 + m_[1] * y + m_[2];
      const double left_y = m_[3] * x0 + m_[4] * y + m_[5];
      const double left_w = m_[6] * x0 + m_[7] * y + m_[8];
      const int n = std::min(block_width_, width - x0);
      int* out_x = x_.data() + x0;
      int* out_y = y_.data() + x0;
      for (int x = 0; x < n; ++x) {
        const double w = left_w + m_[6] * x;
        const double q = w != 0 ? kFractions / w : 0;
        out_x[x] = RoundToInt((left_x + m_[0] * x) * q);
        out_y[x] = RoundToInt((left_y + m_[3] * x) * q);
      }
    }
  }

  int x(int i) const { return x_[i]; }
  int y(int i) const { return y_[i]; }

 private:
  const Homography m_;
  int block_width_;
  std::vector<int> x_, y_;
};

uint8_t ToByte(int sum) {
  return static_cast<uint8_t>(std::clamp((sum + (1 << (kWeightBits - 1))) >> kWeightBits, 0, 255));
}

template <typename L>
void PixelInside(const uint8_t* p, ptrdiff_t stride, const int16_t* w, uint8_t* out) {
  int b = 0, g = 0, r = 0;
  for (int i = 0; i < 4; ++i, p += stride, w += 4) {
    b += p[L::b] * w[0] + p[L::bytes + L::b] * w[1] + p[2 * L::bytes + L::b] * w[2] + p[3 * L::bytes + L::b] * w[3];
    if constexpr (L::bytes > 1) {
      g += p[L::g] * w[0] + p[L::bytes + L::g] * w[1] + p[2 * L::bytes + L::g] * w[2] + p[3 * L::bytes + L::g] * w[3];
      r += p[L::r] * w[0] + p[L::bytes + L::r] * w[1] + p[2 * L::bytes + L::r] * w[2] + p[3 * L::bytes + L::r] * w[3];
    }
  }
  out[0] = ToByte(b);
  out[1] = L::bytes > 1 ? ToByte(g) : out[0];
  out[2] = L::bytes > 1 ? ToByte(r) : out[0];
}

// (x, y) is the top left of the 4 x 4 neighbours; any of them may be outside the image.
template <typename L>
void PixelAtEdge(const ImageView& source, int64_t x, int64_t y, const int16_t* w, uint8_t* out) {
  int b = 0, g = 0, r = 0;
  for (int i = 0; i < 4; ++i) {
    const uint8_t* row = source.row(static_cast<int>(std::clamp<int64_t>(y + i, 0, source.height_px - 1)));
    for (int j = 0; j < 4; ++j, ++w) {
      const uint8_t* p = row + std::clamp<int64_t>(x + j, 0, source.width_px - 1) * L::bytes;
      b += p[L::b] * *w;
      g += p[L::g] * *w;
      r += p[L::r] * *w;
    }
  }
  out[0] = ToByte(b);
  out[1] = ToByte(g);
  out[2] = ToByte(r);
}

bool IsWhole(float v) { return v == std::floor(v); }

// True if the quad is an upright block of width x height whole pixels inside the image.
bool IsUprightBlock(const ImageView& source, const QuadF& quad, int width, int height) {
  const auto [x, y] = quad[0];
  const float right = x + static_cast<float>(width), bottom = y + static_cast<float>(height);
  return IsWhole(x) && IsWhole(y) && x >= 0 && y >= 0 && right <= static_cast<float>(source.width_px) &&
         bottom <= static_cast<float>(source.height_px) && quad[1] == PointF{right, y} &&
         quad[2] == PointF{right, bottom} && quad[3] == PointF{x, bottom};
}

}  // namespace

Homography TargetToSource(const QuadF& quad, int width, int height) {
  const float w = static_cast<float>(width), h = static_cast<float>(height);
  const QuadF target = {PointF{0, 0}, PointF{w, 0}, PointF{w, h}, PointF{0, h}};
  double a[8][8] = {};
  double b[8] = {};
  for (int i = 0; i < 4; ++i) {
    const PointF s = quad[i], t = target[i];
    a[i][0] = a[i + 4][3] = s.x;
    a[i][1] = a[i + 4][4] = s.y;
    a[i][2] = a[i + 4][5] = 1;
    // The products are computed in float, as in OpenCV.
    a[i][6] = -s.x * t.x;
    a[i][7] = -s.y * t.x;
    a[i + 4][6] = -s.x * t.y;
    a[i + 4][7] = -s.y * t.y;
    b[i] = t.x;
    b[i + 4] = t.y;
  }
  if (!Solve(a, b)) return {};
  return Inverse({b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], 1.0});
}

std::span<const int16_t> CubicWarpWeights() {
  return {&Tables().weights[0][0][0], sizeof(CubicTables) / sizeof(int16_t)};
}

void WarpRows(const ImageView& source, const Homography& target_to_source, int width, int height, int row_begin,
              int row_end, uint8_t* out) {
  const CubicTables& tables = Tables();
  RowPositions positions(target_to_source, width, height);
  std::vector<WarpTap> taps(width);
  WithLayout(source.format, [&](auto layout) {
    using L = decltype(layout);
    // WarpPixels reads 16 bytes of a row for each tap. It does not support grey images.
    constexpr int kVectorPixels = (16 + L::bytes - 1) / L::bytes;
    for (int y = row_begin; y < row_end; ++y) {
      positions.SetRow(y);
      uint8_t* to = out + static_cast<ptrdiff_t>(y) * width * 3;
      size_t num_taps = 0;  // number of collected taps, for the pixels just before x
      const auto flush_taps = [&](int x) {
        uint8_t* first = to + (x - static_cast<ptrdiff_t>(num_taps)) * 3;
        if (num_taps > 0) WarpPixels(taps.data(), num_taps, source.stride_bytes, L::bytes == 4, L::b == 2, first);
        num_taps = 0;
      };
      for (int x = 0; x < width; ++x) {
        const int px = positions.x(x), py = positions.y(x);
        const int16_t* w = tables.weights[py & (kFractions - 1)][px & (kFractions - 1)];
        const int sx = (px >> kFractionBits) - 1, sy = (py >> kFractionBits) - 1;
        const bool is_inside = sx >= 0 && sy >= 0 && sx + 4 <= source.width_px && sy + 4 <= source.height_px;
        const uint8_t* from = is_inside ? source.row(sy) + static_cast<ptrdiff_t>(sx) * L::bytes : nullptr;
        if (L::bytes > 1 && is_inside && sx + kVectorPixels <= source.width_px) {
          taps[num_taps++] = {from, w};
          continue;
        }
        flush_taps(x);
        if (is_inside) {
          PixelInside<L>(from, source.stride_bytes, w, to + x * 3);
        } else {
          PixelAtEdge<L>(source, sx, sy, w, to + x * 3);
        }
      }
      flush_taps(width);
    }
  });
}

BgrImage WarpQuad(const ImageView& source, const QuadF& quad, int width, int height) {
  BgrImage out(width, height);
  if (IsUprightBlock(source, quad, width, height)) {
    CopyBgr(source, static_cast<int>(quad[0].x), static_cast<int>(quad[0].y), width, height, out.pixels.data(),
            static_cast<ptrdiff_t>(width) * 3);
  } else {
    WarpRows(source, TargetToSource(quad, width, height), width, height, 0, height, out.pixels.data());
  }
  return out;
}

BgrImage WarpQuadSlowly(const ImageView& source, const QuadF& quad, int width, int height) {
  return WarpSlowly(source, TargetToSource(quad, width, height), width, height);
}

BgrImage WarpSlowly(const ImageView& source, const Homography& m, int width, int height) {
  BgrImage out(width, height);
  RowPositions positions(m, width, height);
  WithLayout(source.format, [&](auto layout) {
    for (int y = 0; y < height; ++y) {
      positions.SetRow(y);
      for (int x = 0; x < width; ++x) {
        const int px = positions.x(x), py = positions.y(x);
        PixelAtEdge<decltype(layout)>(source, (px >> kFractionBits) - 1, (py >> kFractionBits) - 1,
                                      Tables().weights[py & (kFractions - 1)][px & (kFractions - 1)],
                                      out.row(y) + x * 3);
      }
    }
  });
  return out;
}

}  // namespace inkread
