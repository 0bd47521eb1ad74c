// One device of an engine with the networks on it, and the CPU as its fallback.
#ifndef INKREAD_API_REPLICA_H_
#define INKREAD_API_REPLICA_H_

#include <memory>
#include <string>
#include <vector>

#include "api/load.h"
#include "inkread/ocr.h"
#include "runtime/selection.h"

namespace inkread {

class Replica {
 public:
  // Opens the device; LoadNetworks follows.
  //
  // choice  the device to open; may be the CPU itself
  // cpu     its fallback
  // Errors  those of OpenBackend; kUnsupported (with strict_backend: the device lacks the requested precision)
  static Result<std::unique_ptr<Replica>> Open(const DeviceChoice& choice, const DeviceChoice& cpu,
                                               const EngineOptions& options, ThreadPool* pool);
  // Errors  those of LoadModels
  Status LoadNetworks(const ModelFiles& files);

  const std::shared_ptr<FallbackChain>& chain() const { return chain_; }
  OcrBackend chosen() const { return chosen_; }
  const LoadedModels& models() const { return models_; }

  // Of the device in use: the chosen one, or the CPU after a fault.
  bool IsOnCpu() const { return chain_->active() + 1 == chain_->size(); }
  OcrBackend backend() const { return IsOnCpu() ? OcrBackend::kCpu : chosen_; }
  const DeviceCaps& caps() const { return chain_->backend(chain_->active()).Caps(); }
  bool IsFast() const { return caps().weights_form != INKREAD_WEIGHTS_F32; }
  std::string PrecisionReason() const;  // why the precision is not the requested one; empty where it is

 private:
  Replica(OcrBackend chosen, const EngineOptions& options, ThreadPool* pool)
      : chosen_(chosen), options_(options), pool_(pool) {}

  const OcrBackend chosen_;
  const EngineOptions options_;
  ThreadPool* const pool_;
  std::shared_ptr<FallbackChain> chain_;
  LoadedModels models_;
};

// The replicas of an engine.
struct Replicas {
  // One for each GPU in the order of EngineOptions::devices, or the CPU's alone.
  std::vector<std::unique_ptr<Replica>> all;
  std::string skipped;  // why some of the devices could not be opened; empty where all could
};

// Opens the devices that options, environment and machine decide on (runtime/selection.h), and loads the networks onto
// all of them at the same time. A device that cannot be opened is skipped with a reason, or is an error with
// strict_backend.
//
// Errors  of ChooseDevices, Replica::Open and LoadModels
Result<Replicas> MakeReplicas(const EngineOptions& options, const ModelFiles& files, ThreadPool* pool);

}  // namespace inkread

#endif  // INKREAD_API_REPLICA_H_
