#include "ocr/given_lines.h"

#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "ocr/second_look.h"
#include "ocr/stage_timer.h"

namespace inkread {
namespace {

double DirectionOfTop(const Quad& box) {
  return std::atan2(double{0} + box[1].y - box[0].y, double{0} + box[1].x - box[0].x) * 180 / std::numbers::pi;
}

// The lines that are read: up to two readings of each box.
struct Candidates {
  std::vector<LineShape> shapes;
  std::vector<size_t> box;      // by shape
  std::vector<bool> runs_down;  // by shape: against the box's own direction
  void Add(size_t of_box, const LineShape& shape, bool down) {
    shapes.push_back(shape);
    box.push_back(of_box);
    runs_down.push_back(down);
  }
};

Candidates CandidatesOf(std::span<const Quad> boxes) {
  Candidates candidates;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const double direction_deg = DirectionOfTop(boxes[i]);
    const std::optional<LineShape> shape = ShapeOfLine(boxes[i], direction_deg);
    if (!shape) continue;
    const bool runs_down = RunsDown(*shape, direction_deg);
    candidates.Add(i, *shape, runs_down);
    if (runs_down) candidates.Add(i, TurnedBy(*shape, -1), false);
  }
  return candidates;
}

Candidates OfficialCandidatesOf(std::span<const Quad> boxes) {
  Candidates candidates;
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (const std::optional<LineShape> shape = ShapeOfLine(boxes[i])) candidates.Add(i, *shape, shape->is_turned);
  }
  return candidates;
}

Result<PipelineResult> ReadCandidates(const ImageView& view, std::span<const Quad> boxes, Candidates candidates,
                                      const PipelineOptions& options, const Networks& networks,
                                      const Cancellation* cancellation) {
  PipelineResult result;
  SourceImage image(view, networks.det->chain(), cancellation);
  const bool use_classifier = options.use_classifier && networks.cls != nullptr;
  std::vector<LineShape>& shapes = candidates.shapes;
  {
    StageTimer timer(result.ms.crop, "crop");
    std::vector<ImageRule> crops;
    for (const LineShape& shape : shapes) crops.push_back(CropRuleOf(view, shape));
    image.CutOutCrops(crops, *networks.pool);
    if (use_classifier && !options.find_turn) INKREAD_RETURN_IF_ERROR(TurnLines(image, shapes, networks));
  }
  std::vector<RecognisedLine> recognised;
  std::vector<CtcText> texts;
  std::vector<bool> is_rotated(shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) is_rotated[i] = !options.find_turn && shapes[i].is_upside_down;
  {
    StageTimer timer(result.ms.recognise, "recognise");
    INKREAD_ASSIGN_OR_RETURN(recognised, RecogniseLines(image, shapes, options.rec, networks));
    for (const RecognisedLine& line : recognised) texts.push_back(DecodeCtc(line.steps, *networks.dictionary));
    if (use_classifier && options.find_turn) {
      INKREAD_ASSIGN_OR_RETURN(const std::vector<size_t> turned, TurnSingleLines(image, PageAxis(), true, options.rec,
                                                                                 networks, shapes, recognised, texts));
      for (const size_t i : turned) is_rotated[i] = true;
    }
  }
  StageTimer timer(result.ms.decode, "decode");
  std::vector<LineParts> parts = FindParts(view, shapes, recognised, options, networks);
  for (const Quad& box : boxes) {
    PipelineLine& line = result.lines.emplace_back();
    line.quad = box;
    line.det_score = 1;
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    PipelineLine& line = result.lines[candidates.box[i]];
    const bool is_first = i == 0 || candidates.box[i - 1] != candidates.box[i];
    if (!is_first && texts[i].score <= line.text.score) continue;
    line.text = std::move(texts[i]);
    line.rotated_180 = is_rotated[i];
    line.parts = std::move(parts[i]);
    // The parts begin where the box does, also in a column.
    BeginQuadsAt(line.parts, static_cast<size_t>(shapes[i].quarter_turns()) + (candidates.runs_down[i] ? 3 : 0));
  }
  return result;
}

}  // namespace

Result<PipelineResult> ReadGivenLines(const ImageView& image, std::span<const Quad> boxes,
                                      const PipelineOptions& options, const Networks& networks,
                                      const Cancellation* cancellation) {
  return ReadCandidates(image, boxes, options.find_turn ? CandidatesOf(boxes) : OfficialCandidatesOf(boxes), options,
                        networks, cancellation);
}

Result<PipelineResult> ReadAsOneLine(const ImageView& image, const PipelineOptions& options, const Networks& networks,
                                     const Cancellation* cancellation) {
  const Quad whole{{{0, 0}, {image.width_px, 0}, {image.width_px, image.height_px}, {0, image.height_px}}};
  Candidates candidates = options.find_turn ? CandidatesOf({&whole, 1}) : OfficialCandidatesOf({&whole, 1});
  if (!options.find_turn) {
    for (LineShape& shape : candidates.shapes) shape.is_turned = false;
    candidates.runs_down.assign(candidates.shapes.size(), false);
  }
  return ReadCandidates(image, {&whole, 1}, std::move(candidates), options, networks, cancellation);
}

}  // namespace inkread
