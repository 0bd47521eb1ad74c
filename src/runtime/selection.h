// Which devices an engine opens: the one place that weighs options, environment and machine.
//
//   option     environment  machine                               opened, each with the CPU as its fallback
//   cpu        -            -                                     the CPU alone
//   a GPU's    -            -                                     the named devices, or the first default device
//   auto       a backend    -                                     as if the option said so
//   auto       auto, none   a backend that has a default device   that device; backends in the registry's order
//   auto       auto, none   no default device                     the CPU alone
//
// With auto, named devices are looked for in every backend, in the registry's order; all must be of one backend.
// "all" means every default device of a backend, and the same as no name where the backend has none.
#ifndef INKREAD_RUNTIME_SELECTION_H_
#define INKREAD_RUNTIME_SELECTION_H_

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "inkread/ocr.h"

namespace inkread {

struct DeviceWish {
  OcrBackend backend = OcrBackend::kAuto;
  std::vector<std::string> devices;  // as EngineOptions::devices
  std::string environment;           // the value of INKREAD_BACKEND; empty where it is not set
  Precision precision = Precision::kAuto;
};

struct DeviceChoice {
  OcrBackend backend = OcrBackend::kCpu;
  std::string device;  // index or part of a name; empty: the first default device
  bool fast = false;   // 16 bits are wanted
  friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

// list    gives the machine's GPUs (ListGpuDevices); called only where the answer depends on them
// Returns what to open; the last one is the CPU
// Errors  kInvalidArgument (INKREAD_BACKEND or the option names no backend; "all" together with other names; an empty
//         name), kUnsupported (auto, and no backend has the GPUs that are named)
Result<std::vector<DeviceChoice>> ChooseDevices(const DeviceWish& wish,
                                                const std::function<std::vector<DeviceInfo>()>& list);

}  // namespace inkread

#endif  // INKREAD_RUNTIME_SELECTION_H_
