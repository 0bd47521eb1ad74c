#include "ocr/pipeline.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "base/aligned_buffer.h"
#include "ocr/line_batches.h"
#include "ocr/reading_order.h"

namespace inkread {
namespace {

// Adds the time that it lives to a stage.
class StageTimer {
 public:
  explicit StageTimer(double& ms) : ms_(ms), start_(std::chrono::steady_clock::now()) {}
  ~StageTimer() { ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count(); }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  double& ms_;
  const std::chrono::steady_clock::time_point start_;
};

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
  Task task{key, std::span(&whole, 1), nullptr};
  {
    StageTimer timer(ms.detect_input);
    INKREAD_RETURN_IF_ERROR(MakeInputs({&task, 1}, *networks.pool, workspace.input));
  }
  StageTimer timer(ms.detect);
  const size_t num_pixels = size_t{1} * size.height * size.width;
  INKREAD_ASSIGN_OR_RETURN(const bool in_place, networks.det->MayOverwriteInput(key));
  AlignedBuffer& output = in_place ? workspace.input : workspace.output;
  INKREAD_RETURN_IF_ERROR(output.Reserve(num_pixels * sizeof(float)));  // keeps an input that was made there
  task.output = output.data();
  INKREAD_RETURN_IF_ERROR(networks.det->Run({&task, 1}));
  return ProbabilityMap{size, {reinterpret_cast<const float*>(output.data()), num_pixels}};
}

}  // namespace

Result<ProbabilityMap> DetectMap(SourceImage& image, const DetParams& params, const Networks& networks,
                                 Workspace& workspace, PipelineTimes& ms) {
  const ImageView& view = image.view();
  const Size size = DetInputSize(view.height_px, view.width_px, params);
  if (!NeedsCanvas(view)) return DetectIn(image, size, networks, workspace, ms);
  const BgrImage canvas = OnCanvas(view);
  SourceImage on_canvas(canvas.view(), image.chain());
  return DetectIn(on_canvas, size, networks, workspace, ms);
}

std::vector<LineShape> CropLines(SourceImage& image, std::vector<DetBox>& boxes, ThreadPool& pool) {
  std::vector<LineShape> lines;
  std::vector<ImageRule> crops;
  size_t num_kept = 0;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const std::optional<LineShape> line = ShapeOfLine(boxes[i].quad);
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
      tasks.push_back({key, std::span<const ImageInput>(&inputs[i], 1), scores[i].data()});
    }
    INKREAD_RETURN_IF_ERROR(MakeInputs(tasks, *networks.pool, LineInputBuffer()));
    INKREAD_RETURN_IF_ERROR(networks.cls->Run(tasks));
    for (size_t i = 0; i < wave.size(); ++i)
      lines[wave[i].lines[0]].is_upside_down = IsUpsideDown(networks.cls_kind, scores[i][0], scores[i][1]);
    return Status();
  });
}

namespace {

// Recognises the lines of one wave.
//
// widths, recognised  one per line of the image
Status RecogniseWave(std::span<const LineBatch> wave, SourceImage& image, std::span<const LineShape> lines,
                     std::span<const RecWidth> widths, const Networks& networks,
                     std::vector<RecognisedLine>& recognised) {
  static_assert(sizeof(CtcStep) == 8, "ctc_head writes an int and a float per step");
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
    tasks.push_back({key, std::span<const ImageInput>(inputs[b]), outputs[b].data()});
  }
  INKREAD_RETURN_IF_ERROR(MakeInputs(tasks, *networks.pool, LineInputBuffer()));
  INKREAD_RETURN_IF_ERROR(networks.rec->Run(tasks));
  for (size_t b = 0; b < wave.size(); ++b) {
    const size_t num_steps = outputs[b].size() / wave[b].lines.size();
    auto steps = outputs[b].begin();
    for (size_t line : wave[b].lines) {
      recognised[line].steps.assign(steps, steps + static_cast<ptrdiff_t>(num_steps));
      steps += static_cast<ptrdiff_t>(num_steps);
    }
  }
  return Status();
}

}  // namespace

