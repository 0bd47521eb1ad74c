#include "backends/vulkan/functions.h"

#include <dlfcn.h>

namespace inkread::vulkan {

#define INKREAD_DEFINE(name) PFN_##name name = nullptr;
INKREAD_DEFINE(vkGetInstanceProcAddr)
INKREAD_VULKAN_LOADER_FUNCTIONS(INKREAD_DEFINE)
INKREAD_VULKAN_INSTANCE_FUNCTIONS(INKREAD_DEFINE)
#undef INKREAD_DEFINE

bool LoadLoaderFunctions() {
  if (vkGetInstanceProcAddr != nullptr) return true;
#ifdef __APPLE__
  constexpr const char* kLoaders[] = {"libvulkan.dylib", "libvulkan.1.dylib", "libMoltenVK.dylib"};
#else
  constexpr const char* kLoaders[] = {"libvulkan.so.1", "libvulkan.so"};
#endif
  void* loader = nullptr;  // stays open: drivers do not survive being unloaded
  for (const char* name : kLoaders) {
    if (loader == nullptr) loader = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (loader == nullptr) return false;
  vkGetInstanceProcAddr = reinterpret_cast<PFN_vkGetInstanceProcAddr>(::dlsym(loader, "vkGetInstanceProcAddr"));
  if (vkGetInstanceProcAddr == nullptr) return false;
#define INKREAD_LOAD(name) name = reinterpret_cast<PFN_##name>(vkGetInstanceProcAddr(nullptr, #name));
  INKREAD_VULKAN_LOADER_FUNCTIONS(INKREAD_LOAD)
#undef INKREAD_LOAD
  return true;
}

void LoadInstanceFunctions(VkInstance instance) {
#define INKREAD_LOAD(name) name = reinterpret_cast<PFN_##name>(vkGetInstanceProcAddr(instance, #name));
  INKREAD_VULKAN_INSTANCE_FUNCTIONS(INKREAD_LOAD)
#undef INKREAD_LOAD
}

DeviceFunctions LoadDeviceFunctions(VkDevice device) {
  DeviceFunctions functions;
#define INKREAD_LOAD(name) functions.name = reinterpret_cast<PFN_##name>(vkGetDeviceProcAddr(device, #name));
  INKREAD_VULKAN_DEVICE_FUNCTIONS(INKREAD_LOAD)
#undef INKREAD_LOAD
  return functions;
}

}  // namespace inkread::vulkan
