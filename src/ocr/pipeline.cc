#include "ocr/pipeline.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/trace.h"
#include "ocr/detector_size.h"
#include "ocr/joined_boxes.h"
#include "ocr/line_batches.h"
#include "ocr/long_lines.h"
#include "ocr/lost_spaces.h"
#include "ocr/page_turn.h"
#include "ocr/reading_order.h"
#include "ocr/second_look.h"
#include "ocr/stage_timer.h"
#include "ocr/strips.h"

namespace inkread {
namespace {

// This thread's buffer for inputs of the networks that read lines.
AlignedBuffer& LineInputBuffer() {
  constexpr size_t kKeptBytes = size_t{4} << 20;  // few lines are longer
  thread_local AlignedBuffer buffer;
  if (buffer.size_bytes() > kKeptBytes) buffer.Release();
  return buffer;
}

// `image` is what the detector reads: the image of the read, or a tiny one on its canvas.
Result<ProbabilityMap> DetectIn(SourceImage& image, const Size& size, const Networks& networks, Workspace& workspace,
                                PipelineTimes& ms) {
  const PlanKey key{1, size.height, size.width, Head::kNetwork};
  const ImageInput whole{&image, DetInputRule(image.view(), size), 0};
  Task task{key, std::span(&whole, 1), nullptr, image.cancellation()};
  {
    StageTimer timer(ms.detect_input, "detector input");
    INKREAD_RETURN_IF_ERROR(MakeInputs({&task, 1}, *networks.pool, workspace.input));
  }
  StageTimer timer(ms.detect, "detect");
  const size_t num_pixels = size_t{1} * size.height * size.width;
  INKREAD_ASSIGN_OR_RETURN(const bool in_place, networks.det->MayOverwriteInput(key));
  AlignedBuffer& output = in_place ? workspace.input : workspace.output;
  INKREAD_RETURN_IF_ERROR(output.Reserve(num_pixels * sizeof(float)));  // keeps an input that was made there
  task.output = output.data();
  INKREAD_RETURN_IF_ERROR(networks.det->Run({&task, 1}));
  return ProbabilityMap{size, {reinterpret_cast<const float*>(output.data()), num_pixels}};
}

// A map of `size`, put together from strips.
Result<ProbabilityMap> DetectInStrips(const SourceImage& image, const Size& size, const Networks& networks,
                                      Workspace& workspace, PipelineTimes& ms) {
  const size_t num_pixels = size_t{1} * size.height * size.width;
  INKREAD_RETURN_IF_ERROR(workspace.whole_map.Reserve(num_pixels * sizeof(float)));
  const std::span<float> whole(reinterpret_cast<float*>(workspace.whole_map.data()), num_pixels);
  for (const Strip& strip : MakeStrips(std::max(size.height, size.width))) {
    SourceImage part(PartOf(image.view(), size, strip), image.chain(), image.cancellation());
    INKREAD_ASSIGN_OR_RETURN(const ProbabilityMap map, DetectIn(part, SizeOf(strip, size), networks, workspace, ms));
    CopyOwnPart(map.values, strip, size, whole);
  }
  return ProbabilityMap{size, whole};
}

}  // namespace

Result<ProbabilityMap> DetectMap(SourceImage& image, const Size& size, const Networks& networks, Workspace& workspace,
                                 PipelineTimes& ms) {
  const ImageView& view = image.view();
  if (NeedsStrips(size)) return DetectInStrips(image, size, networks, workspace, ms);
  if (!NeedsCanvas(view)) return DetectIn(image, size, networks, workspace, ms);
  const BgrImage canvas = OnCanvas(view);
  SourceImage on_canvas(canvas.view(), image.chain(), image.cancellation());
  return DetectIn(on_canvas, size, networks, workspace, ms);
}

std::vector<LineShape> CropLines(SourceImage& image, std::optional<double> tilt_deg, std::vector<DetBox>& boxes,
                                 ThreadPool& pool) {
  std::vector<LineShape> lines;
  std::vector<ImageRule> crops;
  size_t num_kept = 0;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const Quad& quad = boxes[i].quad;
    const std::optional<LineShape> line = tilt_deg ? ShapeOfLine(quad, *tilt_deg) : ShapeOfLine(quad);
    if (!line) continue;
    lines.push_back(*line);
    crops.push_back(CropRuleOf(image.view(), *line));
    boxes[num_kept++] = boxes[i];
  }
  boxes.resize(num_kept);
  image.CutOutCrops(crops, pool);
  return lines;
}

