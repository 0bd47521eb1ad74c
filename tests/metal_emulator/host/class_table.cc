// The list of all classes: those that metal-cpp finds by name, of which a program makes objects, and those whose
// objects only come from other objects.
#include "tests/metal_emulator/host/autorelease_pool.h"
#include "tests/metal_emulator/host/command_queue.h"
#include "tests/metal_emulator/host/device.h"
#include "tests/metal_emulator/host/encoder.h"
#include "tests/metal_emulator/host/foundation.h"
#include "tests/metal_emulator/host/library.h"
#include "tests/metal_emulator/host/objc_runtime.h"

namespace metal_emulator {
namespace {

std::vector<Class> AllClasses() {
  return {ClassOf<AutoreleasePool>(),
          ClassOf<String>(),
          ClassOf<Array>(),
          ClassOf<Dictionary>(),
          ClassOf<Error>(),
          ClassOf<MetalDevice>(),
          ClassOf<MetalBuffer>(),
          ClassOf<MetalCompileOptions>(),
          ClassOf<MetalLibrary>(),
          ClassOf<MetalConstantValues>(),
          ClassOf<MetalFunction>(),
          ClassOf<MetalPipelineDescriptor>(),
          ClassOf<MetalPipeline>(),
          ClassOf<MetalQueue>(),
          ClassOf<MetalCommandBufferDescriptor>(),
          ClassOf<MetalCommandBuffer>(),
          ClassOf<MetalComputeEncoder>(),
          ClassOf<MetalBlitEncoder>()};
}

}  // namespace

Class FindClass(std::string_view name) {
  for (Class known : AllClasses()) {
    if (known->definition().make != nullptr && name == known->definition().name) return known;
  }
  return nullptr;
}

std::string Surface() {
  std::string text;
  const auto add = [&text](const char* sign, std::span<const Method> methods) {
    for (const Method& method : methods) text += std::string("  ") + sign + method.selector + "\n";
  };
  text += "every object\n";
  add("", MethodsOfEveryObject());
  for (Class known : AllClasses()) {
    const ClassDefinition& definition = known->definition();
    text += std::string(definition.name) + "\n";
    if (definition.make != nullptr) add("+", MethodsOfEveryClass());
    add("+", definition.class_methods);
    add("", definition.methods);
  }
  text += "constant NSString\n";
  add("", ConstantStringMethods());
  return text;
}

}  // namespace metal_emulator
