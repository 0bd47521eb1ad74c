#include "bench/lab/commands.h"

#include <cstdio>
#include <sstream>
#include <utility>

#include "base/mapped_file.h"
#include "base/usable_cpus.h"
#include "runtime/backend_registry.h"

namespace inkread::lab {

void AddBackendArguments(CLI::App* command, BackendArguments* arguments) {
  std::string names = "reference";
  for (const BackendRow& row : BackendRows()) names += StrCat(", ", row.name);
  command->add_option("--backend", arguments->backend, names + " (default: cpu); vulkan:1 names a device")
      ->type_name("BACKEND");
  command->add_option("--threads", arguments->num_threads, "Threads to use (default: what this process may)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command->add_option("--precision", arguments->precision, "precise (default) or fast: 16-bit products")
      ->check(CLI::IsMember({"precise", "fast"}))
      ->type_name("PRECISION");
}

Result<OpenedBackend> OpenBackendFor(const BackendArguments& arguments) {
  OpenedBackend opened;
  opened.pool = std::make_unique<ThreadPool>(arguments.num_threads > 0 ? arguments.num_threads : UsableCpus());
  INKREAD_ASSIGN_OR_RETURN(opened.backend,
                           OpenBackend(arguments.backend, opened.pool.get(), arguments.precision == "fast"));
  if (const std::string& reason = opened.backend->Caps().fast_unavailable_reason; !reason.empty())
    return Unsupported("precision fast: ", reason);
  return opened;
}

namespace {

Result<ModelSize> SizeOf(const std::string& name) {
  for (ModelSize size : {ModelSize::kTiny, ModelSize::kSmall, ModelSize::kMedium}) {
    if (name == ModelSizeName(size)) return size;
  }
  return InvalidArgument("size is '", name, "', expected tiny, small or medium");
}

}  // namespace

Result<EngineOptions> EngineOptionsFor(const std::string& size, const BackendArguments& arguments) {
  EngineOptions options;
  INKREAD_ASSIGN_OR_RETURN(options.size, SizeOf(size));
  const std::string name = arguments.backend.substr(0, arguments.backend.find(':'));
  options.backend = OcrBackend::kAuto;
  std::string known;
  for (OcrBackend backend : Backends()) {
    if (backend == OcrBackend::kAuto) continue;
    if (name == BackendName(backend)) options.backend = backend;
    known += StrCat(known.empty() ? "" : ", ", BackendName(backend));
  }
  if (options.backend == OcrBackend::kAuto) return Unsupported("the engine has no backend '", name, "', only ", known);
  if (name.size() < arguments.backend.size()) {
    std::istringstream devices(arguments.backend.substr(name.size() + 1));
    for (std::string device; std::getline(devices, device, ',');) options.devices.push_back(device);
  }
  options.precision = arguments.precision == "fast" ? Precision::kFast : Precision::kPrecise;
  options.strict_backend = true;
  options.num_threads = arguments.num_threads;
  return options;
}

Result<DecodedImage> DecodeFile(const std::string& path) {
  INKREAD_ASSIGN_OR_RETURN(const MappedFile mapped, MappedFile::Open(path));
  Result<DecodedImage> image =
      DecodeImage({reinterpret_cast<const uint8_t*>(mapped.bytes().data()), mapped.bytes().size()});
  if (!image.ok()) return Status(image.status().code(), path + ": " + image.status().message());
  return image;
}

double ProbedPeak(Backend& backend) {
  for (const ProbeResult& row : backend.Probe()) {
    if (row.name == kProbePeakF32 || row.name == kProbePeakF16) return row.value * 1e9;
  }
  return 0;
}

std::string DeviceText(const OpenedBackend& opened) {
  const int threads = opened.pool->num_threads();
  return StrCat(opened.backend->Caps().device, ", ", threads, threads == 1 ? " thread" : " threads");
}

Result<std::array<uint32_t, 3>> ParseSizes(const std::string& text, const char* form) {
  std::array<uint32_t, 3> sizes{};
  int end = -1;
  const int count = std::sscanf(text.c_str(), "%7ux%7ux%7u%n", &sizes[0], &sizes[1], &sizes[2], &end);
  // %u also takes signs and spaces.
  if (count != 3 || end != static_cast<int>(text.size()) || text.find_first_not_of("0123456789x") != text.npos ||
      sizes[0] == 0 || sizes[1] == 0 || sizes[2] == 0)
    return InvalidArgument("'", text, "' is not ", form, " with numbers from 1 to 9999999");
  return sizes;
}

int ExitCode(const Result<int>& result) {
  if (result.ok()) return *result;
  std::fprintf(stderr, "inkread-lab: %s\n", result.status().message().c_str());
  return kExitEngine;
}

}  // namespace inkread::lab