Status TurnLines(SourceImage& image, std::vector<LineShape>& lines, const Networks& networks) {
  const Size size = ClsInputSize(networks.cls_kind);
  const std::vector<LineBatch> batches = MakeSingleBatches(lines.size(), size.width);
  const auto waves = MakeWaves(batches, size.height, networks.cls->prefers_batched_runs());
  return networks.pool->ParallelTry(waves.size(), [&](size_t w) -> Status {
    const std::span<const LineBatch> wave = waves[w];
    std::vector<ImageInput> inputs(wave.size());
    std::vector<std::array<float, 2>> scores(wave.size());
    std::vector<Task> tasks;
    for (size_t i = 0; i < wave.size(); ++i) {
      const LineShape& line = lines[wave[i].lines[0]];
      inputs[i] = {&image, CropRuleOf(image.view(), line), 0};
      SetClsInput(networks.cls_kind, line.width(), line.height(), inputs[i].rule);
      const PlanKey key{1, size.height, size.width, Head::kNetwork};
      tasks.push_back({key, std::span<const ImageInput>(&inputs[i], 1), scores[i].data(), image.cancellation()});
    }
    INKREAD_RETURN_IF_ERROR(MakeInputs(tasks, *networks.pool, LineInputBuffer()));
    INKREAD_RETURN_IF_ERROR(networks.cls->Run(tasks));
    for (size_t i = 0; i < wave.size(); ++i) {
      LineShape& line = lines[wave[i].lines[0]];
      if (IsUpsideDown(networks.cls_kind, scores[i][0], scores[i][1])) line = TurnedBy(line, 2);
    }
    return Status();
  });
}

namespace {

// Recognises the lines, or parts of them, of one wave.
//
// widths, recognised  one per element of `lines`
Status RecogniseWave(std::span<const LineBatch> wave, SourceImage& image, std::span<const LineShape> lines,
                     std::span<const RecWidth> widths, const Networks& networks,
                     std::vector<std::vector<CtcStep>>& recognised) {
  const TraceSpan span("lines");
  static_assert(sizeof(CtcStep) == 12, "ctc_head writes an int and two floats per step");
  std::vector<std::vector<ImageInput>> inputs(wave.size());
  std::vector<std::vector<CtcStep>> outputs(wave.size());
  std::vector<Task> tasks;
  for (size_t b = 0; b < wave.size(); ++b) {
    const PlanKey key{static_cast<int64_t>(wave[b].lines.size()), kRecHeight, wave[b].width, Head::kCtc};
    INKREAD_ASSIGN_OR_RETURN(const Shape shape, networks.rec->OutputShape(key));
    outputs[b].resize(shape.num_pixels());
    const size_t line_floats = size_t{3} * kRecHeight * wave[b].width;
    for (size_t line : wave[b].lines) {
      ImageInput input{&image, CropRuleOf(image.view(), lines[line]), inputs[b].size() * line_floats};
      SetRecInput(widths[line], input.rule);
      inputs[b].push_back(std::move(input));
    }
    tasks.push_back({key, std::span<const ImageInput>(inputs[b]), outputs[b].data(), image.cancellation()});
  }
  INKREAD_RETURN_IF_ERROR(MakeInputs(tasks, *networks.pool, LineInputBuffer()));
  INKREAD_RETURN_IF_ERROR(networks.rec->Run(tasks));
  for (size_t b = 0; b < wave.size(); ++b) {
    const size_t num_steps = outputs[b].size() / wave[b].lines.size();
    auto steps = outputs[b].begin();
    for (size_t line : wave[b].lines) {
      recognised[line].assign(steps, steps + static_cast<ptrdiff_t>(num_steps));
      steps += static_cast<ptrdiff_t>(num_steps);
    }
  }
  return Status();
}

}  // namespace

