#include "runtime/model.h"

#include <algorithm>
#include <new>
#include <utility>

#include "graph/import.h"
#include "planner/image_input.h"

namespace inkread {
namespace {

// Whether steps that run in order, level by level or band by band have read the input before they write the output.
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

Model::Model(std::string path, std::shared_ptr<FallbackChain> devices)
    : path_(std::move(path)), devices_(std::move(devices)), prepared_(devices_->size()) {}

Result<std::unique_ptr<Model>> Model::Load(const std::string& path, std::shared_ptr<FallbackChain> devices) {
  std::unique_ptr<Model> model(new Model(path, std::move(devices)));
  Result<Prepared*> prepared = model->PreparedForActive();
  if (!prepared.ok()) return prepared.status();
  model->metadata_ = (*prepared)->network->graph.metadata;
  model->input_dims_ = (*prepared)->network->graph.input_dims;
  return model;
}

Result<Model::Prepared*> Model::PreparedFor(int device) {
  std::lock_guard lock(mutex_);
  if (prepared_[device] == nullptr) {
    INKREAD_ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::Open(path_));
    INKREAD_ASSIGN_OR_RETURN(Graph graph, ImportOnnx(std::make_shared<const MappedFile>(std::move(mapped)), path_));
    auto prepared = std::make_unique<Prepared>();
    INKREAD_ASSIGN_OR_RETURN(prepared->network, PrepareNetwork(std::move(graph), devices_->backend(device).Caps()));
    const Network& network = *prepared->network;
    INKREAD_ASSIGN_OR_RETURN(
        prepared->weights,
        devices_->backend(device).Upload({network.weights.data(), network.weights_bytes}, prepared->network));
    prepared_[device] = std::move(prepared);
  }
  return prepared_[device].get();
}

Result<Model::Prepared*> Model::PreparedForActive() {
  while (true) {
    const int device = devices_->active();
    Result<Prepared*> prepared = PreparedFor(device);
    if (prepared.ok() || !devices_->FallBack(device, prepared.status())) return prepared;
  }
}

Result<std::shared_ptr<const DeviceWeights>> Model::ImageWeightsFor(int device) {
  std::lock_guard lock(mutex_);
  auto& weights = prepared_[device]->image_weights;
  if (weights == nullptr) {
    const std::span<const std::byte> table = std::as_bytes(CubicWarpWeights());
    auto block = std::make_shared<AlignedBuffer>();
    INKREAD_RETURN_IF_ERROR(block->Reserve(table.size() + kArenaSlackBytes));
    std::copy(table.begin(), table.end(), block->data());
    INKREAD_ASSIGN_OR_RETURN(weights, devices_->backend(device).Upload({block->data(), table.size()}, block));
  }
  return weights;
}

Status Model::RunOn(int device, std::span<const Task> tasks) {
  INKREAD_ASSIGN_OR_RETURN(Prepared * prepared, PreparedFor(device));
  Backend& backend = devices_->backend(device);
  std::vector<std::unique_ptr<const Program>> programs;
  std::vector<Job> jobs;
  std::shared_ptr<const DeviceWeights> image_weights;
  for (const Task& task : tasks) {
    for (const ImageInput& part : task.images) {
      INKREAD_ASSIGN_OR_RETURN(const DeviceImage* const image, part.image->On(device));
      if (image_weights == nullptr) {
        INKREAD_ASSIGN_OR_RETURN(image_weights, ImageWeightsFor(device));
      }
      INKREAD_ASSIGN_OR_RETURN(
          auto program, backend.Compile(std::make_shared<const Schedule>(PlanImageInput(part.rule)), image_weights));
      Job& job = jobs.emplace_back();
      job.program = program.get();
      job.image = image;
      job.feeds_at = part.first_float;
      programs.push_back(std::move(program));
    }
    INKREAD_ASSIGN_OR_RETURN(auto schedule, prepared->plans.Get(*prepared->network, task.shape));
    INKREAD_ASSIGN_OR_RETURN(auto program, backend.Compile(std::move(schedule), prepared->weights));
    for (size_t i = 1; i <= task.images.size(); ++i) jobs[jobs.size() - i].feeds = static_cast<int>(jobs.size());
    jobs.push_back({program.get(), task.input, task.output});
    programs.push_back(std::move(program));
  }
  return backend.Run(jobs);
}

Status Model::Run(std::span<const Task> tasks) {
  while (true) {
    const int device = devices_->active();
    const Status status = RunOn(device, tasks);
    if (status.ok() || !devices_->FallBack(device, status)) return status;
  }
}

bool Model::WantsImage(const ImageView& image) const {
  const uint64_t bytes = uint64_t{RowBytes(image)} * static_cast<uint64_t>(image.height_px);
  return bytes <= devices_->backend(devices_->active()).Caps().max_image_bytes;
}

void Model::Expect(const PlanKey& shape) {
  const int device = devices_->active();
  if (!devices_->backend(device).Caps().compiles_ahead) return;
  try {
    const Result<Prepared*> prepared = PreparedFor(device);
    if (!prepared.ok()) return;
    // Not by way of the plans that are kept: nobody has asked for this one.
    const Result<Schedule> schedule = PlanFor(*(*prepared)->network, shape);
    if (schedule.ok()) devices_->backend(device).Expect(*schedule);
  } catch (const std::bad_alloc&) {  // the first run finds it out
  }
}

Result<Shape> Model::OutputShape(const PlanKey& shape) {
  INKREAD_ASSIGN_OR_RETURN(Prepared * prepared, PreparedForActive());
  INKREAD_ASSIGN_OR_RETURN(auto schedule, prepared->plans.Get(*prepared->network, shape));
  return schedule->output;
}

Result<uint64_t> Model::ScratchBytes(const PlanKey& shape) {
  INKREAD_ASSIGN_OR_RETURN(Prepared * prepared, PreparedForActive());
  INKREAD_ASSIGN_OR_RETURN(auto schedule, prepared->plans.Get(*prepared->network, shape));
  return schedule->arena_bytes;
}

Result<bool> Model::MayOverwriteInput(const PlanKey& shape) {
  INKREAD_ASSIGN_OR_RETURN(Prepared * prepared, PreparedForActive());
  INKREAD_ASSIGN_OR_RETURN(auto schedule, prepared->plans.Get(*prepared->network, shape));
  const auto words = [](const Shape& s) { return s.num_pixels() * s.c; };
  return devices_->active() + 1 == devices_->size() && words(schedule->output) <= words(schedule->input) &&
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
