// metal-cpp's own symbols, once in the test program, and the kernels' text.
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include "tests/metal_emulator/host/test_support.h"

#include <fstream>
#include <sstream>

namespace metal_emulator {

std::string HostKernelsText() {
  std::ifstream file(INKREAD_SOURCE_DIR "/tests/metal_emulator/host/testdata/host_kernels.metal");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace metal_emulator
