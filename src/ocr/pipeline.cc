#include "ocr/pipeline.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "base/aligned_buffer.h"
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

// Room for `floats` in a buffer.
Result<float*> ReserveFloats(AlignedBuffer& buffer, size_t floats) {
  INKREAD_RETURN_IF_ERROR(buffer.Reserve(floats * sizeof(float) + kInputSlackBytes));
  return reinterpret_cast<float*>(buffer.data());
}

// Rows of an image that one thread fills at a time.
constexpr int kRowsPerTask = 32;

// This thread's input of the networks that read lines, with room for `floats`; valid until the next call.
Result<float*> LineInput(size_t floats) {
  constexpr size_t kKeptBytes = size_t{4} << 20;  // few lines are so long
  thread_local AlignedBuffer buffer;
  if (buffer.size_bytes() > kKeptBytes) buffer.Release();
  return ReserveFloats(buffer, floats);
}

// Calls body(i) for i in [0, count) on the pool's threads; all are called. Returns the first error, by i.
template <typename Body>
Status ParallelTry(ThreadPool& pool, size_t count, Body&& body) {
  std::vector<Status> statuses(count);
  pool.ParallelFor(count, [&](size_t i) { statuses[i] = body(i); });
  for (Status& status : statuses) INKREAD_RETURN_IF_ERROR(std::move(status));
  return Status();
}

uint64_t BytesToDetect(const Size& size, Model& det) {
  const uint64_t pixels = uint64_t{1} * size.height * size.width;
  const Result<uint64_t> scratch = det.ScratchBytes({1, size.height, size.width, Head::kNetwork});
  return pixels * 4 * sizeof(float) + (scratch.ok() ? *scratch : 0);
}

Result<ProbabilityMap> DetectMapOnDevice(const ImageView& image, const DetParams& params, const Networks& networks,
                                         Workspace& workspace, PipelineTimes& ms, ImageOnDevices& on_device) {
  StageTimer timer(ms.detect);
  const DetSource source(image, params);
  std::optional<ImageOnDevices> canvas;  // of a tiny image, which crops are not cut from
  if (source.is_canvas()) canvas.emplace(source.view(), networks.det->devices());
  const ImageInput input{canvas ? &*canvas : &on_device, source.rule(), 0};
  const Size size = source.size();
  const size_t num_pixels = size_t{1} * size.height * size.width;
  INKREAD_ASSIGN_OR_RETURN(float* const output, ReserveFloats(workspace.output, num_pixels));
  const Task task{{1, size.height, size.width, Head::kNetwork}, nullptr, output, {&input, 1}};
  INKREAD_RETURN_IF_ERROR(networks.det->Run({&task, 1}));
  return ProbabilityMap{size, {output, num_pixels}};
}

}  // namespace

Result<ProbabilityMap> DetectMap(const ImageView& image, const DetParams& params, const Networks& networks,
                                 Workspace& workspace, PipelineTimes& ms, ImageOnDevices* on_device) {
  if (on_device != nullptr) return DetectMapOnDevice(image, params, networks, workspace, ms, *on_device);
  Size size;
  float* input = nullptr;
  {
    StageTimer timer(ms.detect_input);
    const DetInput det_input(image, params);
    size = det_input.size();
    INKREAD_ASSIGN_OR_RETURN(input, ReserveFloats(workspace.input, size_t{3} * size.height * size.width));
    const int num_tasks = (size.height + kRowsPerTask - 1) / kRowsPerTask;
    networks.pool->ParallelFor(num_tasks, [&](size_t i) {
      const int begin = static_cast<int>(i) * kRowsPerTask;
      det_input.FillRows(begin, std::min(begin + kRowsPerTask, size.height), input);
    });
  }
  StageTimer timer(ms.detect);
  const PlanKey key{1, size.height, size.width, Head::kNetwork};
  const size_t num_pixels = size_t{1} * size.height * size.width;
  float* output = input;
  INKREAD_ASSIGN_OR_RETURN(const bool in_place, networks.det->MayOverwriteInput(key));
  if (!in_place) {
    INKREAD_ASSIGN_OR_RETURN(output, ReserveFloats(workspace.output, num_pixels));
  }
  const Task task{key, input, output};
  INKREAD_RETURN_IF_ERROR(networks.det->Run({&task, 1}));
  return ProbabilityMap{size, {output, num_pixels}};
}

std::vector<LineCrop> CropLines(const ImageView& image, std::vector<DetBox>& boxes, ThreadPool& pool,
                                bool without_pixels) {
  std::vector<LineCrop> crops;
  size_t num_kept = 0;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const std::optional<LineShape> line = ShapeOfLine(boxes[i].quad);
    if (!line) continue;
    crops.push_back({*line, {}});
    boxes[num_kept++] = boxes[i];
  }
  boxes.resize(num_kept);
  if (!without_pixels) pool.ParallelFor(crops.size(), [&](size_t i) { crops[i].image = CutOut(image, crops[i]); });
  return crops;
}

