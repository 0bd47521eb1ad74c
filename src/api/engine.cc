// The public Engine: checks options, loads models and hands images to the pipeline.
#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "api/model_files.h"
#include "api/read_options.h"
#include "api/replica.h"
#include "base/usable_cpus.h"
#include "inkread/ocr.h"
#include "ocr/given_lines.h"
#include "runtime/load_balancer.h"

namespace inkread {
namespace {

double MillisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Status CheckOptions(const EngineOptions& options) {
  INKREAD_RETURN_IF_ERROR(
      CheckEnum("EngineOptions::size", static_cast<int>(options.size), ModelSizeName(options.size)));
  INKREAD_RETURN_IF_ERROR(
      CheckEnum("EngineOptions::backend", static_cast<int>(options.backend), BackendName(options.backend)));
  INKREAD_RETURN_IF_ERROR(
      CheckEnum("EngineOptions::precision", static_cast<int>(options.precision), PrecisionName(options.precision)));
  if (options.num_threads < 0) return InvalidArgument("num_threads is ", options.num_threads, ", expected 0 or more");
  return Status();
}

}  // namespace

struct Engine::Impl {
  explicit Impl(const EngineOptions& engine_options)
      : options(engine_options), pool(engine_options.num_threads > 0 ? engine_options.num_threads : UsableCpus()) {}

  const EngineOptions options;
  ThreadPool pool;
  Replicas replicas;
  std::optional<LoadBalancer> balancer;  // over the replicas
  // Readings by device, as EngineInfo::devices orders them.
  std::vector<std::atomic<uint64_t>> num_reads;

  void Take(Replicas made) {
    replicas = std::move(made);
    std::vector<std::shared_ptr<const FallbackChain>> chains;
    for (const auto& replica : replicas.all) chains.push_back(replica->chain());
    balancer.emplace(std::move(chains));
    num_reads = std::vector<std::atomic<uint64_t>>(NumGpus() + 1);
  }

  size_t NumGpus() const { return replicas.all[0]->chain()->size() > 1 ? replicas.all.size() : 0; }

  PipelineOptions ToPipelineOptions(const ReadOptions& read) const {
    PipelineOptions p;
    const ModelSettings& settings = replicas.all[0]->models().settings;
    p.det.max_candidates = settings.det_max_candidates;
    p.det.fits_page = read.profile == Profile::kAuto && !read.official;
    if (read.profile == Profile::kFast960) {
      p.det.limit_type = LimitType::kMax;
      p.det.limit_side = 960;
      p.det.thresh = settings.det_thresh;
      p.det.box_thresh = settings.det_box_thresh;
      p.det.unclip_ratio = settings.det_unclip_ratio;
    }
    p.recognise = read.recognise;
    p.rec.width_rule = read.official ? RecWidthRule::kOfficial : RecWidthRule::kMeasured;
    p.rec.find_spaces = !read.official;
    p.use_classifier = read.use_classifier;
    p.find_turn = !read.official;
    p.join_boxes = !read.official;
    p.score_thresh = read.score_thresh;
    p.words = read.words;
    p.chars = read.chars;
    p.official_order = read.official || read.order == LineOrder::kOfficial;
    return p;
  }

  Result<Reading> Read(const ImageView& image, const ReadOptions& read) {
    const auto start = std::chrono::steady_clock::now();
    INKREAD_RETURN_IF_ERROR(CheckImage(image));
    INKREAD_RETURN_IF_ERROR(CheckOptions(read));
    INKREAD_ASSIGN_OR_RETURN(const Rect region, RegionOf(image, read));
    const ImageView part = PartOf(image, region);
    INKREAD_RETURN_IF_ERROR(CheckSize(part, read.max_pixels));
    INKREAD_ASSIGN_OR_RETURN(const std::vector<Quad> boxes, BoxesIn(region, read.boxes));
    const Cancellation cancellation(read.cancel, DeadlineOf(start, read.time_limit_ms));
    const LoadBalancer::Lease lease = balancer->Begin();
    const Replica& replica = *replicas.all[lease.device()];
    INKREAD_ASSIGN_OR_RETURN(PipelineResult result, ReadWith(replica, part, boxes, read, cancellation));
    MoveBy({region.x, region.y}, result);

    Reading reading;
    reading.width_px = image.width_px;
    reading.height_px = image.height_px;
    reading.backend = replica.backend();
    const size_t device = reading.backend == OcrBackend::kCpu ? NumGpus() : lease.device();
    reading.device = static_cast<int>(device);
    ++num_reads[device];
    reading.turned_deg = static_cast<float>(result.turned_deg);
    reading.dropped = result.dropped;
    reading.warnings = std::move(result.warnings);
    if (std::string reason = replica.PrecisionReason(); !reason.empty()) reading.warnings.push_back(std::move(reason));
    for (PipelineLine& line : result.lines) {
      reading.lines.push_back({line.quad, std::move(line.text.text), static_cast<float>(line.text.score),
                               static_cast<float>(line.det_score), line.rotated_180, std::move(line.parts.words),
                               std::move(line.parts.chars)});
    }
    const PipelineTimes& ms = result.ms;
    reading.ms = {MillisecondsSince(start), ms.detect_input, ms.detect, ms.boxes, ms.crop, ms.recognise, ms.decode};
    return reading;
  }

