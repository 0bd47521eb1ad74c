// Which devices an engine opens: the one place that weighs options, environment and machine.
//
//   option    environment  machine                               opened, the CPU always behind
//   cpu       -            -                                     -
//   vulkan    -            -                                     vulkan, the named devices or the first taken unasked
//   metal     -            -                                     metal, as above
//   auto      a backend    -                                     as if the option said so
//   auto      auto, none   a Metal device that is taken unasked  that one
//   auto      auto, none   else such a Vulkan device             that one
//   auto      auto, none   neither                               -
//
// FallbackChain named together with auto are looked for among all GPUs, Metal's first; all are of one backend. "all"
// means those of a backend that are taken unasked, and where there are none what no name means.
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
  std::vector<std::string> devices;  // as EngineOptions
  std::string environment;           // what INKREAD_BACKEND holds; empty where it is not set
  Precision precision = Precision::kAuto;
};

struct DeviceChoice {
  OcrBackend backend = OcrBackend::kCpu;
  std::string device;  // index or part of a name; empty: the first that is taken unasked
  bool fast = false;   // 16 bits are wanted
  friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

// list    asked for the machine's GPUs (ListGpuDevices) only where the answer depends on them
// Returns what to open; the last one is the CPU
// Errors  kInvalidArgument (INKREAD_BACKEND names no backend; "all" beside other names, an empty name),
//         kUnsupported (auto, and no backend has the GPUs that are named)
Result<std::vector<DeviceChoice>> ChooseDevices(const DeviceWish& wish,
                                                const std::function<std::vector<DeviceInfo>()>& list);

// ListDevices without the CPU.
std::vector<DeviceInfo> ListGpuDevices();

}  // namespace inkread

#endif  // INKREAD_RUNTIME_SELECTION_H_
