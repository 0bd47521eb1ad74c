#include "runtime/model.h"

#include <algorithm>
#include <new>
#include <utility>

#include "graph/import.h"
#include "image/warp.h"
#include "planner/image_input.h"

namespace inkread {
namespace {

// Whether all reads of the input come before the first write of the output, in a run that goes step by step, level by
// level or band by band.
bool ReadsInputFirst(const Schedule& schedule) {
  const std::vector<Step>& steps = schedule.steps;
  const Step* last_reader = nullptr;
  for (const Step& step : steps) {
    for (const Operand& x : step.reads) {
      if (x.space == Space::kInput) last_reader = &step;
    }
  }
  for (const Step& step : steps) {
    for (const Operand& y : step.writes) {
      if (y.space != Space::kOutput || last_reader == nullptr) continue;
      const bool is_same_band = step.band != 0 && step.band == last_reader->band;
      if (&step <= last_reader || step.level <= last_reader->level || is_same_band) return false;
    }
  }
  return true;
}

}  // namespace

// The jobs of one run, with what they need until it is over.
struct Model::Batch {
  std::vector<std::unique_ptr<const Program>> programs;
  std::vector<Job> jobs;
  void Add(std::unique_ptr<const Program> program, JobInput input, void* output, const Cancellation* cancellation) {
    jobs.push_back({program.get(), std::move(input), output, cancellation});
    programs.push_back(std::move(program));
  }
};

Model::Model(std::string path, std::shared_ptr<FallbackChain> chain)
    : path_(std::move(path)), chain_(std::move(chain)), prepared_(chain_->size()) {}

Result<std::unique_ptr<Model>> Model::Load(const std::string& path, std::shared_ptr<FallbackChain> chain) {
  std::unique_ptr<Model> model(new Model(path, std::move(chain)));
  while (true) {
    const int device = model->chain_->active();
    INKREAD_ASSIGN_OR_RETURN(Prepared * prepared, model->PreparedFor(device));
    const Status uploaded = model->UploadWeights(device);
    if (!uploaded.ok()) {
      if (model->chain_->FallBack(device, uploaded)) continue;
      return uploaded;
    }
    model->metadata_ = prepared->network->graph.metadata;
    return model;
  }
}

Result<Model::Prepared*> Model::PreparedFor(int device) {
  std::lock_guard lock(mutex_);
  if (prepared_[device] == nullptr) {
    INKREAD_ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::Open(path_));
    INKREAD_ASSIGN_OR_RETURN(Graph graph, ImportOnnx(std::make_shared<const MappedFile>(std::move(mapped)), path_));
    input_dims_ = graph.input_dims;
    if (input_dims_.size() == 4 && input_dims_[3] == 3 && input_dims_[1] != 3) {
      return Unsupported(path_, ": its input is declared as ", DimsToString(input_dims_),
                         ", with the channels last; expected [n, 3, h, w]");
    }
    // Exporters also fix the sizes of networks that take any. Where a network does depend on them, planning it for
    // others fails.
    if (graph.input_dims.size() == 4) graph.input_dims = {-1, input_dims_[1], -1, -1};
    auto prepared = std::make_unique<Prepared>();
    auto network = PrepareNetwork(std::move(graph), chain_->backend(device).Caps());
    if (!network.ok()) return Status(network.status().code(), network.status().message() + ShapeRemedy());
    prepared->network = *std::move(network);
    prepared_[device] = std::move(prepared);
  }
  return prepared_[device].get();
}

std::string Model::ShapeRemedy() const {
  const bool is_fixed = input_dims_.size() == 4 && input_dims_[2] > 0 && input_dims_[3] > 0;
  if (!is_fixed) return "";
  return StrCat("; it was exported for inputs of ", DimsToString(input_dims_), ": export it with dynamic shapes");
}

Result<Model::Schedules> Model::SchedulesFor(int device, std::span<const Task> tasks) {
  INKREAD_ASSIGN_OR_RETURN(Prepared * prepared, PreparedFor(device));
  Schedules schedules;
  bool has_images = false;
  for (const Task& task : tasks) {
    INKREAD_ASSIGN_OR_RETURN(schedules.emplace_back(), prepared->plans.Get(*prepared->network, task.shape));
    has_images |= std::holds_alternative<std::span<const ImageInput>>(task.input);
  }
  if (!has_images) return schedules;
  std::lock_guard lock(mutex_);
  if (prepared->warp_weights == nullptr) {
    const std::span<const std::byte> table = std::as_bytes(CubicWarpWeights());
    auto block = std::make_shared<AlignedBuffer>();
    INKREAD_RETURN_IF_ERROR(block->Reserve(table.size() + kArenaSlackBytes));
    std::copy(table.begin(), table.end(), block->data());
    prepared->warp_weights = std::move(block);
  }
  return schedules;
}

Result<std::shared_ptr<const Schedule>> Model::ScheduleFor(const PlanKey& shape) {
  INKREAD_ASSIGN_OR_RETURN(Prepared * prepared, PreparedFor(chain_->active()));
  return prepared->plans.Get(*prepared->network, shape);
}