  Result<PipelineResult> ReadWith(const Replica& replica, const ImageView& image, std::span<const Quad> boxes,
                                  const ReadOptions& read, const Cancellation& cancellation) const {
    const PipelineOptions stages = ToPipelineOptions(read);
    const Networks& networks = replica.models().networks;
    if (!boxes.empty()) return ReadGivenLines(image, boxes, stages, networks, &cancellation);
    if (!read.detect) return ReadAsOneLine(image, stages, networks, &cancellation);
    return ReadText(image, stages, networks, &cancellation);
  }

  // One read keeps a thread at work, waits for a device included.
  Result<Reading> ReadWithoutExceptions(const ImageView& image, const ReadOptions& read) {
    const ThreadPool::Busy busy(pool);
    return WithoutExceptions([&]() -> Result<Reading> {
      try {
        return Read(image, read);
      } catch (const std::bad_alloc&) {
        return OutOfMemory("no memory to read an image of ", image.width_px, " x ", image.height_px, " px");
      }
    });
  }
};

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::Create(const EngineOptions& options) {
  return WithoutExceptions([&]() -> Result<std::unique_ptr<Engine>> {
    INKREAD_RETURN_IF_ERROR(CheckOptions(options));
    INKREAD_ASSIGN_OR_RETURN(const ModelFiles files, FindModelFiles(options));
    auto impl = std::make_unique<Impl>(options);
    INKREAD_ASSIGN_OR_RETURN(Replicas replicas, MakeReplicas(options, files, &impl->pool));
    impl->Take(std::move(replicas));
    return std::unique_ptr<Engine>(new Engine(std::move(impl)));
  });
}

Result<Reading> Engine::Read(const ImageView& image, const ReadOptions& options) const {
  return impl_->ReadWithoutExceptions(image, options);
}

std::vector<Result<Reading>> Engine::ReadMany(std::span<const ImageView> images, const ReadOptions& options) const {
  std::vector<Result<Reading>> readings(images.size(), Status(StatusCode::kInternal, "not read"));
  const auto read = [&](size_t i) { readings[i] = impl_->ReadWithoutExceptions(images[i], options); };
  impl_->pool.ParallelForThatWaits(images.size(), std::ref(read));  // a reference takes no memory
  return readings;
}

EngineInfo Engine::Info() const {
  const std::vector<std::unique_ptr<Replica>>& replicas = impl_->replicas.all;
  const Replica& next = *replicas[impl_->balancer->WhenIdle()];
  EngineInfo info;
  info.backend = next.backend();
  info.device = next.caps().device;
  info.fallback_reason = impl_->replicas.skipped;
  for (const auto& replica : replicas) {
    const FallbackChain& chain = *replica->chain();
    const std::string fault = chain.fallback_reason();
    if (!fault.empty()) info.fallback_reason += (info.fallback_reason.empty() ? "" : "; ") + fault;
    if (info.devices.size() < impl_->NumGpus())
      info.devices.push_back({replica->chosen(), chain.backend(0).Caps().device, 0, fault});
    if (info.precision_reason.empty()) info.precision_reason = replica->PrecisionReason();
    const Networks& networks = replica->models().networks;
    for (const Model* model : {networks.det.get(), networks.rec.get(), networks.cls.get()}) {
      if (model == nullptr) continue;
      const PlanCache::Stats stats = model->stats();
      info.plan_cache_hits += stats.hits;
      info.plan_cache_misses += stats.misses;
    }
  }
  const FallbackChain& any = *replicas[0]->chain();
  info.devices.push_back({OcrBackend::kCpu, any.backend(any.size() - 1).Caps().device, 0, ""});
  for (size_t i = 0; i < info.devices.size(); ++i) info.devices[i].num_reads = impl_->num_reads[i];
  info.precision = next.IsFast() ? Precision::kFast : Precision::kPrecise;
  info.num_threads = impl_->pool.num_threads();
  info.size = impl_->options.size;
  info.has_classifier = replicas[0]->models().networks.cls != nullptr;
  return info;
}

}  // namespace inkread
