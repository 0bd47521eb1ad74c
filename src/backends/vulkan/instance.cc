#include "backends/vulkan/instance.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <mutex>
#include <utility>

#define VOLK_IMPLEMENTATION
#include <volk.h>

#include "backends/vulkan/cooperative_matrix.h"

namespace inkread {
namespace vulkan {
namespace {

// What the kernels need of any device.
constexpr uint32_t kMinGroupSize = 256;
constexpr uint32_t kMinSharedBytes = 16 << 10;

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

struct Messages {
  std::mutex mutex;
  std::vector<std::string> lines;
};
Messages& AllMessages() {
  static Messages& messages = *new Messages;  // drivers may speak while the process ends
  return messages;
}

VKAPI_ATTR VkBool32 VKAPI_CALL KeepMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                           const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  Messages& messages = AllMessages();
  std::lock_guard lock(messages.mutex);
  messages.lines.emplace_back(data->pMessage);
  return VK_FALSE;
}

constexpr VkDebugUtilsMessengerCreateInfoEXT kMessengerInfo = {
    VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
    nullptr,
    0,
    VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
    VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
    KeepMessage,
    nullptr};

// What a function lists that is asked for the number first, list(&count, null), and then for the things.
template <typename T, typename List>
std::vector<T> Listed(const List& list) {
  uint32_t count = 0;
  list(&count, nullptr);
  std::vector<T> things(count);
  list(&count, things.data());
  return things;
}

bool HasLayer(const char* wanted) {
  const auto layers = Listed<VkLayerProperties>(
      [](uint32_t* count, VkLayerProperties* to) { vkEnumerateInstanceLayerProperties(count, to); });
  return std::any_of(layers.begin(), layers.end(),
                     [wanted](const VkLayerProperties& l) { return std::strcmp(l.layerName, wanted) == 0; });
}

std::vector<std::string> ExtensionsOf(VkPhysicalDevice device) {
  const auto found = Listed<VkExtensionProperties>([device](uint32_t* count, VkExtensionProperties* to) {
    vkEnumerateDeviceExtensionProperties(device, nullptr, count, to);
  });
  std::vector<std::string> names;
  for (const VkExtensionProperties& e : found) names.emplace_back(e.extensionName);
  return names;
}

std::string OneDecimal(double value) {
  const auto tenths = static_cast<uint64_t>(value * 10 + 0.5);
  return StrCat(tenths / 10, '.', tenths % 10);
}

// Whether a subgroup's units multiply matrices as our kernels want it.
bool MultipliesMatrices(VkInstance instance, VkPhysicalDevice device) {
  const auto list = reinterpret_cast<PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR>(
      vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
  if (list == nullptr) return false;
  uint32_t count = 0;
  if (list(device, &count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkCooperativeMatrixPropertiesKHR> offered(count);
  for (auto& o : offered) o.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  if (list(device, &count, offered.data()) != VK_SUCCESS) return false;
  return std::any_of(offered.begin(), offered.end(), [](const VkCooperativeMatrixPropertiesKHR& o) {
    return o.MSize == 16 && o.NSize == 16 && o.KSize == 16 && o.AType == VK_COMPONENT_TYPE_FLOAT16_KHR &&
           o.BType == VK_COMPONENT_TYPE_FLOAT16_KHR && o.CType == VK_COMPONENT_TYPE_FLOAT32_KHR &&
           o.ResultType == VK_COMPONENT_TYPE_FLOAT32_KHR && o.scope == VK_SCOPE_SUBGROUP_KHR;
  });
}

// Fills what `device.handle` says of itself.
void Describe(VkInstance instance, PhysicalDevice& device) {
  vkGetPhysicalDeviceProperties(device.handle, &device.properties);
  vkGetPhysicalDeviceMemoryProperties(device.handle, &device.memory);
  const VkPhysicalDeviceProperties& properties = device.properties;
  VulkanDeviceInfo& info = device.info;
  info.name = properties.deviceName;
  const uint32_t version = properties.apiVersion;
  info.driver = StrCat("Vulkan ", VK_API_VERSION_MAJOR(version), '.', VK_API_VERSION_MINOR(version));
  if (version < VK_API_VERSION_1_1) {
    info.unusable_reason = "it has no Vulkan 1.1";
    return;
  }
  const std::vector<std::string> extensions = ExtensionsOf(device.handle);
  const auto has = [&extensions](const char* name) {
    return std::find(extensions.begin(), extensions.end(), name) != extensions.end();
  };

  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceSubgroupProperties subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  if (version >= VK_API_VERSION_1_2 || has(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)) subgroup.pNext = &driver;
  VkPhysicalDeviceProperties2 properties2{};
  properties2.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties2.pNext = &subgroup;
  vkGetPhysicalDeviceProperties2(device.handle, &properties2);
  if (driver.driverName[0] != '\0') info.driver += StrCat(", ", driver.driverName, ' ', driver.driverInfo);

  VkPhysicalDevice16BitStorageFeatures storage{};
  storage.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  VkPhysicalDeviceShaderFloat16Int8Features half{};
  half.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES;
  if (version >= VK_API_VERSION_1_2 || has(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME)) storage.pNext = &half;
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{};
  memory_model.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix{};
  matrix.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  if (has(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME) &&
      (version >= VK_API_VERSION_1_2 || has(VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME))) {
    half.pNext = &memory_model;
    memory_model.pNext = &matrix;
  }
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &storage;
  vkGetPhysicalDeviceFeatures2(device.handle, &features);
  device.has_f16 = storage.storageBuffer16BitAccess && half.shaderFloat16;
  const bool has_threads = subgroup.subgroupSize == 32 || subgroup.subgroupSize == 64;
  if (device.has_f16 && memory_model.vulkanMemoryModel && matrix.cooperativeMatrix && has_threads &&
      MultipliesMatrices(instance, device.handle))
    device.matrix_threads = subgroup.subgroupSize;

  const auto families = Listed<VkQueueFamilyProperties>([&device](uint32_t* count, VkQueueFamilyProperties* to) {
    vkGetPhysicalDeviceQueueFamilyProperties(device.handle, count, to);
  });
  bool has_queue = false, is_graphics = false;
  for (uint32_t i = 0; i < families.size(); ++i) {
    if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
    const bool draws = (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
    if (has_queue && (!is_graphics || draws)) continue;
    has_queue = true;
    is_graphics = draws;
    device.queue_family = i;
    device.has_timestamps = families[i].timestampValidBits > 0 && properties.limits.timestampPeriod > 0;
  }

  uint64_t memory = 0;
  for (uint32_t i = 0; i < device.memory.memoryHeapCount; ++i) {
    const VkMemoryHeap& heap = device.memory.memoryHeaps[i];
    if (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) memory = std::max<uint64_t>(memory, heap.size);
  }
  info.offers = StrCat("subgroups of ", subgroup.subgroupSize, device.has_f16 ? ", f16" : ", no f16",
                       device.matrix_threads != 0 ? ", matrix units" : ", no matrix units", ", ",
                       OneDecimal(static_cast<double>(memory) / (1 << 30)), " GiB");

  const VkPhysicalDeviceLimits& limits = properties.limits;
  if (!has_queue) {
    info.unusable_reason = "it has no queue for computing";
  } else if (limits.maxComputeWorkGroupInvocations < kMinGroupSize ||
             limits.maxComputeWorkGroupSize[0] < kMinGroupSize) {
    info.unusable_reason = StrCat("its groups have ", limits.maxComputeWorkGroupInvocations, " threads, expected ",
                                  kMinGroupSize, " and more");
  } else if (limits.maxComputeSharedMemorySize < kMinSharedBytes) {
    info.unusable_reason = StrCat("its groups share ", limits.maxComputeSharedMemorySize, " bytes, expected ",
                                  kMinSharedBytes, " and more");
  }
  if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) {
    info.not_default_reason = "it computes on the CPU, which our own kernels do better";
  } else if (subgroup.subgroupSize < 4 || subgroup.subgroupSize > 128) {
    info.not_default_reason = StrCat("its subgroups have ", subgroup.subgroupSize, " threads, expected 4 to 128");
  }
}

}  // namespace

Status FaultOf(const std::string& who, const char* call, VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_MEMORY_MAP_FAILED:
      return OutOfMemory(who, ": ", call, ": no memory (", static_cast<int>(result), ")");
    case VK_ERROR_DEVICE_LOST:
      return Status(StatusCode::kDeviceLost, StrCat(who, ": ", call, ": the device is lost"));
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return Unsupported(who, ": ", call, ": there is no driver");
    default:
      return Unsupported(who, ": ", call, " failed (VkResult ", static_cast<int>(result), ")");
  }
}

Result<std::shared_ptr<const Instance>> Instance::Get(bool validate, const std::function<int(const char*)>& fault) {
  static std::mutex mutex;
  // The plain one stays for good: the loader unloads a driver with its last instance, and NVIDIA's cannot be loaded
  // again more than a few times in a process.
  static auto& plain = *new std::shared_ptr<const Instance>;
  static std::weak_ptr<const Instance> validating;
  std::lock_guard lock(mutex);
  const Caller call("Vulkan", fault);
  if (volkInitialize() != VK_SUCCESS) return Unsupported("Vulkan: there is no loader (libvulkan.so.1)");
  const std::shared_ptr<const Instance> known = validate ? validating.lock() : plain;
  if (volkGetInstanceVersion() < VK_API_VERSION_1_1) return Unsupported("Vulkan: the loader is older than Vulkan 1.1");
  if (validate && !HasLayer(kValidationLayer)) return Unsupported("Vulkan: ", kValidationLayer, " is not installed");

  std::shared_ptr<Instance> made(new Instance);
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "inkread";
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  const char* const layer = kValidationLayer;
  const char* const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  if (validate) {
    info.pNext = &kMessengerInfo;
    info.enabledLayerCount = info.enabledExtensionCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.ppEnabledExtensionNames = &extension;
  }
  // That this can fail must be seen by tests whether or not it is called.
  INKREAD_RETURN_IF_ERROR(call("vkCreateInstance", [&] {
    return known != nullptr ? VK_SUCCESS : vkCreateInstance(&info, nullptr, &made->instance_);
  }));
  if (known != nullptr) return known;
  // The loader's entry points serve all instances, so they are loaded once.
  if (vkEnumeratePhysicalDevices == nullptr) volkLoadInstanceOnly(made->instance_);
  if (validate) {
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(made->instance_, "vkCreateDebugUtilsMessengerEXT"));
    INKREAD_RETURN_IF_ERROR(call("vkCreateDebugUtilsMessengerEXT",
                                 [&] { return create(made->instance_, &kMessengerInfo, nullptr, &made->messenger_); }));
  }
  if (validate) {
    validating = made;
  } else {
    plain = made;
  }
  return std::shared_ptr<const Instance>(std::move(made));
}

Instance::~Instance() {
  if (messenger_ != VK_NULL_HANDLE) {
    reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"))(instance_, messenger_, nullptr);
  }
  if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
}

Result<std::vector<PhysicalDevice>> PhysicalDevices(const Instance& instance, const Caller& call) {
  uint32_t count = 0;
  INKREAD_RETURN_IF_ERROR(call("vkEnumeratePhysicalDevices",
                               [&] { return vkEnumeratePhysicalDevices(instance.handle(), &count, nullptr); }));
  std::vector<VkPhysicalDevice> handles(count);
  INKREAD_RETURN_IF_ERROR(call("vkEnumeratePhysicalDevices",
                               [&] { return vkEnumeratePhysicalDevices(instance.handle(), &count, handles.data()); }));
  if (count == 0) return Unsupported("Vulkan: no driver offers a device");
  std::vector<PhysicalDevice> devices(count);
  for (uint32_t i = 0; i < count; ++i) {
    devices[i].handle = handles[i];
    devices[i].info.index = static_cast<int>(i);
    Describe(instance.handle(), devices[i]);
  }
  return devices;
}

}  // namespace vulkan

Result<std::vector<VulkanDeviceInfo>> ListVulkanDevices() {
  INKREAD_ASSIGN_OR_RETURN(const auto instance, vulkan::Instance::Get(false, nullptr));
  INKREAD_ASSIGN_OR_RETURN(const auto devices, vulkan::PhysicalDevices(*instance, vulkan::Caller("Vulkan", nullptr)));
  std::vector<VulkanDeviceInfo> infos;
  for (const vulkan::PhysicalDevice& device : devices) infos.push_back(device.info);
  return infos;
}

std::vector<std::string> VulkanMessages() {
  vulkan::Messages& messages = vulkan::AllMessages();
  std::lock_guard lock(messages.mutex);
  return messages.lines;
}

}  // namespace inkread
