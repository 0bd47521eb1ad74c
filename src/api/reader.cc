#include "api/reader.h"

#include <cstdlib>
#include <utility>

namespace inkread {
namespace {

// As people name it: "vulkan 1".
std::string NameOf(const DeviceChoice& choice) {
  const std::string backend = BackendName(choice.backend);
  return choice.device.empty() ? backend : backend + " " + choice.device;
}

Result<Devices::Entry> OpenDevice(const DeviceChoice& choice, ThreadPool* pool) {
  const std::string device = choice.device.empty() ? "" : ":" + choice.device;
  INKREAD_ASSIGN_OR_RETURN(auto backend, OpenBackend(BackendName(choice.backend) + device, pool, choice.fast));
  return Devices::Entry{NameOf(choice), std::move(backend)};
}

}  // namespace

Result<std::unique_ptr<Reader>> Reader::Open(const DeviceChoice& choice, const DeviceChoice& cpu,
                                             const EngineOptions& options, ThreadPool* pool) {
  std::unique_ptr<Reader> reader(new Reader(choice.backend, options, pool));
  std::vector<Devices::Entry> entries;
  if (choice.backend != OcrBackend::kCpu) {
    INKREAD_ASSIGN_OR_RETURN(Devices::Entry gpu, OpenDevice(choice, pool));
    entries.push_back(std::move(gpu));
  }
  INKREAD_ASSIGN_OR_RETURN(Devices::Entry last, OpenDevice(cpu, pool));
  entries.push_back(std::move(last));
  reader->devices_ = std::make_shared<Devices>(std::move(entries), options.strict_backend);
  if (std::string reason = reader->PrecisionReason(); options.strict_backend && !reason.empty())
    return Unsupported(std::move(reason));
  return reader;
}

Status Reader::LoadNetworks(const std::string& folder) {
  INKREAD_ASSIGN_OR_RETURN(models_,
                           LoadModels(folder, ModelSizeName(options_.size), options_.use_classifier, devices_, pool_));
  return Status();
}

std::string Reader::PrecisionReason() const {
  if (options_.precision != Precision::kFast || IsFast()) return "";
  const std::string why = caps().why_not_fast.empty() ? "there are no 16-bit kernels" : caps().why_not_fast;
  return StrCat("precision fast is not in the ", BackendName(backend()), " backend: ", why, "; precise was used");
}

Result<Readers> MakeReaders(const EngineOptions& options, const std::string& folder, ThreadPool* pool) {
  const char* environment = std::getenv("INKREAD_BACKEND");
  const DeviceWish wish{options.backend, options.devices, environment == nullptr ? "" : environment, options.precision};
  INKREAD_ASSIGN_OR_RETURN(const std::vector<DeviceChoice> choices, ChooseDevices(wish, ListGpuDevices));
  const DeviceChoice& cpu = choices.back();
  Readers readers;
  for (const DeviceChoice& choice : choices) {
    const bool is_last_resort = &choice == &cpu;
    if (is_last_resort && !readers.all.empty()) break;
    Result<std::unique_ptr<Reader>> reader = Reader::Open(choice, cpu, options, pool);
    if (reader.ok()) {
      readers.all.push_back(std::move(reader).value());
    } else if (options.strict_backend || is_last_resort) {
      return reader.status();
    } else {
      readers.passed_over += StrCat(readers.passed_over.empty() ? "" : "; ", reader.status().message());
    }
  }
  std::vector<Status> loaded(readers.all.size());
  pool->ParallelFor(loaded.size(), [&](size_t i) { loaded[i] = readers.all[i]->LoadNetworks(folder); });
  for (Status& status : loaded) INKREAD_RETURN_IF_ERROR(std::move(status));
  return readers;
}

}  // namespace inkread
