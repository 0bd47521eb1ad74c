// A loaded network, ready to run at any input shape on whichever device of its chain is active. Shared by all readers;
// immutable except for its caches.
#ifndef INKREAD_RUNTIME_MODEL_H_
#define INKREAD_RUNTIME_MODEL_H_

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/status.h"
#include "planner/plan_cache.h"
#include "runtime/fallback_chain.h"
#include "runtime/task.h"

namespace inkread {

class Model {
 public:
  // Loads an ONNX file, packs its weights for the active device and uploads them, falling back as FallbackChain says.
  // Errors  kNotFound, kCorruptModel, kUnsupported, kOutOfMemory; messages begin with the file's name
  static Result<std::unique_ptr<Model>> Load(const std::string& path, std::shared_ptr<FallbackChain> chain);

  // Runs all tasks, falling back as FallbackChain says. Safe from several threads. Results do not depend on which tasks
  // run together.
  // Errors  those of Plan, for a task that the planner does not take; those of the device; those of
  //         Cancellation::Check, for a task whose cancellation is due when the run begins or ends
  Status Run(std::span<const Task> tasks);

  // The shape of the output, without a run. Errors as Plan.
  Result<Shape> OutputShape(const PlanKey& shape);

  // Begins, in the background, what the first run of about this shape would wait for. Never fails.
  void Expect(const PlanKey& shape);

  // Whether one Run of many tasks is quicker than simultaneous Runs of one task each.
  bool prefers_batched_runs() const { return chain_->backend(chain_->active()).Caps().prefers_batched_runs; }

  const std::shared_ptr<FallbackChain>& chain() const { return chain_; }

  // Bytes that a run takes in addition to its input and output. Errors as Plan.
  Result<uint64_t> ScratchBytes(const PlanKey& shape);

  // Whether the output of a run may begin at the same byte as its input: no step reads the input once a step has
  // written the output, and no other device would have to begin anew with the input. Errors as Plan.
  Result<bool> MayOverwriteInput(const PlanKey& shape);

  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const Dims& input_dims() const { return input_dims_; }  // [n, c, h, w] as declared, -1 where free
  // For messages about a shape that does not fit: "; it was exported for ...", or nothing where the file declares free
  // sizes.
  std::string ShapeRemedy() const;
  const std::string& file() const { return path_; }
  PlanCache::Stats stats() const;

 private:
  // What belongs to one device; made when it is first used.
  struct Prepared {
    std::shared_ptr<const Network> network;
    // A plan takes about 70 kB, and less than a hundredth of the time of its run. This holds the plans of a document's
    // pages or lines.
    PlanCache plans{128};
    // Host copy of the weights of schedules that make inputs of images; null until there is one.
    std::shared_ptr<const AlignedBuffer> warp_weights;
    // On the device.
    std::shared_ptr<const DeviceWeights> weights, image_weights;
  };
  using Schedules = std::vector<std::shared_ptr<const Schedule>>;
  struct Batch;

  Model(std::string path, std::shared_ptr<FallbackChain> chain);
  // Two kinds of functions, so that a network which the planner does not take never counts as a fault of the device.
  // These do not call the backend: their errors are the caller's.
  Result<Prepared*> PreparedFor(int device);
  Result<Schedules> SchedulesFor(int device, std::span<const Task> tasks);
  Result<std::shared_ptr<const Schedule>> ScheduleFor(const PlanKey& shape);  // on the active device
  // All errors of these come from the backend: they are faults of the device.
  Status UploadWeights(int device);
  Result<std::shared_ptr<const DeviceWeights>> ImageWeightsOn(int device);
  Status AddImageJobs(int device, std::span<const ImageInput> parts, Batch& batch);
  Status RunOn(int device, std::span<const Task> tasks, const Schedules& schedules);

  const std::string path_;
  const std::shared_ptr<FallbackChain> chain_;
  std::map<std::string, std::string> metadata_;
  Dims input_dims_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Prepared>> prepared_;  // by device
};

}  // namespace inkread

#endif  // INKREAD_RUNTIME_MODEL_H_
