// Threshold, outlines, score, unclip, minimum-area rectangles: the DB detector's post-processing.
#include "ocr/det_boxes.h"

#include <algorithm>
#include <cmath>

#include "image/components.h"
#include "image/min_area_rect.h"
#include "image/polygon_offset.h"
#include "image/polygon_score.h"

namespace inkread {
namespace {

// PaddleOCR's min_size: the smallest shorter side of a rectangle, px of the map, before and after it is grown.
constexpr float kMinSide = 3;
constexpr float kMinGrownSide = kMinSide + 2;

// Of regions that are thinner than this many px of the map, before they are grown, the detector misses some or runs
// neighbours together; the same as 14 px of a grown box, or type of about 8 px. Measured: docs/performance.md.
constexpr float kThinSide = 5.5f;

float ShorterSide(const MinAreaRect& rect) { return std::min(rect.width, rect.height); }

// Not a speck, as they are found on plain ground.
bool IsThinLine(const MinAreaRect& rect) {
  const float shorter = ShorterSide(rect), longer = std::max(rect.width, rect.height);
  return shorter < kThinSide && longer >= 2 * std::max(shorter, kMinSide);
}

// In source pixels, rounded half to even, clamped to [0, limit].
int MappedBack(float v, double scale, int limit) {
  return static_cast<int>(std::clamp(std::nearbyint(v * scale), 0.0, static_cast<double>(limit)));
}

}  // namespace

std::vector<DetBox> BoxesFromMap(std::span<const float> map, int map_height, int map_width, int source_height,
                                 int source_width, const DetParams& params, MapReport* report) {
  const Outlines outlines =
      FindOutlines(map, map_width, map_height, params.thresh, static_cast<size_t>(params.max_candidates));
  *report = MapReport();
  report->candidates_cut = outlines.num_found > outlines.kept.size();
  const double scale_x = static_cast<double>(source_width) / map_width;
  const double scale_y = static_cast<double>(source_height) / map_height;
  std::vector<DetBox> boxes;
  for (const Outline& outline : outlines.kept) {
    const MinAreaRect rect = FindMinAreaRect(outline.hull);
    if (ShorterSide(rect) < kMinSide && !IsThinLine(rect)) continue;
    const QuadF quad = OrderedCorners(rect);
    const double score = MeanInQuad(map, map_width, map_height, quad);
    if (score < params.box_thresh) continue;
    if (IsThinLine(rect)) report->has_small_text = true;
    if (ShorterSide(rect) < kMinSide) continue;
    std::vector<Point> hull = ConvexHull(OffsetQuad(quad, UnclipDistance(quad, params.unclip_ratio)));
    if (hull.empty()) continue;
    BeginHullAfterTop(&hull);
    const MinAreaRect grown = FindMinAreaRect(hull);
    if (ShorterSide(grown) < kMinGrownSide) continue;
    DetBox box;
    box.score = score;
    const QuadF corners = OrderedCorners(grown);
    std::transform(corners.begin(), corners.end(), box.quad.begin(), [&](const PointF& p) {
      return Point{MappedBack(p.x, scale_x, source_width), MappedBack(p.y, scale_y, source_height)};
    });
    boxes.push_back(box);
  }
  return boxes;
}

}  // namespace inkread
