// A program that uses Vulkan itself, and inkread beside it.
#include <inkread/ocr.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstdio>

int main() {
  uint32_t version = 0;
  if (vkEnumerateInstanceVersion(&version) != VK_SUCCESS) return 1;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  VkInstance instance = VK_NULL_HANDLE;
  const bool has_driver = vkCreateInstance(&info, nullptr, &instance) == VK_SUCCESS;
  const size_t num_devices = inkread::ListDevices().size();
  if (has_driver) {
    uint32_t count = 0;
    if (vkEnumeratePhysicalDevices(instance, &count, nullptr) < 0) return 1;
    vkDestroyInstance(instance, nullptr);
  }
  std::printf("Vulkan %u.%u, inkread %s\n", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
              inkread::VersionString().c_str());
  return num_devices > 0 ? 0 : 1;
}