Result<std::vector<RecognisedLine>> RecogniseLines(SourceImage& image, std::span<const LineShape> lines,
                                                   const RecParams& params, const Networks& networks) {
  std::vector<std::vector<LinePart>> parts_of_lines;
  std::vector<LineShape> parts;
  std::vector<RecWidth> widths;
  std::vector<int> input_widths;
  for (const LineShape& line : lines) {
    parts_of_lines.push_back(PartsOfLine(line.width(), line.height(), params.width_rule));
    for (const LinePart& part : parts_of_lines.back()) {
      parts.push_back(parts_of_lines.back().size() == 1 ? line : PartOf(line, part.begin, part.end));
      widths.push_back(part.width);
      input_widths.push_back(part.width.total);
    }
  }
  const std::vector<LineBatch> batches = MakeBatches(input_widths, networks.pool->num_available());
  const auto waves = MakeWaves(batches, kRecHeight, networks.rec->prefers_batched_runs());
  std::vector<std::vector<CtcStep>> steps(parts.size());
  INKREAD_RETURN_IF_ERROR(networks.pool->ParallelTry(
      waves.size(), [&](size_t w) { return RecogniseWave(waves[w], image, parts, widths, networks, steps); }));
  std::vector<RecognisedLine> recognised;
  size_t first = 0;
  for (const std::vector<LinePart>& of_line : parts_of_lines) {
    const auto own = std::span(steps).subspan(first, of_line.size());
    RecognisedLine& line = recognised.emplace_back();
    line.width = WholeWidth(of_line);
    line.steps = own.size() == 1 ? std::move(own[0]) : JoinParts(of_line, own);
    if (params.find_spaces) AddLostSpaces(*networks.dictionary, line.steps);
    first += of_line.size();
  }
  return recognised;
}

std::vector<LineParts> FindParts(const ImageView& image, std::span<const LineShape> lines,
                                 std::span<const RecognisedLine> recognised, const PipelineOptions& options,
                                 const Networks& networks) {
  std::vector<LineParts> parts(lines.size());
  if (!options.words && !options.chars) return parts;
  networks.pool->ParallelFor(lines.size(), [&](size_t i) {
    parts[i] = FindWords(recognised[i].steps, *networks.dictionary, recognised[i].width, lines[i], image);
    if (!options.words) parts[i].words.clear();
    if (!options.chars) parts[i].chars.clear();
  });
  return parts;
}