Status Model::UploadWeights(int device) {
  std::lock_guard lock(mutex_);
  Prepared& prepared = *prepared_[device];
  if (prepared.weights != nullptr) return Status();
  const Network& network = *prepared.network;
  INKREAD_ASSIGN_OR_RETURN(prepared.weights, chain_->backend(device).Upload(
                                                 {network.weights.data(), network.weights_bytes}, prepared.network));
  return Status();
}

Result<std::shared_ptr<const DeviceWeights>> Model::ImageWeightsOn(int device) {
  std::lock_guard lock(mutex_);
  Prepared& prepared = *prepared_[device];
  if (prepared.image_weights == nullptr) {
    const std::shared_ptr<const AlignedBuffer>& block = prepared.warp_weights;
    INKREAD_ASSIGN_OR_RETURN(prepared.image_weights,
                             chain_->backend(device).Upload({block->data(), CubicWarpWeights().size_bytes()}, block));
  }
  return prepared.image_weights;
}

Status Model::AddImageJobs(int device, std::span<const ImageInput> parts, Batch& batch) {
  INKREAD_ASSIGN_OR_RETURN(const auto weights, ImageWeightsOn(device));
  for (const ImageInput& part : parts) {
    INKREAD_ASSIGN_OR_RETURN(const DeviceImage* const image, part.image->On(device));
    INKREAD_ASSIGN_OR_RETURN(auto program, chain_->backend(device).Compile(
                                               std::make_shared<const Schedule>(PlanImageInput(part.rule)), weights));
    batch.Add(std::move(program), image, nullptr, nullptr);
  }
  return Status();
}

Status Model::RunOn(int device, std::span<const Task> tasks, const Schedules& schedules) {
  INKREAD_RETURN_IF_ERROR(UploadWeights(device));
  Backend& backend = chain_->backend(device);
  Batch batch;
  for (size_t i = 0; i < tasks.size(); ++i) {
    JobInput input;
    if (const auto* values = std::get_if<const float*>(&tasks[i].input)) {
      input = *values;
    } else {
      const auto images = std::get<std::span<const ImageInput>>(tasks[i].input);
      std::vector<InputPart> parts;
      for (const ImageInput& image : images) parts.push_back({batch.jobs.size() + parts.size(), image.first_float});
      INKREAD_RETURN_IF_ERROR(AddImageJobs(device, images, batch));
      input = std::move(parts);
    }
    INKREAD_ASSIGN_OR_RETURN(auto program, backend.Compile(schedules[i], prepared_[device]->weights));
    batch.Add(std::move(program), std::move(input), tasks[i].output, tasks[i].cancellation);
  }
  return backend.Run(batch.jobs);
}

namespace {

Status CheckCancellations(std::span<const Task> tasks) {
  for (const Task& task : tasks) {
    if (task.cancellation != nullptr) INKREAD_RETURN_IF_ERROR(task.cancellation->Check());
  }
  return Status();
}

}  // namespace

Status Model::Run(std::span<const Task> tasks) {
  while (true) {
    INKREAD_RETURN_IF_ERROR(CheckCancellations(tasks));
    const int device = chain_->active();
    INKREAD_ASSIGN_OR_RETURN(const Schedules schedules, SchedulesFor(device, tasks));
    const Status status = RunOn(device, tasks, schedules);
    if (status.ok()) return CheckCancellations(tasks);
    if (!chain_->FallBack(device, status)) return status;
  }
}

void Model::Expect(const PlanKey& shape) {
  const int device = chain_->active();
  if (!chain_->backend(device).Caps().compiles_ahead) return;
  try {
    const Result<Prepared*> prepared = PreparedFor(device);
    if (!prepared.ok()) return;
    // Not through the cache: nobody has asked for this plan.
    const Result<Schedule> schedule = PlanFor(*(*prepared)->network, shape);
    if (schedule.ok()) chain_->backend(device).Expect(*schedule);
  } catch (const std::bad_alloc&) {  // the first run will report it
  }
}

Result<Shape> Model::OutputShape(const PlanKey& shape) {
  INKREAD_ASSIGN_OR_RETURN(const auto schedule, ScheduleFor(shape));
  return schedule->output;
}

Result<uint64_t> Model::ScratchBytes(const PlanKey& shape) {
  INKREAD_ASSIGN_OR_RETURN(const auto schedule, ScheduleFor(shape));
  return schedule->arena_bytes;
}

Result<bool> Model::MayOverwriteInput(const PlanKey& shape) {
  INKREAD_ASSIGN_OR_RETURN(const auto schedule, ScheduleFor(shape));
  const auto words = [](const Shape& s) { return s.num_pixels() * s.c; };
  return chain_->active() + 1 == chain_->size() && words(schedule->output) <= words(schedule->input) &&
         ReadsInputFirst(*schedule);
}

PlanCache::Stats Model::stats() const {
  std::lock_guard lock(mutex_);
  PlanCache::Stats sum;
  for (const auto& prepared : prepared_) {
    if (prepared == nullptr) continue;
    const PlanCache::Stats one = prepared->plans.stats();
    sum.hits += one.hits;
    sum.misses += one.misses;
  }
  return sum;
}

}  // namespace inkread
