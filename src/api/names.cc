// What the public API says about itself: names of its enums, devices and the version.
#include "api/commit.h"
#include "base/status.h"
#include "inkread/ocr.h"
#include "inkread/version.h"
#include "runtime/backend_registry.h"

namespace inkread {

const char* BackendName(OcrBackend backend) { return BackendRowName(backend); }

std::vector<OcrBackend> Backends() { return BackendValues(); }

const char* ModelSizeName(ModelSize size) {
  switch (size) {
    case ModelSize::kTiny:
      return "tiny";
    case ModelSize::kSmall:
      return "small";
    case ModelSize::kMedium:
      return "medium";
  }
  return "unknown";
}

const char* ProfileName(Profile profile) {
  switch (profile) {
    case Profile::kAuto:
      return "auto";
    case Profile::kPipeline:
      return "pipeline";
    case Profile::kFast960:
      return "fast960";
  }
  return "unknown";
}

const char* LineOrderName(LineOrder order) {
  switch (order) {
    case LineOrder::kReader:
      return "reader";
    case LineOrder::kOfficial:
      return "official";
  }
  return "unknown";
}

const char* PrecisionName(Precision precision) {
  switch (precision) {
    case Precision::kAuto:
      return "auto";
    case Precision::kPrecise:
      return "precise";
    case Precision::kFast:
      return "fast";
  }
  return "unknown";
}

std::vector<DeviceInfo> ListDevices() {
  std::vector<DeviceInfo> devices = FindBackendRow(OcrBackend::kCpu)->list().value();
  const std::vector<DeviceInfo> gpus = ListGpuDevices();
  devices.insert(devices.end(), gpus.begin(), gpus.end());
  return devices;
}

std::string VersionString() {
  ThreadPool pool(1);
  const Result<std::unique_ptr<Backend>> cpu = OpenBackend("cpu", &pool);
  return StrCat(INKREAD_VERSION " (commit " INKREAD_COMMIT ", ", cpu.ok() ? (*cpu)->Caps().device : "no cpu", ")");
}

}  // namespace inkread