namespace {

// What the detector takes of memory for a map of this size.
uint64_t BytesToDetect(const Size& whole, Model& det) {
  const bool in_strips = NeedsStrips(whole);
  const Size size = in_strips ? SizeOf(MakeStrips(std::max(whole.height, whole.width))[0], whole) : whole;
  const uint64_t pixels = uint64_t{1} * size.height * size.width;
  const uint64_t map_pixels = in_strips ? uint64_t{1} * whole.height * whole.width : 0;
  const Result<uint64_t> scratch = det.ScratchBytes({1, size.height, size.width, Head::kNetwork});
  return (pixels * 4 + map_pixels) * sizeof(float) + (scratch.ok() ? *scratch : 0);
}

std::vector<Quad> QuadsOf(std::span<const DetBox> boxes) {
  std::vector<Quad> quads;
  for (const DetBox& box : boxes) quads.push_back(box.quad);
  return quads;
}

struct Look {
  std::vector<DetBox> boxes;
  MapReport report;
};

Result<Look> LookAt(SourceImage& image, const Size& size, const DetParams& params, const Networks& networks,
                    PipelineTimes& ms) {
  const ImageView& view = image.view();
  DetectorGate::Stay stay = networks.detector_gate->Enter(BytesToDetect(size, *networks.det));
  INKREAD_ASSIGN_OR_RETURN(const ProbabilityMap map, DetectMap(image, size, networks, stay.workspace(), ms));
  if (image.cancellation() != nullptr) INKREAD_RETURN_IF_ERROR(image.cancellation()->Check());
  StageTimer timer(ms.boxes, "boxes");
  Look look;
  look.boxes = BoxesFromMap(map.values, size.height, size.width, view.height_px, view.width_px, params, &look.report);
  return look;
}

// The first look at a page, and others where it is not enough (ocr/detector_size.h).
Result<Look> LookAsNeeded(SourceImage& image, const DetParams& params, const Networks& networks, PipelineTimes& ms) {
  const int height = image.view().height_px, width = image.view().width_px;
  if (!params.fits_page) return LookAt(image, DetInputSize(height, width, params), params, networks, ms);
  const Size full_size = FullLookSize(height, width, params);
  const std::optional<Size> first_size = FirstLookSize(full_size);
  if (!first_size) return LookAt(image, full_size, params, networks, ms);
  INKREAD_ASSIGN_OR_RETURN(Look first, LookAt(image, *first_size, params, networks, ms));
  if (!NeedsFullLook(first.boxes, first.report)) return first;
  INKREAD_ASSIGN_OR_RETURN(Look full, LookAt(image, full_size, params, networks, ms));
  full.boxes = BothLooks(std::move(full.boxes), first.boxes);
  if (!full.boxes.empty()) return full;
  INKREAD_ASSIGN_OR_RETURN(Look last, LookAt(image, LastLookSize(full_size), params, networks, ms));
  last.report.candidates_cut |= full.report.candidates_cut;
  return last;
}

// The boxes of the image's text, in the official order.
Result<std::vector<DetBox>> DetectBoxes(SourceImage& image, const DetParams& params, const Networks& networks,
                                        PipelineResult& result) {
  INKREAD_ASSIGN_OR_RETURN(const Look look, LookAsNeeded(image, params, networks, result.ms));
  if (look.report.candidates_cut) {
    result.warnings.push_back(
        StrCat("more than ", params.max_candidates, " regions were found; only the lowest on the page were looked at"));
  }
  std::vector<DetBox> in_order;
  for (const int i : OfficialOrder(QuadsOf(look.boxes))) in_order.push_back(look.boxes[static_cast<size_t>(i)]);
  return in_order;
}

// What an image has, as it lies. One element per line, in the official order.
struct Page {
  PageAxis axis;
  std::vector<DetBox> boxes;
  std::vector<LineShape> lines;
  std::vector<bool> is_rotated;  // PipelineLine::rotated_180
  std::vector<RecognisedLine> recognised;
  std::vector<CtcText> texts;
  std::vector<LineParts> parts;  // once it is finished
};

Result<Page> ReadPage(SourceImage& image, const PipelineOptions& options, const Networks& networks,
                      PipelineResult& result) {
  Page page;
  INKREAD_ASSIGN_OR_RETURN(page.boxes, DetectBoxes(image, options.det, networks, result));
  {
    StageTimer timer(result.ms.crop, "crop");
    std::optional<double> tilt_deg;
    if (options.join_boxes) page.boxes = JoinOverlappingBoxes(std::move(page.boxes));
    if (options.find_turn) {
      page.axis = FindPageAxis(QuadsOf(page.boxes));
      tilt_deg = page.axis.tilt_deg;
    }
    page.lines = CropLines(image, tilt_deg, page.boxes, *networks.pool);
    if (!options.find_turn && options.use_classifier && networks.cls != nullptr)
      INKREAD_RETURN_IF_ERROR(TurnLines(image, page.lines, networks));
    for (const LineShape& line : page.lines) page.is_rotated.push_back(!options.find_turn && line.is_upside_down);
  }
  page.texts.resize(page.lines.size());
  page.parts.resize(page.lines.size());
  if (!options.recognise) return page;
  {
    StageTimer timer(result.ms.recognise, "recognise");
    INKREAD_ASSIGN_OR_RETURN(page.recognised, RecogniseLines(image, page.lines, options.rec, networks));
  }
  StageTimer timer(result.ms.decode, "decode");
  for (size_t i = 0; i < page.lines.size(); ++i)
    page.texts[i] = DecodeCtc(page.recognised[i].steps, *networks.dictionary);
  return page;
}

// What is left to do with a page that is upright.
Status FinishPage(SourceImage& image, const PipelineOptions& options, const Networks& networks, Page& page,
                  PipelineResult& result) {
  if (options.find_turn) {
    StageTimer timer(result.ms.recognise, "recognise");
    const bool use_classifier = options.use_classifier && networks.cls != nullptr;
    INKREAD_ASSIGN_OR_RETURN(const std::vector<size_t> turned,
                             TurnSingleLines(image, page.axis, use_classifier, options.rec, networks, page.lines,
                                             page.recognised, page.texts));
    for (const size_t i : turned) page.is_rotated[i] = true;
  }
  StageTimer timer(result.ms.decode, "decode");
  page.parts = FindParts(image.view(), page.lines, page.recognised, options, networks);
  return Status();
}

// Reads the page again, turned, if it is not upright, and finishes it.
//
// Returns  the quarter turns, counter-clockwise, after which `page` was read
Result<int> SetUpright(SourceImage& image, const PipelineOptions& options, const Networks& networks, Page& page,
                       PipelineResult& result) {
  if (!options.recognise) return 0;
  int quarter_turns = 0;
  if (options.find_turn) {
    StageTimer timer(result.ms.recognise, "recognise");
    INKREAD_ASSIGN_OR_RETURN(
        quarter_turns, FindPageTurn(image, page.axis, page.lines, page.recognised, page.texts, options.rec, networks));
  }
  if (quarter_turns == 0) {
    INKREAD_RETURN_IF_ERROR(FinishPage(image, options, networks, page, result));
    return 0;
  }
  ImageRule rule;
  rule.quarter_turns = quarter_turns;
  const BgrImage upright = CutOut(image.view(), rule);
  SourceImage upright_image(upright.view(), image.chain(), image.cancellation());
  result.warnings.clear();  // those of the first reading
  INKREAD_ASSIGN_OR_RETURN(page, ReadPage(upright_image, options, networks, result));
  INKREAD_RETURN_IF_ERROR(FinishPage(upright_image, options, networks, page, result));
  return quarter_turns;
}

// Where a quad of the page is in the image before so many quarter turns. Its corners begin at the top left of a text
// that has this direction on the page.
Quad QuadInImage(const Quad& quad, double direction_deg, int quarter_turns, const ImageView& image) {
  Quad out = BeginningAlong(quad, direction_deg);
  for (Point& p : out) p = BeforeTurn(p, quarter_turns, image.width_px, image.height_px);
  return out;
}

// Whether a line is a column of vertical writing.
bool IsColumn(const Page& page, size_t line) {
  return RunsDown(page.lines[line], page.axis.tilt_deg) && IsVerticalScript(page.texts[line].text);
}

// The quads of the lines in the image, each from the top left corner of its text: a column of vertical writing has that
// at its top, any other line on the side to which the tops of its letters point.
std::vector<Quad> QuadsOfTexts(const Page& page, int quarter_turns, const ImageView& image) {
  std::vector<Quad> quads = QuadsOf(page.boxes);
  for (size_t i = 0; i < quads.size(); ++i) {
    const double direction_deg = DirectionOf(page.lines[i]) - (IsColumn(page, i) ? 90 : 0);
    quads[i] = QuadInImage(quads[i], direction_deg, quarter_turns, image);
  }
  return quads;
}

// The parts of the lines, their quads moved into the image and begun where QuadsOfTexts begins those of the lines.
void MovePartsToImage(Page& page, int quarter_turns, const ImageView& image) {
  for (size_t i = 0; i < page.parts.size(); ++i) {
    BeginQuadsAt(page.parts[i], static_cast<size_t>(page.lines[i].quarter_turns()) + (IsColumn(page, i) ? 3 : 0));
    for (std::vector<Word>* parts : {&page.parts[i].words, &page.parts[i].chars}) {
      for (Word& part : *parts) {
        for (Point& p : part.quad) p = BeforeTurn(p, quarter_turns, image.width_px, image.height_px);
      }
    }
  }
}

}  // namespace

