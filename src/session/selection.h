// Which devices an engine opens, in which order: the one place that weighs options, environment and machine.
//
//   option    environment  machine                               tried, the CPU always behind
//   cpu       -            -                                     -
//   vulkan    -            -                                     vulkan, the named device or the first taken unasked
//   metal     -            -                                     metal, as above
//   auto      a backend    -                                     as if the option said so
//   auto      auto, none   a Metal device that is taken unasked  that one
//   auto      auto, none   else such a Vulkan device             that one
//   auto      auto, none   neither                               -
//
// A device named together with auto is looked for among all GPUs, Metal's first.
#ifndef INKREAD_SESSION_SELECTION_H_
#define INKREAD_SESSION_SELECTION_H_

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "inkread/ocr.h"

namespace inkread {

struct DeviceWish {
  OcrBackend backend = OcrBackend::kAuto;
  std::string device;       // index or part of a name; empty: none in particular
  std::string environment;  // what INKREAD_BACKEND holds; empty where it is not set
  Precision precision = Precision::kAuto;
};

struct DeviceChoice {
  OcrBackend backend = OcrBackend::kCpu;
  std::string device;  // as in DeviceWish
  bool fast = false;   // 16 bits are wanted
  friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

// list    asked for the machine's GPUs (ListGpuDevices) only where the answer depends on them
// Returns what to open, in order; the last one is the CPU
// Errors  kInvalidArgument (INKREAD_BACKEND names no backend), kUnsupported (auto, and no GPU is the device that is
// named)
Result<std::vector<DeviceChoice>> ChooseDevices(const DeviceWish& wish,
                                                const std::function<std::vector<DeviceInfo>()>& list);

// ListDevices without the CPU.
std::vector<DeviceInfo> ListGpuDevices();

}  // namespace inkread

#endif  // INKREAD_SESSION_SELECTION_H_
