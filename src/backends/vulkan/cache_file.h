// The file that keeps a driver's compiled kernels: one for each device, driver and set of kernels.
#ifndef INKREAD_BACKENDS_VULKAN_CACHE_FILE_H_
#define INKREAD_BACKENDS_VULKAN_CACHE_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "backends/vulkan/functions.h"

namespace inkread::vulkan {

// folder  as VulkanOptions::cache_folder. Returns an empty path if there is no folder for it.
std::string CachePath(const std::string& folder, const VkPhysicalDeviceProperties& device);

// What WriteCacheFile was given; empty if the file is missing, truncated or changed.
std::vector<std::byte> ReadCacheFile(const std::string& path);

// Never leaves half a file. False: it could not be written.
bool WriteCacheFile(const std::string& path, std::span<const std::byte> data);

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_CACHE_FILE_H_
