// The direction of a page from boxes and scores.
#include "ocr/page_turn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "ocr/code_point.h"

namespace inkread {
namespace {

constexpr double kLong = 1.5;        // longer / shorter side from which a box has a direction
constexpr double kSteepDeg = 67.5;   // as in ocr/line_crop.cc
constexpr int kBins = 180;           // of a degree each
constexpr int kHalfWindow = 5;       // bins
constexpr double kSpreadDeg = 10;    // within which lines have one direction in common
constexpr double kWellRead = 0.9;    // score
constexpr size_t kMaxJudges = 5;     // lines
constexpr double kClearGain = 0.05;  // of the mean score, from which a reading is better than another
constexpr double kReadable = 0.8;    // mean score, below which nothing is turned
constexpr size_t kMinCharacters = 3;
constexpr size_t kMaxCells = 5;
constexpr float kSureCharacter = 0.9f;

// The axis of a long box, [-67.5, 112.5), and its length in px.
struct BoxAxis {
  double deg = 0, length = 0;
};

double Folded(double deg, double begin, double period) { return deg - std::floor((deg - begin) / period) * period; }

std::optional<BoxAxis> AxisOf(const Quad& q) {
  // Each side is the mean of two edges; twice its vector.
  const double ux = q[1].x - q[0].x + q[2].x - q[3].x, uy = q[1].y - q[0].y + q[2].y - q[3].y;
  const double vx = q[3].x - q[0].x + q[2].x - q[1].x, vy = q[3].y - q[0].y + q[2].y - q[1].y;
  const double u = std::hypot(ux, uy), v = std::hypot(vx, vy);
  if (std::max(u, v) < kLong * std::min(u, v)) return std::nullopt;
  const double rad = u >= v ? std::atan2(uy, ux) : std::atan2(vy, vx);
  return BoxAxis{Folded(rad * 180 / std::numbers::pi, -kSteepDeg, 180), std::max(u, v) / 2};
}

// The middle of the directions that most of the length has in common.
double BusiestDirection(std::span<const BoxAxis> boxes) {
  std::array<double, kBins> lengths{};
  for (const BoxAxis& box : boxes) {
    lengths[static_cast<size_t>(std::lround(box.deg + kSteepDeg)) % kBins] += box.length;
  }
  double best = -1;
  int best_bin = 0;
  for (int bin = 0; bin < kBins; ++bin) {
    double sum = 0;
    for (int i = -kHalfWindow; i <= kHalfWindow; ++i) sum += lengths[static_cast<size_t>(bin + i + kBins) % kBins];
    if (sum > best) {
      best = sum;
      best_bin = bin;
    }
  }
  return best_bin - kSteepDeg;
}

// CJK radicals to ideographs, compatibility ideographs, full-width signs, and the planes of further ideographs.
bool IsVerticalScript(char32_t c) {
  return (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFFEF) ||
         (c >= 0x20000 && c <= 0x3FFFF);
}

size_t NumCharacters(std::string_view text) {
  size_t count = 0;
  while (!text.empty()) count += NextCodePoint(text) != U' ' ? 1 : 0;
  return count;
}

double LengthOf(const LineShape& line) { return std::max(line.crop.width, line.crop.height); }

}  // namespace

PageAxis FindPageAxis(std::span<const Quad> boxes) {
  std::vector<BoxAxis> axes;
  double total = 0;
  for (const Quad& box : boxes) {
    const std::optional<BoxAxis> axis = AxisOf(box);
    if (!axis) continue;
    axes.push_back(*axis);
    total += axis->length;
  }
  if (axes.empty()) return {};
  const double middle = BusiestDirection(axes);
  std::vector<BoxAxis> common;  // relative to the middle
  double length = 0;
  for (const BoxAxis& axis : axes) {
    const double away = Folded(axis.deg - middle, -90, 180);
    if (std::abs(away) > kSpreadDeg) continue;
    common.push_back({away, axis.length});
    length += axis.length;
  }
  if (length * 2 < total) return {};
  std::sort(common.begin(), common.end(), [](const BoxAxis& a, const BoxAxis& b) { return a.deg < b.deg; });
  double median = 0, below = 0;
  for (const BoxAxis& axis : common) {
    median = axis.deg;
    if ((below += axis.length) * 2 >= length) break;
  }
  const double deg = Folded(middle + median, -kSteepDeg, 180);
  if (deg > kSteepDeg) return {PageAxis::Kind::kStanding, deg - 90};
  return {PageAxis::Kind::kLying, deg};
}

bool IsAlong(const LineShape& line, const PageAxis& axis) {
  if (axis.kind == PageAxis::Kind::kNone) return false;
  const int longer = std::max(line.crop.width, line.crop.height);
  if (longer < kLong * std::min(line.crop.width, line.crop.height)) return false;
  const double axis_deg = axis.kind == PageAxis::Kind::kStanding ? axis.tilt_deg + 90 : axis.tilt_deg;
  return std::abs(Folded(DirectionOf(line) - axis_deg, -90, 180)) <= kSpreadDeg;
}

bool MayBeUpsideDown(const PageAxis& axis, std::span<const LineShape> lines, std::span<const CtcText> texts) {
  double length = 0, well_read = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!IsAlong(lines[i], axis)) continue;
    length += LengthOf(lines[i]);
    if (texts[i].score >= kWellRead) well_read += LengthOf(lines[i]);
  }
  return well_read * 2 < length;
}

