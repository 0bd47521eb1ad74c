// VK_KHR_cooperative_matrix where the installed headers are older than it: names and values of the Vulkan
// specification.
#ifndef INKREAD_BACKENDS_VULKAN_COOPERATIVE_MATRIX_H_
#define INKREAD_BACKENDS_VULKAN_COOPERATIVE_MATRIX_H_

#include "backends/vulkan/functions.h"

#ifndef VK_KHR_cooperative_matrix

#define VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME "VK_KHR_cooperative_matrix"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR static_cast<VkStructureType>(1000506000)
#define VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR static_cast<VkStructureType>(1000506001)

enum VkComponentTypeKHR : int32_t { VK_COMPONENT_TYPE_FLOAT16_KHR = 0, VK_COMPONENT_TYPE_FLOAT32_KHR = 1 };
enum VkScopeKHR : int32_t { VK_SCOPE_SUBGROUP_KHR = 3 };

struct VkCooperativeMatrixPropertiesKHR {
  VkStructureType sType;
  void* pNext;
  uint32_t MSize, NSize, KSize;
  VkComponentTypeKHR AType, BType, CType, ResultType;
  VkBool32 saturatingAccumulation;
  VkScopeKHR scope;
};

struct VkPhysicalDeviceCooperativeMatrixFeaturesKHR {
  VkStructureType sType;
  void* pNext;
  VkBool32 cooperativeMatrix;
  VkBool32 cooperativeMatrixRobustBufferAccess;
};

using PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR = VkResult(VKAPI_PTR*)(VkPhysicalDevice, uint32_t*,
                                                                                   VkCooperativeMatrixPropertiesKHR*);

#endif  // VK_KHR_cooperative_matrix

#endif  // INKREAD_BACKENDS_VULKAN_COOPERATIVE_MATRIX_H_
