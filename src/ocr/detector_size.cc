#include "ocr/detector_size.h"

#include <algorithm>
#include <cmath>

namespace inkread {
namespace {

// The first look. Its longer side is not below kLonger and its shorter one not below kShorter. It shrinks the full one
// at most by kMaxShrink: type of 9 px, which is as small as the recogniser reads, then still is seen as regions.
constexpr double kLonger = 960, kShorter = 480, kMaxShrink = 2.5;
// A first look that has more than this share of the full one's width saves too little.
constexpr double kMaxShare = 0.75;
// The last look. Measured: docs/performance.md.
constexpr double kLastLonger = 800;

int Snapped(double side) {
  return std::max(kDetMultiple, static_cast<int>(std::lrint(side / kDetMultiple)) * kDetMultiple);
}

bool Touch(const Bounds& a, const Bounds& b) {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

}  // namespace

Size FullLookSize(int height, int width, const DetParams& params) {
  const double shorter = std::min(height, width), longer = std::max(height, width), limit = params.max_side_limit;
  const double enlarged = std::max(1.0, params.limit_side / shorter);
  if (longer * enlarged <= limit) return DetInputSize(height, width, params);
  const double readable = std::min(kLonger / shorter, limit / std::sqrt(longer * shorter));
  const double ratio = std::min(enlarged, std::max(limit / longer, readable));
  const int short_side = Snapped(shorter * ratio);
  const int long_side = Snapped(std::min(longer * ratio, limit * limit / short_side));
  return height < width ? Size{short_side, long_side} : Size{long_side, short_side};
}

std::optional<Size> FirstLookSize(const Size& full) {
  const double longer = std::max(full.height, full.width), shorter = std::min(full.height, full.width);
  const double share = std::max({kLonger / longer, kShorter / shorter, 1 / kMaxShrink});
  if (share > kMaxShare) return std::nullopt;
  return Size{Snapped(full.height * share), Snapped(full.width * share)};
}

Size LastLookSize(const Size& full) {
  const double share = kLastLonger / std::max(full.height, full.width);
  return Size{Snapped(full.height * share), Snapped(full.width * share)};
}

bool NeedsFullLook(std::span<const DetBox> boxes, const MapReport& report) {
  return boxes.empty() || report.has_small_text;
}

std::vector<DetBox> BothLooks(std::vector<DetBox> full, std::span<const DetBox> first) {
  std::vector<Bounds> taken;
  for (const DetBox& box : full) taken.push_back(BoundsOf(box.quad));
  for (const DetBox& box : first) {
    const Bounds bounds = BoundsOf(box.quad);
    if (std::none_of(taken.begin(), taken.end(), [&](const Bounds& b) { return Touch(bounds, b); }))
      full.push_back(box);
  }
  return full;
}

}  // namespace inkread
