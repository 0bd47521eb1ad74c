// Runs schedules on a GPU through Apple's Metal.
//
// A run is one command buffer with one concurrent encoder, one commit and one wait; barriers stand between levels only.
#ifndef INKREAD_BACKENDS_METAL_METAL_BACKEND_H_
#define INKREAD_BACKENDS_METAL_METAL_BACKEND_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/gpu/gpu_info.h"
#include "schedule/backend.h"

namespace inkread {

struct MetalOptions {
  std::string device;  // its index, or a part of its name in any case; empty: the default device
  bool fast = true;    // values and weights in f16, sums in f32; else f32 throughout
  // Memory of the jobs in one command buffer; more jobs are split into several.
  uint64_t max_run_bytes = uint64_t{512} << 20;
};

using MetalDeviceInfo = gpu::GpuInfo;

// Errors  kUnsupported: there is no device
Result<std::vector<MetalDeviceInfo>> ListMetalDevices();

// Errors  kUnsupported (no such device, no default device: says why for each; kernels that do not compile),
//         kOutOfMemory
Result<std::unique_ptr<Backend>> MakeMetalBackend(const MetalOptions& options);

}  // namespace inkread

#endif  // INKREAD_BACKENDS_METAL_METAL_BACKEND_H_
