#include "ocr/pipeline.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "ocr/reading_order.h"

namespace inkread {
namespace {

// Adds the time since its making to a stage.
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

// Vectors may read this far behind an input (schedule/backend.h).
constexpr size_t kInputSlackBytes = 64;

// Room for `floats` in a buffer.
Result<float*> ReserveFloats(AlignedBuffer& buffer, size_t floats) {
  INKREAD_RETURN_IF_ERROR(buffer.Reserve(floats * sizeof(float) + kInputSlackBytes));
  return reinterpret_cast<float*>(buffer.data());
}

// Rows of a picture that one thread fills at a time.
constexpr int kRowsPerTask = 32;

}  // namespace

Result<Size> DetectMap(const ImageView& picture, const DetParams& params, const Networks& networks,
                       Workspace& workspace, PipelineTimes& ms) {
  Size size;
  float* input = nullptr;
  {
    StageTimer timer(ms.detect_input);
    const DetInput det_input(picture, params);
    size = det_input.size();
    INKREAD_ASSIGN_OR_RETURN(input, ReserveFloats(workspace.input, size_t{3} * size.height * size.width));
    const int num_tasks = (size.height + kRowsPerTask - 1) / kRowsPerTask;
    networks.pool->ParallelFor(num_tasks, [&](size_t i) {
      const int begin = static_cast<int>(i) * kRowsPerTask;
      det_input.FillRows(begin, std::min(begin + kRowsPerTask, size.height), input);
    });
  }
  StageTimer timer(ms.detect);
  INKREAD_ASSIGN_OR_RETURN(float* output, ReserveFloats(workspace.output, size_t{1} * size.height * size.width));
  const Task task{{1, size.height, size.width, Head::kNetwork}, input, output};
  INKREAD_RETURN_IF_ERROR(networks.det->Run({&task, 1}));
  return size;
}

std::vector<LineCrop> CropLines(const ImageView& picture, std::vector<DetBox>& boxes, ThreadPool& pool) {
  std::vector<std::optional<LineCrop>> crops(boxes.size());
  pool.ParallelFor(boxes.size(), [&](size_t i) { crops[i] = CropLine(picture, boxes[i].quad); });
  std::vector<LineCrop> kept;
  size_t num_kept = 0;
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (!crops[i]) continue;
    kept.push_back(std::move(*crops[i]));
    boxes[num_kept++] = boxes[i];
  }
  boxes.resize(num_kept);
  return kept;
}

Result<std::vector<bool>> TurnLines(std::vector<LineCrop>& crops, const Networks& networks, Workspace& workspace) {
  const Size size = ClsInputSize(networks.cls_kind);
  const size_t floats = size_t{3} * size.height * size.width;
  INKREAD_ASSIGN_OR_RETURN(float* input, ReserveFloats(workspace.input, floats * crops.size()));
  std::vector<float> scores(crops.size() * 2);
  networks.pool->ParallelFor(
      crops.size(), [&](size_t i) { FillClsInput(crops[i].picture.view(), networks.cls_kind, input + i * floats); });
  std::vector<Task> tasks;
  for (size_t i = 0; i < crops.size(); ++i)
    tasks.push_back({{1, size.height, size.width, Head::kNetwork}, input + i * floats, &scores[i * 2]});
  INKREAD_RETURN_IF_ERROR(networks.cls->Run(tasks));

  std::vector<bool> turned(crops.size());
  for (size_t i = 0; i < crops.size(); ++i) {
    turned[i] = IsUpsideDown(networks.cls_kind, scores[i * 2], scores[i * 2 + 1]);
    if (turned[i]) crops[i].picture = RotatedHalfTurn(crops[i].picture);
  }
  return turned;
}

namespace {

// Lines of equal width that run as one batch. What a line gives does not depend on the others: equal widths need no
// padding to each other, and a kernel computes each element alike whatever the batch.
struct Batch {
  int width = 0;
  std::vector<size_t> lines;
};

// More lines a batch read the weights less often; more batches than threads keep the threads busy.
constexpr size_t kLinesPerBatch = 4;

std::vector<Batch> MakeBatches(std::span<const RecWidth> widths, int num_threads) {
  std::vector<size_t> order(widths.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  // Longest first: the last batches to be handed out are then the short ones.
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return widths[a].total > widths[b].total; });
  const size_t limit =
      std::clamp<size_t>(widths.size() / std::max<size_t>(1, 2 * static_cast<size_t>(num_threads)), 1, kLinesPerBatch);
  std::vector<Batch> batches;
  for (size_t i : order) {
    if (batches.empty() || batches.back().width != widths[i].total || batches.back().lines.size() == limit)
      batches.push_back({widths[i].total, {}});
    batches.back().lines.push_back(i);
  }
  return batches;
}

