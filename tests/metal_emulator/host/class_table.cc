// The classes that metal-cpp asks for by name: those that a program makes objects of.
#include "tests/metal_emulator/host/autorelease_pool.h"
#include "tests/metal_emulator/host/command_queue.h"
#include "tests/metal_emulator/host/foundation.h"
#include "tests/metal_emulator/host/library.h"
#include "tests/metal_emulator/host/objc_runtime.h"

namespace metal_emulator {

Class FindClass(std::string_view name) {
  for (Class made : {ClassOf<AutoreleasePool>(), ClassOf<String>(), ClassOf<Array>(), ClassOf<Dictionary>(),
                     ClassOf<Error>(), ClassOf<MetalCompileOptions>(), ClassOf<MetalConstantValues>(),
                     ClassOf<MetalPipelineDescriptor>(), ClassOf<MetalCommandBufferDescriptor>()}) {
    if (name == made->definition().name) return made;
  }
  return nullptr;
}

}  // namespace metal_emulator
