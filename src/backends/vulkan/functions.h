// The functions of Vulkan that this backend calls, found in the loader at run time.
//
// They are pointers in our own namespace. Global ones of the same names, as other loaders have them, would take the
// place of libvulkan's functions in a program that links both libraries.
#ifndef INKREAD_BACKENDS_VULKAN_FUNCTIONS_H_
#define INKREAD_BACKENDS_VULKAN_FUNCTIONS_H_

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan.h>

namespace inkread::vulkan {

// Functions that need no instance. vkEnumerateInstanceVersion is null where the loader is of Vulkan 1.0.
#define INKREAD_VULKAN_LOADER_FUNCTIONS(F) \
  F(vkCreateInstance)                      \
  F(vkEnumerateInstanceLayerProperties)    \
  F(vkEnumerateInstanceVersion)

#define INKREAD_VULKAN_INSTANCE_FUNCTIONS(F) \
  F(vkCreateDevice)                          \
  F(vkDestroyInstance)                       \
  F(vkEnumerateDeviceExtensionProperties)    \
  F(vkEnumeratePhysicalDevices)              \
  F(vkGetDeviceProcAddr)                     \
  F(vkGetPhysicalDeviceFeatures2)            \
  F(vkGetPhysicalDeviceMemoryProperties)     \
  F(vkGetPhysicalDeviceProperties)           \
  F(vkGetPhysicalDeviceProperties2)          \
  F(vkGetPhysicalDeviceQueueFamilyProperties)

#define INKREAD_VULKAN_DEVICE_FUNCTIONS(F) \
  F(vkAllocateCommandBuffers)              \
  F(vkAllocateDescriptorSets)              \
  F(vkAllocateMemory)                      \
  F(vkBeginCommandBuffer)                  \
  F(vkBindBufferMemory)                    \
  F(vkCmdBindDescriptorSets)               \
  F(vkCmdBindPipeline)                     \
  F(vkCmdCopyBuffer)                       \
  F(vkCmdDispatch)                         \
  F(vkCmdPipelineBarrier)                  \
  F(vkCmdPushConstants)                    \
  F(vkCmdResetQueryPool)                   \
  F(vkCmdWriteTimestamp)                   \
  F(vkCreateBuffer)                        \
  F(vkCreateCommandPool)                   \
  F(vkCreateComputePipelines)              \
  F(vkCreateDescriptorPool)                \
  F(vkCreateDescriptorSetLayout)           \
  F(vkCreateFence)                         \
  F(vkCreatePipelineCache)                 \
  F(vkCreatePipelineLayout)                \
  F(vkCreateQueryPool)                     \
  F(vkCreateShaderModule)                  \
  F(vkDestroyBuffer)                       \
  F(vkDestroyCommandPool)                  \
  F(vkDestroyDescriptorPool)               \
  F(vkDestroyDescriptorSetLayout)          \
  F(vkDestroyDevice)                       \
  F(vkDestroyFence)                        \
  F(vkDestroyPipeline)                     \
  F(vkDestroyPipelineCache)                \
  F(vkDestroyPipelineLayout)               \
  F(vkDestroyQueryPool)                    \
  F(vkDestroyShaderModule)                 \
  F(vkDeviceWaitIdle)                      \
  F(vkEndCommandBuffer)                    \
  F(vkFreeMemory)                          \
  F(vkGetBufferMemoryRequirements)         \
  F(vkGetDeviceQueue)                      \
  F(vkGetPipelineCacheData)                \
  F(vkGetQueryPoolResults)                 \
  F(vkMapMemory)                           \
  F(vkQueueSubmit)                         \
  F(vkResetCommandPool)                    \
  F(vkResetDescriptorPool)                 \
  F(vkResetFences)                         \
  F(vkUpdateDescriptorSets)                \
  F(vkWaitForFences)

#define INKREAD_DECLARE(name) extern PFN_##name name;
extern PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
INKREAD_VULKAN_LOADER_FUNCTIONS(INKREAD_DECLARE)
INKREAD_VULKAN_INSTANCE_FUNCTIONS(INKREAD_DECLARE)
#undef INKREAD_DECLARE

// A device's own functions, which skip the loader's dispatch.
struct DeviceFunctions {
#define INKREAD_DECLARE(name) PFN_##name name = nullptr;
  INKREAD_VULKAN_DEVICE_FUNCTIONS(INKREAD_DECLARE)
#undef INKREAD_DECLARE
};

// Opens the loader and finds the functions that need no instance; false where there is no loader. Not safe from several
// threads at once, and neither is the next function.
bool LoadLoaderFunctions();

// Finds the functions of instances. They are the loader's, and the same for every instance.
void LoadInstanceFunctions(VkInstance instance);

DeviceFunctions LoadDeviceFunctions(VkDevice device);

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_FUNCTIONS_H_
