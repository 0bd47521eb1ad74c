#include "backends/vulkan/instance.h"

#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <mutex>
#include <utility>

#include "backends/vulkan/cooperative_matrix.h"

namespace inkread {
namespace vulkan {
namespace {

// What the kernels need of any device.
constexpr uint32_t kMinWorkgroupSize = 256;
constexpr uint32_t kMinSharedBytes = 16 << 10;

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

struct Messages {
  std::mutex mutex;
  std::vector<std::string> lines;
};
Messages& AllMessages() {
  static Messages& messages = *new Messages;  // never destroyed: drivers may send messages while the process ends
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

// The result of a Vulkan function that is called twice: list(&count, null) for the number, then for the items.
template <typename T, typename List>
std::vector<T> Listed(const List& list) {
  uint32_t count = 0;
  list(&count, nullptr);
  std::vector<T> items(count);
  list(&count, items.data());
  return items;
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

// Whether a subgroup multiplies 16 x 16 matrices of f16 into f32, as our kernels do.
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

// Whether a device has an extension, or a version of Vulkan that includes it.
class Offers {
 public:
  Offers(VkPhysicalDevice device, uint32_t version) : extensions_(ExtensionsOf(device)), version_(version) {}
  bool Extension(const char* name) const {
    return std::find(extensions_.begin(), extensions_.end(), name) != extensions_.end();
  }
  bool Version12Or(const char* name) const { return version_ >= VK_API_VERSION_1_2 || Extension(name); }

 private:
  std::vector<std::string> extensions_;
  uint32_t version_;
};

// Adds the driver's name to the device's info. Returns the threads of a subgroup.
uint32_t DescribeDriver(const Offers& offers, PhysicalDevice& device) {
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceSubgroupProperties subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  if (offers.Version12Or(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)) subgroup.pNext = &driver;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &subgroup;
  vkGetPhysicalDeviceProperties2(device.handle, &properties);
  if (driver.driverName[0] != '\0') device.info.driver += StrCat(", ", driver.driverName, ' ', driver.driverInfo);
  return subgroup.subgroupSize;
}

// Finds out whether the device has f16 and matrix units that our kernels can use.
void DescribeArithmetic(VkInstance instance, const Offers& offers, uint32_t subgroup_size, PhysicalDevice& device) {
  VkPhysicalDevice16BitStorageFeatures storage{};
  storage.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  VkPhysicalDeviceShaderFloat16Int8Features f16{};
  f16.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES;
  if (offers.Version12Or(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME)) storage.pNext = &f16;
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{};
  memory_model.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix{};
  matrix.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  if (offers.Extension(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME) &&
      offers.Version12Or(VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME)) {
    f16.pNext = &memory_model;
    memory_model.pNext = &matrix;
  }
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &storage;
  vkGetPhysicalDeviceFeatures2(device.handle, &features);
  device.has_f16 = storage.storageBuffer16BitAccess && f16.shaderFloat16;
  const bool has_threads = subgroup_size == 32 || subgroup_size == 64;
  if (device.has_f16 && memory_model.vulkanMemoryModel && matrix.cooperativeMatrix && has_threads &&
      MultipliesMatrices(instance, device.handle))
    device.matrix_threads = subgroup_size;
}

// Chooses the first queue family that computes and does not draw, else the first that computes. False: there is none.
bool ChooseQueue(PhysicalDevice& device) {
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
    device.has_timestamps = families[i].timestampValidBits > 0 && device.properties.limits.timestampPeriod > 0;
  }
  return has_queue;
}

// Bytes of the largest heap of the device's own memory.
uint64_t LocalBytes(const VkPhysicalDeviceMemoryProperties& memory) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    const VkMemoryHeap& heap = memory.memoryHeaps[i];
    if (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) bytes = std::max<uint64_t>(bytes, heap.size);
  }
  return bytes;
}

std::string UnusableReason(const VkPhysicalDeviceLimits& limits, bool has_queue) {
  if (!has_queue) return "it has no queue for computing";
  if (limits.maxComputeWorkGroupInvocations < kMinWorkgroupSize ||
      limits.maxComputeWorkGroupSize[0] < kMinWorkgroupSize)
    return StrCat("its workgroups have ", limits.maxComputeWorkGroupInvocations, " threads, expected ",
                  kMinWorkgroupSize, " and more");
  if (limits.maxComputeSharedMemorySize < kMinSharedBytes)
    return StrCat("its workgroups share ", limits.maxComputeSharedMemorySize, " bytes, expected ", kMinSharedBytes,
                  " and more");
  return "";
}

std::string NotDefaultReason(VkPhysicalDeviceType type, uint32_t subgroup_size) {
  if (type == VK_PHYSICAL_DEVICE_TYPE_CPU) return "it computes on the CPU, which our own kernels do better";
  if (subgroup_size < 4 || subgroup_size > 128)
    return StrCat("its subgroups have ", subgroup_size, " threads, expected 4 to 128");
  return "";
}

// Fills in what device.handle says of itself.
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
  const Offers offers(device.handle, version);
  const uint32_t subgroup_size = DescribeDriver(offers, device);
  DescribeArithmetic(instance, offers, subgroup_size, device);
  const bool has_queue = ChooseQueue(device);
  info.offers = StrCat("subgroups of ", subgroup_size, device.has_f16 ? ", f16" : ", no f16",
                       device.matrix_threads != 0 ? ", matrix units" : ", no matrix units", ", ",
                       OneDecimal(static_cast<double>(LocalBytes(device.memory)) / (1 << 30)), " GiB");
  info.unusable_reason = UnusableReason(properties.limits, has_queue);
  info.not_default_reason = NotDefaultReason(properties.deviceType, subgroup_size);
}

// A driver that finds no address space while it is loaded may end the process, as LLVM inside Mesa's does.
Status CheckAddressSpace() {
  constexpr rlim_t kMinBytes = rlim_t{1} << 30;
  rlimit limit;
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= kMinBytes) {
    return Status();
  }
  return Unsupported("Vulkan: the address space is limited to ", limit.rlim_cur >> 20, " MiB (ulimit -v), expected ",
                     kMinBytes >> 20, " MiB for a driver");
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
  // The plain one is never destroyed: the loader unloads a driver with its last instance, and NVIDIA's cannot be loaded
  // again more than a few times in a process.
  static auto& plain = *new std::shared_ptr<const Instance>;
  static std::weak_ptr<const Instance> validating;
  std::lock_guard lock(mutex);
  const Caller call("Vulkan", fault);
  INKREAD_RETURN_IF_ERROR(CheckAddressSpace());
  if (!LoadLoaderFunctions()) return Unsupported("Vulkan: there is no loader (libvulkan.so.1)");
  const std::shared_ptr<const Instance> known = validate ? validating.lock() : plain;
  uint32_t version = 0;
  if (vkEnumerateInstanceVersion == nullptr || vkEnumerateInstanceVersion(&version) != VK_SUCCESS ||
      version < VK_API_VERSION_1_1)
    return Unsupported("Vulkan: the loader is older than Vulkan 1.1");
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
  // Asked even if the instance exists already, so that tests can plant a failure here each time.
  INKREAD_RETURN_IF_ERROR(call("vkCreateInstance", [&] {
    return known != nullptr ? VK_SUCCESS : vkCreateInstance(&info, nullptr, &made->instance_);
  }));
  if (known != nullptr) return known;
  // The loader's entry points serve all instances and are loaded once.
  if (vkEnumeratePhysicalDevices == nullptr) LoadInstanceFunctions(made->instance_);
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