Result<std::vector<RecognisedLine>> RecogniseLines(SourceImage& image, std::span<const LineShape> lines,
                                                   RecWidthRule rule, const Networks& networks) {
  std::vector<RecWidth> widths;
  std::vector<int> input_widths;
  for (const LineShape& line : lines) {
    widths.push_back(RecInputWidth(line.width(), line.height(), rule));
    input_widths.push_back(widths.back().total);
  }
  const std::vector<LineBatch> batches = MakeBatches(input_widths, networks.pool->num_threads());
  const auto waves = MakeWaves(batches, kRecHeight, networks.rec->prefers_batched_runs());
  std::vector<RecognisedLine> recognised(lines.size());
  INKREAD_RETURN_IF_ERROR(networks.pool->ParallelTry(
      waves.size(), [&](size_t w) { return RecogniseWave(waves[w], image, lines, widths, networks, recognised); }));
  return recognised;
}

namespace {

// What the detector takes of memory for an input of this size.
uint64_t BytesToDetect(const Size& size, Model& det) {
  const uint64_t pixels = uint64_t{1} * size.height * size.width;
  const Result<uint64_t> scratch = det.ScratchBytes({1, size.height, size.width, Head::kNetwork});
  return pixels * 4 * sizeof(float) + (scratch.ok() ? *scratch : 0);
}

std::vector<DetBox> InOrder(const std::vector<DetBox>& boxes, bool official) {
  std::vector<Quad> quads;
  for (const DetBox& box : boxes) quads.push_back(box.quad);
  std::vector<DetBox> sorted;
  for (const int i : official ? OfficialOrder(quads) : ReadingOrder(quads))
    sorted.push_back(boxes[static_cast<size_t>(i)]);
  return sorted;
}

// The boxes of the image's text, in the order of the answer.
Result<std::vector<DetBox>> DetectBoxes(SourceImage& image, const PipelineOptions& options, const Networks& networks,
                                        PipelineResult& result) {
  const ImageView& view = image.view();
  const DetParams& params = options.det;
  const Size size = DetInputSize(view.height_px, view.width_px, params);
  DetectorGate::Stay stay = networks.detector_gate->Enter(BytesToDetect(size, *networks.det));
  INKREAD_ASSIGN_OR_RETURN(const ProbabilityMap map, DetectMap(image, params, networks, stay.workspace(), result.ms));
  StageTimer timer(result.ms.boxes);
  bool cut = false;
  const std::vector<DetBox> boxes =
      BoxesFromMap(map.values, map.size.height, map.size.width, view.height_px, view.width_px, params, &cut);
  if (cut) {
    result.warnings.push_back(
        StrCat("more than ", params.max_candidates, " regions were found; only the lowest on the page were looked at"));
  }
  return InOrder(boxes, options.official_order);
}

}  // namespace

Result<PipelineResult> ReadText(const ImageView& view, const PipelineOptions& options, const Networks& networks) {
  PipelineResult result;
  SourceImage image(view, networks.det->chain());
  INKREAD_ASSIGN_OR_RETURN(std::vector<DetBox> boxes, DetectBoxes(image, options, networks, result));

  std::vector<LineShape> lines;
  {
    StageTimer timer(result.ms.crop);
    lines = CropLines(image, boxes, *networks.pool);
    if (options.use_classifier && networks.cls != nullptr) INKREAD_RETURN_IF_ERROR(TurnLines(image, lines, networks));
  }

  std::vector<RecognisedLine> recognised;
  {
    StageTimer timer(result.ms.recognise);
    INKREAD_ASSIGN_OR_RETURN(recognised, RecogniseLines(image, lines, options.width_rule, networks));
  }

  StageTimer timer(result.ms.decode);
  for (size_t i = 0; i < lines.size(); ++i) {
    PipelineLine line{boxes[i].quad, boxes[i].score, DecodeCtc(recognised[i].steps, *networks.dictionary),
                      lines[i].is_upside_down};
    if (line.text.score >= options.score_thresh) {
      result.lines.push_back(std::move(line));
    } else {
      ++result.dropped;
    }
  }
  return result;
}

}  // namespace inkread
