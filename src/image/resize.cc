// Bilinear resize: taps, the scalar reference, and a pass that resizes and normalises rows.
#include "image/resize.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "base/round.h"
#include "image/rows.h"

namespace inkread {
namespace {

constexpr float kOne = 2048;  // sum of the weights of a pair of taps, up to rounding

// Position of target pixel i of n in the source: index (may be -1) and fraction, computed as in OpenCV.
struct Position {
  int index;
  float fraction;
};

Position PositionOf(int i, int n, int source_n) {
  const double scale = 1.0 / (static_cast<double>(n) / source_n);
  const float at = static_cast<float>((i + 0.5) * scale - 0.5);
  const float floor = std::floor(at);
  return {static_cast<int>(floor), at - floor};
}

int16_t WeightOf(float share) { return static_cast<int16_t>(std::lrint(share * kOne)); }

}  // namespace

ResizePlan::ResizePlan(int source_width, int source_height, int width, int height)
    : source_width_(source_width), source_height_(source_height), width_(width), height_(height) {
  INKREAD_CHECK(source_width >= 1 && source_height >= 1 && width >= 1 && height >= 1);
  if (source_width == width && source_height == height) {
    kind_ = Kind::kCopy;
    return;
  }
  if (source_width == 2 * width && source_height == 2 * height) {
    kind_ = Kind::kHalf;
    return;
  }
  kind_ = Kind::kBilinear;
  columns_.reserve(width);
  for (int i = 0; i < width; ++i) {
    auto [k, f] = PositionOf(i, width, source_width);
    if (k < 0) {
      k = 0;
      f = 0;
    } else if (k >= source_width - 1) {
      k = source_width - 1;
      f = 0;
    }
    columns_.push_back({k, std::min(k + 1, source_width - 1), WeightOf(1 - f), WeightOf(f)});
  }
  column_weights_.resize(2 * RoundUp(size_t{3} * width, kRowStep));
  for (size_t i = 0; i < size_t{3} * width; ++i) {
    column_weights_[2 * i] = columns_[i / 3].first_weight;
    column_weights_[2 * i + 1] = columns_[i / 3].second_weight;
  }
  rows_.reserve(height);
  for (int i = 0; i < height; ++i) {
    // Unlike a column, a row outside the image keeps its fraction; both of its taps read the border row.
    const auto [k, f] = PositionOf(i, height, source_height);
    rows_.push_back(
        {std::clamp(k, 0, source_height - 1), std::clamp(k + 1, 0, source_height - 1), WeightOf(1 - f), WeightOf(f)});
  }
}

BgrImage ResizeImageSlowly(const ImageView& source, int width, int height) {
  const ResizePlan plan(source.width_px, source.height_px, width, height);
  BgrImage out(width, height);
  WithLayout(source.format, [&](auto layout) {
    using L = decltype(layout);
    constexpr int kOffsets[3] = {L::b, L::g, L::r};
    const auto pixel = [&](int x, int y, int c) -> int {
      return source.row(y)[static_cast<ptrdiff_t>(x) * L::bytes + kOffsets[c]];
    };
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int c = 0; c < 3; ++c) {
          int value;
          if (plan.kind_ == ResizePlan::Kind::kCopy) {
            value = pixel(x, y, c);
          } else if (plan.kind_ == ResizePlan::Kind::kHalf) {
            value = (pixel(2 * x, 2 * y, c) + pixel(2 * x + 1, 2 * y, c) + pixel(2 * x, 2 * y + 1, c) +
                     pixel(2 * x + 1, 2 * y + 1, c) + 2) >>
                    2;
          } else {
            const ResizePlan::Tap& column = plan.columns_[x];
            const ResizePlan::Tap& row = plan.rows_[y];
            const auto across = [&](int sy) {
              return pixel(column.first, sy, c) * column.first_weight +
                     pixel(column.second, sy, c) * column.second_weight;
            };
            const int upper = across(row.first), lower = across(row.second);
            value = (((upper >> 4) * row.first_weight >> 16) + ((lower >> 4) * row.second_weight >> 16) + 2) >> 2;
          }
          out.row(y)[x * 3 + c] = static_cast<uint8_t>(std::clamp(value, 0, 255));
        }
      }
    }
  });
  return out;
}

namespace {

// How to extract the pixels of two neighbouring taps from 8 bytes: right shifts, in bits, that move B to the lowest
// byte. For layouts that begin with R the bytes are reversed before the shift.
template <typename L>
struct InEightBytes {
  static constexpr bool is_reversed = L::b == 2;
  static constexpr int first = is_reversed ? 40 : 0;
  static constexpr int second = is_reversed ? 40 - 8 * L::bytes : 8 * L::bytes;
};

// Copies the pixels of the taps of a row as B, G, R. May write one byte past the end of `first` and `second`.
template <typename L, typename Tap>
void CopyTaps(const uint8_t* from, int source_width, std::span<const Tap> taps, uint8_t* first, uint8_t* second) {
  static_assert(std::endian::native == std::endian::little);
  size_t i = 0;
  if constexpr (L::bytes > 1) {
    const int last = source_width - (8 + L::bytes - 1) / L::bytes;  // last pixel from which 8 bytes can be read
    for (; i < taps.size() && taps[i].first <= last; ++i, first += 3, second += 3) {
      uint64_t both;
      std::memcpy(&both, from + static_cast<ptrdiff_t>(taps[i].first) * L::bytes, sizeof(both));
      if constexpr (InEightBytes<L>::is_reversed) both = __builtin_bswap64(both);
      const uint32_t p = static_cast<uint32_t>(both >> InEightBytes<L>::first);
      const uint32_t q = static_cast<uint32_t>(both >> InEightBytes<L>::second);
      std::memcpy(first, &p, sizeof(p));
      std::memcpy(second, &q, sizeof(q));
    }
  }
  constexpr int kOffsets[3] = {L::b, L::g, L::r};
  for (; i < taps.size(); ++i, first += 3, second += 3) {
    for (int c = 0; c < 3; ++c) {
      first[c] = from[static_cast<ptrdiff_t>(taps[i].first) * L::bytes + kOffsets[c]];
      second[c] = from[static_cast<ptrdiff_t>(taps[i].second) * L::bytes + kOffsets[c]];
    }
  }
}

}  // namespace