Status TurnLines(std::vector<LineCrop>& crops, const Networks& networks, ImageOnDevices* on_device) {
  const Size size = ClsInputSize(networks.cls_kind);
  const PlanKey key{1, size.height, size.width, Head::kNetwork};
  if (on_device != nullptr) {
    std::vector<ImageInput> inputs;
    for (const LineCrop& crop : crops) {
      inputs.push_back({on_device, CropRuleOf(on_device->view(), crop), 0});
      SetClsInput(networks.cls_kind, crop.width(), crop.height(), inputs.back().rule);
    }
    std::vector<std::array<float, 2>> scores(crops.size());
    constexpr size_t kTogether = 64;  // enough to fill a device, few enough for a host that has to take over
    for (size_t begin = 0; begin < crops.size(); begin += kTogether) {
      std::vector<Task> tasks;
      for (size_t i = begin; i < std::min(begin + kTogether, crops.size()); ++i)
        tasks.push_back({key, nullptr, scores[i].data(), {&inputs[i], 1}});
      INKREAD_RETURN_IF_ERROR(networks.cls->Run(tasks));
    }
    for (size_t i = 0; i < crops.size(); ++i)
      crops[i].is_upside_down = IsUpsideDown(networks.cls_kind, scores[i][0], scores[i][1]);
    return Status();
  }
  return ParallelTry(*networks.pool, crops.size(), [&](size_t i) -> Status {
    INKREAD_ASSIGN_OR_RETURN(float* input, LineInput(size_t{3} * size.height * size.width));
    FillClsInput(crops[i].image.view(), networks.cls_kind, input);
    float scores[2];
    const Task task{key, input, scores};
    INKREAD_RETURN_IF_ERROR(networks.cls->Run({&task, 1}));
    crops[i].is_upside_down = IsUpsideDown(networks.cls_kind, scores[0], scores[1]);
    if (crops[i].is_upside_down) crops[i].image = RotatedHalfTurn(crops[i].image);
    return Status();
  });
}

namespace {

// Lines of equal width that run as one batch. What a line gives does not depend on the others: equal widths need no
// padding to each other, and a kernel computes each element alike whatever the batch.
struct Batch {
  int width = 0;
  std::vector<size_t> lines;
  size_t columns() const { return lines.size() * static_cast<size_t>(width); }
};

// More lines a batch read the weights less often; more batches than threads keep the threads busy. Long lines read the
// weights seldom as it is, and together would take much memory.
constexpr size_t kLinesPerBatch = 4;
constexpr size_t kColumnsPerBatch = 1600;

std::vector<Batch> MakeBatches(std::span<const RecWidth> widths, int num_threads) {
  std::vector<size_t> order(widths.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return widths[a].total > widths[b].total; });
  const size_t limit =
      std::clamp<size_t>(widths.size() / std::max<size_t>(1, 2 * static_cast<size_t>(num_threads)), 1, kLinesPerBatch);
  std::vector<Batch> batches;
  for (size_t i : order) {
    const int width = widths[i].total;
    if (batches.empty() || batches.back().width != width || batches.back().lines.size() == limit ||
        batches.back().columns() + width > kColumnsPerBatch)
      batches.push_back({width, {}});
    batches.back().lines.push_back(i);
  }
  // Longest first: what is handed out last is then short, and no thread is left alone with much.
  std::stable_sort(batches.begin(), batches.end(),
                   [](const Batch& a, const Batch& b) { return a.columns() > b.columns(); });
  return batches;
}

// Batches [begin, end), which go to the recogniser in one run.
struct Wave {
  size_t begin = 0, end = 0;
  size_t floats = 0;  // of their inputs
};

// A device that wants tasks together gets as many as their inputs may take memory. Else each batch is a wave: a thread
// fills its input just before it runs it, which is then still in its cache, and there are no more inputs than threads.
std::vector<Wave> MakeWaves(std::span<const Batch> batches, bool together) {
  constexpr size_t kWaveFloats = size_t{8} << 20;
  std::vector<Wave> waves;
  for (size_t b = 0; b < batches.size(); ++b) {
    const size_t floats = size_t{3} * kRecHeight * batches[b].columns();
    if (waves.empty() || !together || waves.back().floats + floats > kWaveFloats) waves.push_back({b, b, 0});
    waves.back().end = b + 1;
    waves.back().floats += floats;
  }
  return waves;
}

}  // namespace

