#include "api/replica.h"

#include <cstdlib>
#include <utility>

#include "runtime/backend_registry.h"

namespace inkread {
namespace {

// The name for messages: "vulkan 1".
std::string NameOf(const DeviceChoice& choice) {
  const std::string backend = BackendName(choice.backend);
  return choice.device.empty() ? backend : backend + " " + choice.device;
}

Result<FallbackChain::Entry> OpenDevice(const DeviceChoice& choice, ThreadPool* pool) {
  const std::string device = choice.device.empty() ? "" : ":" + choice.device;
  INKREAD_ASSIGN_OR_RETURN(auto backend, OpenBackend(BackendName(choice.backend) + device, pool, choice.fast));
  return FallbackChain::Entry{NameOf(choice), std::move(backend)};
}

}  // namespace

Result<std::unique_ptr<Replica>> Replica::Open(const DeviceChoice& choice, const DeviceChoice& cpu,
                                               const EngineOptions& options, ThreadPool* pool) {
  std::unique_ptr<Replica> replica(new Replica(choice.backend, options, pool));
  std::vector<FallbackChain::Entry> entries;
  if (choice.backend != OcrBackend::kCpu) {
    INKREAD_ASSIGN_OR_RETURN(FallbackChain::Entry gpu, OpenDevice(choice, pool));
    entries.push_back(std::move(gpu));
  }
  INKREAD_ASSIGN_OR_RETURN(FallbackChain::Entry last, OpenDevice(cpu, pool));
  entries.push_back(std::move(last));
  replica->chain_ = std::make_shared<FallbackChain>(std::move(entries), options.strict_backend);
  if (std::string reason = replica->PrecisionReason(); options.strict_backend && !reason.empty())
    return Unsupported(std::move(reason));
  return replica;
}

Status Replica::LoadNetworks(const ModelFiles& files) {
  INKREAD_ASSIGN_OR_RETURN(models_, LoadModels(files, options_.use_classifier, chain_, pool_));
  return Status();
}

std::string Replica::PrecisionReason() const {
  if (options_.precision != Precision::kFast || IsFast()) return "";
  const std::string why =
      caps().fast_unavailable_reason.empty() ? "there are no 16-bit kernels" : caps().fast_unavailable_reason;
  return StrCat("precision fast is not in the ", BackendName(backend()), " backend: ", why, "; precise was used");
}

namespace {

void Skip(const Status& reason, Replicas& replicas) {
  replicas.skipped += StrCat(replicas.skipped.empty() ? "" : "; ", reason.message());
}

// Loads the networks onto all replicas at the same time. One on a GPU that has no kernel for a network is dropped; with
// `strict` that is an error.
Status LoadNetworks(const ModelFiles& files, bool strict, ThreadPool& pool, Replicas& replicas) {
  std::vector<Status> unsupported(replicas.all.size());
  INKREAD_RETURN_IF_ERROR(pool.ParallelTry(replicas.all.size(), [&](size_t i) {
    Status status = replicas.all[i]->LoadNetworks(files);
    const bool is_optional = !strict && replicas.all[i]->chosen() != OcrBackend::kCpu;
    if (!is_optional || status.code() != StatusCode::kUnsupported) return status;
    unsupported[i] = std::move(status);
    return Status();
  }));
  for (size_t i = unsupported.size(); i-- > 0;) {
    if (unsupported[i].ok()) continue;
    Skip(unsupported[i], replicas);
    replicas.all.erase(replicas.all.begin() + static_cast<ptrdiff_t>(i));
  }
  return Status();
}

}  // namespace

Result<Replicas> MakeReplicas(const EngineOptions& options, const ModelFiles& files, ThreadPool* pool) {
  const char* environment = std::getenv("INKREAD_BACKEND");
  const DeviceWish wish{options.backend, options.devices, environment == nullptr ? "" : environment, options.precision};
  INKREAD_ASSIGN_OR_RETURN(const std::vector<DeviceChoice> choices, ChooseDevices(wish, ListGpuDevices));
  const DeviceChoice& cpu = choices.back();
  Replicas replicas;
  for (const DeviceChoice& choice : choices) {
    const bool is_last_resort = &choice == &cpu;
    if (is_last_resort && !replicas.all.empty()) break;
    Result<std::unique_ptr<Replica>> replica = Replica::Open(choice, cpu, options, pool);
    if (replica.ok()) {
      replicas.all.push_back(std::move(replica).value());
    } else if (options.strict_backend || is_last_resort) {
      return replica.status();
    } else {
      Skip(replica.status(), replicas);
    }
  }
  INKREAD_RETURN_IF_ERROR(LoadNetworks(files, options.strict_backend, *pool, replicas));
  if (replicas.all.empty()) {
    INKREAD_ASSIGN_OR_RETURN(std::unique_ptr<Replica> last_resort, Replica::Open(cpu, cpu, options, pool));
    INKREAD_RETURN_IF_ERROR(last_resort->LoadNetworks(files));
    replicas.all.push_back(std::move(last_resort));
  }
  return replicas;
}

}  // namespace inkread