// Computes output rows from top to bottom. Keeps the last two stretched source rows, since neighbouring output rows
// share them.
class RowResizer {
 public:
  RowResizer(const ImageView& source, const ResizePlan& plan)
      : source_(source),
        plan_(plan),
        row_bytes_(RoundUp(static_cast<size_t>(plan.width()) * 3, kRowStep)),
        bytes_(row_bytes_) {
    if (plan.kind_ == ResizePlan::Kind::kBilinear) {
      upper_.stretched.resize(row_bytes_);
      lower_.stretched.resize(row_bytes_);
      first_.resize(row_bytes_ + 1);
      second_.resize(row_bytes_ + 1);
    }
  }

  // Row y as BGR bytes; valid until the next call.
  const uint8_t* Row(int y) {
    switch (plan_.kind_) {
      case ResizePlan::Kind::kCopy:
        if (source_.format == PixelFormat::kBgr24) return source_.row(y);
        CopyBgr(source_, 0, y, plan_.width(), 1, bytes_.data(), 0);
        break;
      case ResizePlan::Kind::kHalf:
        Halve(y);
        break;
      case ResizePlan::Kind::kBilinear:
        Blend(plan_.rows_[y]);
        break;
    }
    return bytes_.data();
  }

 private:
  struct StretchedRow {
    int source_y = -1;
    std::vector<int16_t> stretched;  // weighted sums of two pixels, divided by 16: at most 255 * 2049 / 16
  };

  void Stretch(int source_y, StretchedRow* row) {
    row->source_y = source_y;
    WithLayout(source_.format, [&](auto layout) {
      using L = decltype(layout);
      const std::span<const ResizePlan::Tap> taps = plan_.columns_;
      CopyTaps<L>(source_.row(source_y), source_.width_px, taps, first_.data(), second_.data());
    });
    StretchRow(first_.data(), second_.data(), plan_.column_weights_.data(), row_bytes_, row->stretched.data());
  }

  void Blend(const ResizePlan::Tap& tap) {
    if (upper_.source_y != tap.first) {
      if (lower_.source_y == tap.first) {
        std::swap(upper_, lower_);
      } else {
        Stretch(tap.first, &upper_);
      }
    }
    const StretchedRow* second = &upper_;
    if (tap.second != tap.first) {
      if (lower_.source_y != tap.second) Stretch(tap.second, &lower_);
      second = &lower_;
    }
    // The result is in 0..255 without a clamp, even if a pair of weights sums to 2049 because of rounding.
    BlendRows(upper_.stretched.data(), second->stretched.data(), tap.first_weight, tap.second_weight, row_bytes_,
              bytes_.data());
  }

  void Halve(int y) {
    WithLayout(source_.format, [&](auto layout) {
      using L = decltype(layout);
      const uint8_t* p = source_.row(2 * y);
      const uint8_t* q = source_.row(2 * y + 1);
      uint8_t* to = bytes_.data();
      for (int x = 0; x < plan_.width(); ++x, p += 2 * L::bytes, q += 2 * L::bytes, to += 3) {
        const auto mean = [&](int c) {
          return static_cast<uint8_t>((p[c] + p[c + L::bytes] + q[c] + q[c + L::bytes] + 2) >> 2);
        };
        to[0] = mean(L::b);
        to[1] = mean(L::g);
        to[2] = mean(L::r);
      }
    });
  }

  const ImageView source_;
  const ResizePlan& plan_;
  const size_t row_bytes_;  // rounded up to kRowStep
  StretchedRow upper_, lower_;
  std::vector<uint8_t> first_, second_;  // the pixels of the taps
  std::vector<uint8_t> bytes_;
};

void ResizeNormalise(const ImageView& source, const ResizePlan& plan, const Normalisation& normalisation, int row_begin,
                     int row_end, int row_width, float* out) {
  INKREAD_CHECK(source.width_px == plan.source_width() && source.height_px == plan.source_height());
  INKREAD_CHECK(0 <= row_begin && row_end <= plan.height() && row_width >= plan.width());
  RowResizer resizer(source, plan);
  for (int y = row_begin; y < row_end; ++y) {
    float* to = out + static_cast<ptrdiff_t>(y) * row_width * 3;
    NormaliseRow(resizer.Row(y), static_cast<size_t>(plan.width()), normalisation, to);
    std::fill_n(to + static_cast<ptrdiff_t>(plan.width()) * 3, static_cast<size_t>(row_width - plan.width()) * 3, 0.0f);
  }
}

}  // namespace inkread