Result<std::vector<RecognisedLine>> RecogniseLines(std::span<const LineCrop> crops, RecWidthRule rule,
                                                   const Networks& networks, ImageOnDevices* on_device) {
  std::vector<RecWidth> widths;
  for (const LineCrop& crop : crops) widths.push_back(RecInputWidth(crop.width(), crop.height(), rule));
  const std::vector<Batch> batches = MakeBatches(widths, networks.pool->num_threads());

  const std::vector<Wave> waves = MakeWaves(batches, networks.rec->prefers_batched_runs());

  std::vector<RecognisedLine> lines(crops.size());
  Status status = ParallelTry(*networks.pool, waves.size(), [&](size_t w) -> Status {
    const std::span<const Batch> wave = std::span(batches).subspan(waves[w].begin, waves[w].end - waves[w].begin);
    float* input = nullptr;
    if (on_device == nullptr) {
      INKREAD_ASSIGN_OR_RETURN(input, LineInput(waves[w].floats));
    }
    struct Fill {
      size_t line;
      float* out;
    };
    std::vector<Fill> fills;
    std::vector<std::vector<ImageInput>> images(wave.size());
    std::vector<Task> tasks;
    std::vector<std::vector<CtcStep>> outputs(wave.size());
    float* x = input;
    for (size_t b = 0; b < wave.size(); ++b) {
      const PlanKey key{static_cast<int64_t>(wave[b].lines.size()), kRecHeight, wave[b].width, Head::kCtc};
      INKREAD_ASSIGN_OR_RETURN(const Shape shape, networks.rec->OutputShape(key));
      outputs[b].resize(shape.num_pixels());
      static_assert(sizeof(CtcStep) == 8, "ctc_head writes an int and a float a step");
      const size_t line_floats = size_t{3} * kRecHeight * wave[b].width;
      if (on_device != nullptr) {
        for (size_t line : wave[b].lines) {
          ImageInput& made = images[b].emplace_back();
          made = {on_device, CropRuleOf(on_device->view(), crops[line]), (images[b].size() - 1) * line_floats};
          SetRecInput(widths[line], made.rule);
        }
        tasks.push_back({key, nullptr, outputs[b].data(), images[b]});
        continue;
      }
      tasks.push_back({key, x, outputs[b].data()});
      for (size_t line : wave[b].lines) {
        fills.push_back({line, x});
        x += line_floats;
      }
    }
    networks.pool->ParallelFor(fills.size(), [&](size_t i) {
      FillRecInput(crops[fills[i].line].image.view(), widths[fills[i].line], fills[i].out);
    });
    INKREAD_RETURN_IF_ERROR(networks.rec->Run(tasks));
    for (size_t b = 0; b < wave.size(); ++b) {
      const size_t t = outputs[b].size() / wave[b].lines.size();
      for (size_t k = 0; k < wave[b].lines.size(); ++k)
        lines[wave[b].lines[k]].steps.assign(outputs[b].begin() + k * t, outputs[b].begin() + (k + 1) * t);
    }
    return Status();
  });
  INKREAD_RETURN_IF_ERROR(std::move(status));
  return lines;
}

Result<PipelineResult> ReadText(const ImageView& image, const PipelineOptions& options, const Networks& networks) {
  PipelineResult result;
  // A device may fail on the way, and what comes after it still takes images.
  std::optional<ImageOnDevices> pixels;
  if (networks.det->WantsImage(image)) pixels.emplace(image, networks.det->devices());
  ImageOnDevices* const on_device = pixels ? &*pixels : nullptr;
  std::vector<DetBox> boxes;
  {
    const Size size = DetInputSize(image.height_px, image.width_px, options.det);
    DetectorGate::Stay stay = networks.detector_gate->Enter(BytesToDetect(size, *networks.det));
    Workspace& workspace = stay.workspace();
    INKREAD_ASSIGN_OR_RETURN(const ProbabilityMap map,
                             DetectMap(image, options.det, networks, workspace, result.ms, on_device));
    StageTimer timer(result.ms.boxes);
    bool cut = false;
    boxes =
        BoxesFromMap(map.values, map.size.height, map.size.width, image.height_px, image.width_px, options.det, &cut);
    SortInReadingOrder(&boxes);
    if (cut) {
      result.warnings.push_back(StrCat("more than ", options.det.max_candidates,
                                       " regions were found; only the lowest on the page were looked at"));
    }
  }

  std::vector<LineCrop> crops;
  {
    StageTimer timer(result.ms.crop);
    crops = CropLines(image, boxes, *networks.pool, on_device != nullptr);
    if (options.use_classifier && networks.cls != nullptr && !crops.empty())
      INKREAD_RETURN_IF_ERROR(TurnLines(crops, networks, on_device));
  }

  std::vector<RecognisedLine> recognised;
  {
    StageTimer timer(result.ms.recognise);
    INKREAD_ASSIGN_OR_RETURN(recognised, RecogniseLines(crops, options.width_rule, networks, on_device));
  }

  StageTimer timer(result.ms.decode);
  for (size_t i = 0; i < crops.size(); ++i) {
    PipelineLine line{boxes[i].quad, boxes[i].score, DecodeCtc(recognised[i].steps, *networks.dictionary),
                      crops[i].is_upside_down};
    if (line.text.score >= options.score_thresh) {
      result.lines.push_back(std::move(line));
    } else {
      ++result.dropped;
    }
  }
  return result;
}

}  // namespace inkread