// Input of the recogniser that lies in memory at once, in floats: enough for every thread, however many lines there
// are.
constexpr size_t kWaveFloats = size_t{8} << 20;

}  // namespace

Result<std::vector<RecognisedLine>> RecogniseLines(std::span<const LineCrop> crops, RecWidthRule rule,
                                                   const Networks& networks, Workspace& workspace) {
  std::vector<RecWidth> widths;
  for (const LineCrop& crop : crops)
    widths.push_back(RecInputWidth(crop.picture.width_px, crop.picture.height_px, rule));
  const std::vector<Batch> batches = MakeBatches(widths, networks.pool->num_threads());

  std::vector<RecognisedLine> lines(crops.size());
  for (size_t begin = 0; begin < batches.size();) {
    // A wave: as many batches as fit, at least one.
    size_t end = begin, floats = 0;
    std::vector<size_t> offsets;
    while (end < batches.size()) {
      const size_t more = batches[end].lines.size() * kRecHeight * batches[end].width * 3;
      if (end > begin && floats + more > kWaveFloats) break;
      offsets.push_back(floats);
      floats += more;
      ++end;
    }
    INKREAD_ASSIGN_OR_RETURN(float* input, ReserveFloats(workspace.input, floats));
    struct Fill {
      size_t line;
      float* out;
    };
    std::vector<Fill> fills;
    std::vector<Task> tasks;
    std::vector<std::vector<CtcStep>> outputs(end - begin);
    for (size_t b = begin; b < end; ++b) {
      const Batch& batch = batches[b];
      const PlanKey key{static_cast<int64_t>(batch.lines.size()), kRecHeight, batch.width, Head::kCtc};
      INKREAD_ASSIGN_OR_RETURN(const Shape shape, networks.rec->OutputShape(key));
      outputs[b - begin].resize(shape.num_pixels());
      float* x = input + offsets[b - begin];
      for (size_t k = 0; k < batch.lines.size(); ++k)
        fills.push_back({batch.lines[k], x + k * kRecHeight * batch.width * 3});
      static_assert(sizeof(CtcStep) == 8, "ctc_head writes an int and a float a step");
      tasks.push_back({key, x, outputs[b - begin].data()});
    }
    networks.pool->ParallelFor(fills.size(), [&](size_t i) {
      FillRecInput(crops[fills[i].line].picture.view(), widths[fills[i].line], fills[i].out);
    });
    INKREAD_RETURN_IF_ERROR(networks.rec->Run(tasks));
    for (size_t b = begin; b < end; ++b) {
      const std::vector<CtcStep>& steps = outputs[b - begin];
      const size_t t = steps.size() / batches[b].lines.size();
      for (size_t k = 0; k < batches[b].lines.size(); ++k)
        lines[batches[b].lines[k]].steps.assign(steps.begin() + k * t, steps.begin() + (k + 1) * t);
    }
    begin = end;
  }
  return lines;
}

Result<PipelineResult> ReadText(const ImageView& picture, const PipelineOptions& options, const Networks& networks,
                                Workspace& workspace) {
  PipelineResult result;
  INKREAD_ASSIGN_OR_RETURN(const Size map, DetectMap(picture, options.det, networks, workspace, result.ms));

  std::vector<DetBox> boxes;
  {
    StageTimer timer(result.ms.boxes);
    bool cut = false;
    boxes = BoxesFromMap({reinterpret_cast<const float*>(workspace.output.data()), size_t{1} * map.height * map.width},
                         map.height, map.width, picture.height_px, picture.width_px, options.det, &cut);
    SortInReadingOrder(&boxes);
    if (cut) {
      result.warnings.push_back(StrCat("more than ", options.det.max_candidates,
                                       " regions were found; only the lowest on the page were looked at"));
    }
  }

  std::vector<LineCrop> crops;
  std::vector<bool> turned;
  {
    StageTimer timer(result.ms.crop);
    crops = CropLines(picture, boxes, *networks.pool);
    turned.assign(crops.size(), false);
    if (options.use_classifier && networks.cls != nullptr && !crops.empty()) {
      INKREAD_ASSIGN_OR_RETURN(turned, TurnLines(crops, networks, workspace));
    }
  }

  std::vector<RecognisedLine> recognised;
  {
    StageTimer timer(result.ms.recognise);
    INKREAD_ASSIGN_OR_RETURN(recognised, RecogniseLines(crops, options.width_rule, networks, workspace));
  }

  StageTimer timer(result.ms.decode);
  for (size_t i = 0; i < crops.size(); ++i) {
    PipelineLine line{boxes[i].quad, boxes[i].score, DecodeCtc(recognised[i].steps, *networks.dictionary), turned[i]};
    if (line.text.score >= options.score_thresh) {
      result.lines.push_back(std::move(line));
    } else {
      ++result.dropped;
    }
  }
  return result;
}

}  // namespace inkread