std::vector<size_t> LinesToJudgeBy(const PageAxis& axis, std::span<const LineShape> lines) {
  std::vector<size_t> along;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (IsAlong(lines[i], axis)) along.push_back(i);
  }
  const auto longer = [&](size_t a, size_t b) {
    return std::pair(-LengthOf(lines[a]), a) < std::pair(-LengthOf(lines[b]), b);
  };
  const size_t num = std::min(along.size(), kMaxJudges);
  std::partial_sort(along.begin(), along.begin() + static_cast<ptrdiff_t>(num), along.end(), longer);
  along.resize(num);
  return along;
}

Verdict CompareReadings(std::span<const LineShape> lines, std::span<const CtcText> as_read,
                        std::span<const CtcText> turned) {
  double before = 0, after = 0, length = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    before += as_read[i].score * LengthOf(lines[i]);
    after += turned[i].score * LengthOf(lines[i]);
    length += LengthOf(lines[i]);
  }
  if (after - before >= kClearGain * length && after >= kReadable * length && length > 0) return Verdict::kTurned;
  return before - after >= kClearGain * length && length > 0 ? Verdict::kAsRead : Verdict::kOpen;
}

bool MayStillBeTurned(std::span<const LineShape> lines, std::span<const CtcText> as_read,
                      std::span<const CtcText> turned) {
  std::vector<CtcText> best(turned.begin(), turned.end());
  best.resize(lines.size(), {"", 1});
  return CompareReadings(lines, as_read, best) == Verdict::kTurned;
}

bool HasEvidence(std::span<const CtcText> texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const CtcText& text) { return NumCharacters(text.text) >= kMinCharacters; });
}

bool IsVerticalScript(std::string_view text) {
  size_t all = 0, vertical = 0;
  while (!text.empty()) {
    const char32_t c = NextCodePoint(text);
    if (c == U' ') continue;
    ++all;
    vertical += IsVerticalScript(c) ? 1 : 0;
  }
  return vertical > 0 && vertical * 2 >= all;
}

std::vector<CharacterCell> CutCells(const LineShape& line, RecWidth width, std::span<const CtcStep> steps,
                                    const Dictionary& dictionary) {
  struct Character {
    double place;  // of its middle, share of the line's length
    int32_t index;
    bool is_sure;
  };
  std::vector<Character> characters;
  for (const CtcCharacter& c : CtcCharacters(steps)) {
    const double column = (c.first_step + 0.5) * width.total / static_cast<double>(steps.size());
    characters.push_back({std::min(1.0, column / width.used), c.index,
                          c.probability >= kSureCharacter && IsVerticalScript(dictionary.text(c.index))});
  }
  std::vector<CharacterCell> cells;
  for (size_t i = 0; i < characters.size() && cells.size() < kMaxCells; ++i) {
    if (!characters[i].is_sure) continue;
    // Characters are as long as the distance to the nearer neighbour.
    double length = 1;
    if (i > 0 && characters[i - 1].is_sure) length = characters[i].place - characters[i - 1].place;
    if (i + 1 < characters.size() && characters[i + 1].is_sure)
      length = std::min(length, characters[i + 1].place - characters[i].place);
    if (length == 1) continue;
    const double begin = std::max(0.0, characters[i].place - length / 2);
    const double end = std::min(1.0, characters[i].place + length / 2);
    cells.push_back({TurnedBy(PartOf(line, begin, end), -1), characters[i].index});
  }
  return cells;
}

Point BeforeTurn(Point point, int quarter_turns, int width, int height) {
  switch (quarter_turns) {
    case 1:
      return {width - point.y, point.x};
    case 2:
      return {width - point.x, height - point.y};
    case 3:
      return {point.y, height - point.x};
    default:
      return point;
  }
}

double TurnedDegrees(int quarter_turns, double tilt_deg) {
  const double deg = Folded(90.0 * quarter_turns + tilt_deg, -45, 360);
  return deg == -45 ? 315 : deg;
}

}  // namespace inkread