Result<PipelineResult> ReadText(const ImageView& view, const PipelineOptions& options, const Networks& networks,
                                const Cancellation* cancellation) {
  PipelineResult result;
  SourceImage image(view, networks.det->chain(), cancellation);
  INKREAD_ASSIGN_OR_RETURN(Page page, ReadPage(image, options, networks, result));
  INKREAD_ASSIGN_OR_RETURN(const int quarter_turns, SetUpright(image, options, networks, page, result));
  result.turned_deg = TurnedDegrees(quarter_turns, page.axis.tilt_deg);
  std::vector<Quad> quads = QuadsOf(page.boxes);
  std::vector<int> order(quads.size());
  std::iota(order.begin(), order.end(), 0);
  if (options.find_turn) {
    quads = QuadsOfTexts(page, quarter_turns, view);
    MovePartsToImage(page, quarter_turns, view);
  }
  if (!options.official_order) order = ReadingOrder(QuadsOf(page.boxes), page.axis);
  for (const int i : order) {
    PipelineLine line{quads[i], page.boxes[i].score, std::move(page.texts[i]), page.is_rotated[i],
                      std::move(page.parts[i])};
    if (!options.recognise || line.text.score >= options.score_thresh) {
      result.lines.push_back(std::move(line));
    } else {
      ++result.dropped;
    }
  }
  return result;
}

}  // namespace inkread
