// What the tests of the Metal backend on the emulator share.
#ifndef INKREAD_TESTS_METAL_SUPPORT_H_
#define INKREAD_TESTS_METAL_SUPPORT_H_

#include <string>
#include <vector>

#include "backends/metal/metal_backend.h"
#include "tests/gpu_model.h"
#include "tests/metal_emulator/host/emulator.h"

namespace inkread {

// Every misuse of Metal ends the process; so do objects that are left at its end.
class MetalModelTest : public GpuModelTest {
 protected:
  MetalModelTest() : GpuModelTest("metal") { metal_emulator::SetDevices({metal_emulator::DeviceDescription()}); }
  ~MetalModelTest() override {
    metal_emulator::Inject({});
    chain_.reset();
    // No object outlives the last backend.
    for (const std::string& object : metal_emulator::LiveObjects()) ADD_FAILURE() << object;
  }
  void SetUp() override { SetExpected(); }

  // f32, so that results are comparable with the reference's.
  static MetalOptions Precise(const std::string& device = "") {
    MetalOptions options;
    options.device = device;
    options.fast = false;
    return options;
  }
};

}  // namespace inkread

#endif  // INKREAD_TESTS_METAL_SUPPORT_H_
