// The public Engine over ocr/: options checked, models loaded, pictures handed to the pipeline.
#include <chrono>
#include <cstdlib>
#include <new>
#include <utility>

#include "api/load.h"
#include "base/model_folder.h"
#include "base/usable_cpus.h"
#include "inkread/ocr.h"
#include "session/selection.h"

namespace inkread {
namespace {

// A device that cannot be opened is passed over with a reason, or an error with `strict`.
struct OpenedDevices {
  std::shared_ptr<Devices> devices;
  std::string passed_over;
};
Result<OpenedDevices> OpenDevices(const EngineOptions& options, ThreadPool* pool) {
  const char* environment = std::getenv("INKREAD_BACKEND");
  const DeviceWish wish{options.backend, options.device, environment == nullptr ? "" : environment, options.precision};
  INKREAD_ASSIGN_OR_RETURN(const std::vector<DeviceChoice> choices, ChooseDevices(wish, ListGpuDevices));
  OpenedDevices opened;
  std::vector<Devices::Entry> entries;
  for (const DeviceChoice& choice : choices) {
    const std::string name = BackendName(choice.backend);
    const std::string device = choice.device.empty() ? "" : ":" + choice.device;
    Result<std::unique_ptr<Backend>> backend = OpenBackend(name + device, pool, choice.fast);
    if (backend.ok()) {
      entries.push_back({name, std::move(backend).value()});
    } else if (options.strict_backend || &choice == &choices.back()) {
      return backend.status();
    } else {
      opened.passed_over = backend.status().message();
    }
  }
  opened.devices = std::make_shared<Devices>(std::move(entries), options.strict_backend);
  return opened;
}

double MillisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

struct Engine::Impl {
  EngineOptions options;
  std::string passed_over;
  std::unique_ptr<ThreadPool> pool;
  std::shared_ptr<Devices> devices;
  LoadedModels models;

  OcrBackend ActiveBackend() const {
    const std::string& name = devices->name(devices->active());
    for (OcrBackend backend : {OcrBackend::kVulkan, OcrBackend::kMetal}) {
      if (name == BackendName(backend)) return backend;
    }
    return OcrBackend::kCpu;
  }

  bool IsFast() const { return devices->backend(devices->active()).Caps().weights_form != INKREAD_WEIGHTS_F32; }

  // Why the active device does not do what was asked for; empty where it does.
  std::string PrecisionReason() const {
    const DeviceCaps& caps = devices->backend(devices->active()).Caps();
    if (options.precision != Precision::kFast || IsFast()) return "";
    const std::string why = caps.why_not_fast.empty() ? "there are no 16-bit kernels" : caps.why_not_fast;
    return StrCat("precision fast is not in the ", BackendName(ActiveBackend()), " backend: ", why,
                  "; precise was used");
  }

  PipelineOptions ToPipelineOptions(const ReadOptions& read) const {
    PipelineOptions p;
    const ModelSettings& settings = models.settings;
    p.det.max_candidates = settings.det_max_candidates;
    if (read.profile == Profile::kFast960) {
      p.det.limit_type = LimitType::kMax;
      p.det.limit_side = 960;
      p.det.thresh = settings.det_thresh;
      p.det.box_thresh = settings.det_box_thresh;
      p.det.unclip_ratio = settings.det_unclip_ratio;
    }
    p.width_rule = read.official ? RecWidthRule::kOfficial : RecWidthRule::kMeasured;
    p.use_classifier = read.use_classifier;
    p.score_thresh = read.score_thresh;
    return p;
  }

