// The backends by name: one row each. The command line, the environment, the order of selection, the laboratory and the
// conformance tests iterate these rows.
#ifndef INKREAD_RUNTIME_BACKEND_REGISTRY_H_
#define INKREAD_RUNTIME_BACKEND_REGISTRY_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/thread_pool.h"
#include "inkread/ocr.h"
#include "schedule/backend.h"

namespace inkread {

// What a backend is opened for.
struct BackendRequest {
  std::string device;          // index or part of a name; empty: the backend's first default device
  bool fast = false;           // 16-bit products where the device has them; Caps() says whether it has, or why not
  ThreadPool* pool = nullptr;  // for the CPU; outlives the backend
};

struct BackendRow {
  OcrBackend backend;
  const char* name;  // "vulkan"
  // Both are null where this build does not have the backend. `list` fails where the backend can have no devices here:
  // its library or its drivers are missing.
  Result<std::vector<DeviceInfo>> (*list)() = nullptr;
  Result<std::unique_ptr<Backend>> (*open)(const BackendRequest& request) = nullptr;

  bool is_in_build() const { return open != nullptr; }
  // The CPU is the fallback of every other backend and has no devices to choose from.
  bool is_cpu() const { return backend == OcrBackend::kCpu; }
};

// In the order in which OcrBackend::kAuto tries them; the CPU is last.
std::span<const BackendRow> BackendRows();

// The row of a backend; null for kAuto and for a number that is not an OcrBackend.
const BackendRow* FindBackendRow(OcrBackend backend);

// Every OcrBackend, kAuto first, in the order of the enum.
std::vector<OcrBackend> BackendValues();

// "auto", or the name of the backend's row; "unknown" for a number that is not an OcrBackend.
const char* BackendRowName(OcrBackend backend);

// "auto, cpu, vulkan or metal", for messages.
std::string BackendChoices();

// Opens a backend by its name, "cpu" or "reference", or a device of one: "vulkan:1". The environment variable
// INKREAD_DISABLE names, separated by commas, what "cpu" must not use: instruction sets, as CpuTargets() spells them,
// "bands", "bf16" and "amx" (CpuOptions).
//
// fast    as BackendRequest
// Errors  kUnsupported (not in this build; says which there are), kInvalidArgument (INKREAD_DISABLE names one that this
//         machine does not have, or all that it has)
Result<std::unique_ptr<Backend>> OpenBackend(const std::string& name, ThreadPool* pool, bool fast = false);

// The devices of every backend in this build except the CPU. A backend without devices has one entry, of index -1,
// that says why.
std::vector<DeviceInfo> ListGpuDevices();

}  // namespace inkread

#endif  // INKREAD_RUNTIME_BACKEND_REGISTRY_H_
