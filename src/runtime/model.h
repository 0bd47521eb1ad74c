// A loaded network, ready to run at any input shape on whichever device is active. Shared by all who read; immutable
// but for its caches.
#ifndef INKREAD_RUNTIME_MODEL_H_
#define INKREAD_RUNTIME_MODEL_H_

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "planner/plan_cache.h"
#include "runtime/fallback_chain.h"
#include "runtime/image_on_devices.h"

namespace inkread {

// One run of a network.
struct Task {
  PlanKey shape;
  const float* input = nullptr;          // [n, h, w, c], dense; vectors may read up to 64 bytes behind it
  void* output = nullptr;                // as Head says
  std::span<const ImageInput> images{};  // instead of `input`: all of it, in parts
};

class Model {
 public:
  // Loads an ONNX file and packs its weights for the active device, falling back as FallbackChain says.
  // Errors  kNotFound, kCorruptModel, kUnsupported, kOutOfMemory; messages begin with the file's name
  static Result<std::unique_ptr<Model>> Load(const std::string& path, std::shared_ptr<FallbackChain> devices);

  // Runs all tasks, falling back as FallbackChain says. Safe from several threads; results do not depend on what runs
  // together.
  Status Run(std::span<const Task> tasks);

  // The shape of the output, without running. Errors as Plan.
  Result<Shape> OutputShape(const PlanKey& shape);

  // Begins on what the first run of about this shape would wait for, beside whatever else is done. Never fails.
  void Expect(const PlanKey& shape);

  // Whether many tasks had better come in one Run than, at the same time, in one Run each.
  bool prefers_batched_runs() const { return devices_->backend(devices_->active()).Caps().prefers_batched_runs; }

  // Whether inputs had better come as this image than as floats. Either gives the same bits.
  bool WantsImage(const ImageView& image) const;
  const std::shared_ptr<FallbackChain>& devices() const { return devices_; }

  // What a run takes beside its input and output while it lasts. Errors as Plan.
  Result<uint64_t> ScratchBytes(const PlanKey& shape);

  // Whether a run's output may lie where its input does, from the same byte on: no step reads the input once one writes
  // the output, and no other device would begin anew with it. Errors as Plan.
  Result<bool> MayOverwriteInput(const PlanKey& shape);

  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const Dims& input_dims() const { return input_dims_; }  // [n, c, h, w] as declared, -1 where free
  const std::string& file() const { return path_; }
  PlanCache::Stats stats() const;

 private:
  // What belongs to one device; made on first use.
  struct Prepared {
    std::shared_ptr<const Network> network;
    std::shared_ptr<const DeviceWeights> weights;
    std::shared_ptr<const DeviceWeights> image_weights;  // of the schedules that make inputs; null until there is one
    // A plan takes some 70 kB, and less than a hundredth of the time of its run: those of a document's pages or lines.
    PlanCache plans{128};
  };
  Model(std::string path, std::shared_ptr<FallbackChain> devices);
  Result<Prepared*> PreparedFor(int device);
  Result<Prepared*> PreparedForActive();  // falls back as FallbackChain says
  Result<std::shared_ptr<const DeviceWeights>> ImageWeightsFor(int device);
  Status RunOn(int device, std::span<const Task> tasks);

  const std::string path_;
  const std::shared_ptr<FallbackChain> devices_;
  std::map<std::string, std::string> metadata_;
  Dims input_dims_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Prepared>> prepared_;  // by device
};

}  // namespace inkread

#endif  // INKREAD_RUNTIME_MODEL_H_