  Result<Reading> Read(const ImageView& image, const ReadOptions& read) {
    const auto start = std::chrono::steady_clock::now();
    INKREAD_RETURN_IF_ERROR(CheckPicture(image));
    const int64_t pixels = int64_t{image.width_px} * image.height_px;
    if (pixels > read.max_pixels)
      return InvalidArgument("the picture is ", image.width_px, " x ", image.height_px, " = ", pixels,
                             " pixels, more than the limit of ", read.max_pixels);
    Result<PipelineResult> result = ReadText(image, ToPipelineOptions(read), models.networks);
    if (!result.ok()) return result.status();

    Reading reading;
    reading.width_px = image.width_px;
    reading.height_px = image.height_px;
    reading.backend = ActiveBackend();
    reading.dropped = result->dropped;
    reading.warnings = std::move(result->warnings);
    if (std::string reason = PrecisionReason(); !reason.empty()) reading.warnings.push_back(std::move(reason));
    for (PipelineLine& line : result->lines) {
      reading.lines.push_back({line.quad, std::move(line.text.text), static_cast<float>(line.text.score),
                               static_cast<float>(line.det_score), line.rotated_180});
    }
    const PipelineTimes& ms = result->ms;
    reading.ms = {MillisecondsSince(start), ms.detect_input, ms.detect, ms.boxes, ms.crop, ms.recognise, ms.decode};
    return reading;
  }

  // Nothing throws but the standard library when memory runs out.
  Result<Reading> ReadOrOutOfMemory(const ImageView& image, const ReadOptions& read) {
    try {
      return Read(image, read);
    } catch (const std::bad_alloc&) {
      return OutOfMemory("no memory to read a picture of ", image.width_px, " x ", image.height_px, " px");
    }
  }
};

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::Create(const EngineOptions& options) {
  if (options.num_threads < 0) return InvalidArgument("num_threads is ", options.num_threads, ", expected 0 or more");
  try {
    const std::string size = ModelSizeName(options.size);
    std::string folder = options.model_folder;
    if (folder.empty()) {
      INKREAD_ASSIGN_OR_RETURN(const std::string all, ModelFolder());
      folder = ModelSizeFolder(all, size);
    }
    auto impl = std::make_unique<Impl>();
    impl->options = options;
    impl->pool = std::make_unique<ThreadPool>(options.num_threads > 0 ? options.num_threads : UsableCpus());
    INKREAD_ASSIGN_OR_RETURN(OpenedDevices opened, OpenDevices(options, impl->pool.get()));
    impl->devices = std::move(opened.devices);
    impl->passed_over = std::move(opened.passed_over);
    if (options.strict_backend && !impl->PrecisionReason().empty()) return Unsupported(impl->PrecisionReason());
    INKREAD_ASSIGN_OR_RETURN(impl->models,
                             LoadModels(folder, size, options.use_classifier, impl->devices, impl->pool.get()));
    return std::unique_ptr<Engine>(new Engine(std::move(impl)));
  } catch (const std::bad_alloc&) {
    return OutOfMemory("no memory to load the models");
  }
}

Result<Reading> Engine::Read(const ImageView& image, const ReadOptions& options) const {
  return impl_->ReadOrOutOfMemory(image, options);
}

std::vector<Result<Reading>> Engine::ReadMany(std::span<const ImageView> images, const ReadOptions& options) const {
  std::vector<Result<Reading>> readings(images.size(), Status(StatusCode::kInternal, "not read"));
  impl_->pool->ParallelForThatWaits(images.size(),
                                    [&](size_t i) { readings[i] = impl_->ReadOrOutOfMemory(images[i], options); });
  return readings;
}

EngineInfo Engine::Info() const {
  EngineInfo info;
  info.backend = impl_->ActiveBackend();
  info.device = impl_->devices->backend(impl_->devices->active()).Caps().device;
  info.fallback_reason = impl_->devices->fallback_reason();
  if (info.fallback_reason.empty()) info.fallback_reason = impl_->passed_over;
  info.precision_reason = impl_->PrecisionReason();
  info.precision = impl_->IsFast() ? Precision::kFast : Precision::kPrecise;
  info.num_threads = impl_->pool->num_threads();
  info.size = impl_->options.size;
  info.has_classifier = impl_->models.networks.cls != nullptr;
  for (const Model* model :
       {impl_->models.networks.det.get(), impl_->models.networks.rec.get(), impl_->models.networks.cls.get()}) {
    if (model == nullptr) continue;
    const PlanCache::Stats stats = model->stats();
    info.plan_cache_hits += stats.hits;
    info.plan_cache_misses += stats.misses;
  }
  return info;
}

}  // namespace inkread
