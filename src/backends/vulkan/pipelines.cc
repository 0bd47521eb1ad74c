#include "backends/vulkan/pipelines.h"

#include <utility>
#include <vector>

#include "backends/vulkan/cache_file.h"
#include "backends/vulkan/shaders.h"

namespace inkread::vulkan {

Result<std::unique_ptr<Pipelines>> Pipelines::Make(const std::shared_ptr<Device>& device,
                                                   const std::string& cache_folder) {
  auto made = std::make_unique<Pipelines>();
  made->device_ = device;
  made->cache_path_ = CachePath(cache_folder, device->physical().properties);
  INKREAD_RETURN_IF_ERROR(made->MakeLayouts());
  INKREAD_RETURN_IF_ERROR(made->MakeCache());
  return made;
}

Pipelines::~Pipelines() {
  if (has_new_) SaveCache();
}

Status Pipelines::MakeLayouts() {
  VkDescriptorSetLayoutBinding bindings[kNumBindings]{};
  for (uint32_t i = 0; i < kNumBindings; ++i) {
    bindings[i].binding = i;
    bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  VkDescriptorSetLayoutCreateInfo set{};
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set.bindingCount = kNumBindings;
  set.pBindings = bindings;
  INKREAD_ASSIGN_OR_RETURN(
      set_layout_,
      OwnedSetLayout::Make(device_, "vkCreateDescriptorSetLayout", [&](Device& d, VkDescriptorSetLayout* l) {
        return d.vk().vkCreateDescriptorSetLayout(d.handle(), &set, nullptr, l);
      }));
  const VkDescriptorSetLayout set_layout = set_layout_.get();
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(gpu::Dispatch::words)};
  VkPipelineLayoutCreateInfo layout{};
  layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &set_layout;
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &push;
  INKREAD_ASSIGN_OR_RETURN(
      layout_, OwnedPipelineLayout::Make(device_, "vkCreatePipelineLayout", [&](Device& d, VkPipelineLayout* l) {
        return d.vk().vkCreatePipelineLayout(d.handle(), &layout, nullptr, l);
      }));
  return Status();
}

Status Pipelines::MakeCache() {
  const std::vector<std::byte> saved = ReadCacheFile(cache_path_);
  VkPipelineCacheCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  info.initialDataSize = saved.size();
  info.pInitialData = saved.data();
  INKREAD_ASSIGN_OR_RETURN(
      cache_, OwnedPipelineCache::Make(device_, "vkCreatePipelineCache", [&](Device& d, VkPipelineCache* c) {
        return d.vk().vkCreatePipelineCache(d.handle(), &info, nullptr, c);
      }));
  has_new_ = saved.empty();
  return Status();
}

Result<VkPipeline> Pipelines::Get(const gpu::KernelVariant& variant, uint32_t threads) {
  std::lock_guard lock(mutex_);
  if (const auto known = pipelines_.find(variant); known != pipelines_.end()) return known->second.get();
  return Compile(variant, threads);
}

Result<VkPipeline> Pipelines::Compile(const gpu::KernelVariant& variant, uint32_t threads) {
  const bool is_f32 = variant.element == INKREAD_ELEMENT_F32 && variant.y_element == INKREAD_ELEMENT_F32;
  const std::pair key(variant.kind, is_f32 ? Arithmetic::kF32 : device_->arithmetic());
  if (!shaders_.contains(key)) {
    const std::span<const uint32_t> code = ShaderOf(key.first, key.second);
    VkShaderModuleCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = code.size_bytes();
    info.pCode = code.data();
    INKREAD_ASSIGN_OR_RETURN(OwnedShader shader,
                             OwnedShader::Make(device_, "vkCreateShaderModule", [&](Device& d, VkShaderModule* s) {
                               return d.vk().vkCreateShaderModule(d.handle(), &info, nullptr, s);
                             }));
    shaders_.emplace(key, std::move(shader));
  }
  // The variant's, by their numbers, and three more. A constant that a kernel does not declare is passed over.
  std::vector<uint32_t> constants(variant.constants.begin(), variant.constants.end());
  constants.push_back(threads);
  constants.push_back(variant.element == INKREAD_ELEMENT_F32);
  constants.push_back(variant.y_element == INKREAD_ELEMENT_F32);
  std::vector<VkSpecializationMapEntry> entries;
  for (uint32_t i = 0; i < constants.size(); ++i) entries.push_back({i, i * 4, 4});
  const VkSpecializationInfo specialization{static_cast<uint32_t>(entries.size()), entries.data(), constants.size() * 4,
                                            constants.data()};
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = shaders_.at(key).get();
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = layout_.get();
  INKREAD_ASSIGN_OR_RETURN(OwnedPipeline pipeline,
                           OwnedPipeline::Make(device_, "vkCreateComputePipelines", [&](Device& d, VkPipeline* p) {
                             return d.vk().vkCreateComputePipelines(d.handle(), cache_.get(), 1, &info, nullptr, p);
                           }));
  has_new_ = true;
  return pipelines_.emplace(variant, std::move(pipeline)).first->second.get();
}

// What cannot be kept is made again next time, so that nothing here is an error.
void Pipelines::SaveCache() {
  if (cache_path_.empty() || pipelines_.empty()) return;
  const VolkDeviceTable& vk = device_->vk();
  size_t size = 0;
  if (vk.vkGetPipelineCacheData(device_->handle(), cache_.get(), &size, nullptr) != VK_SUCCESS) return;
  std::vector<std::byte> data(size);
  if (vk.vkGetPipelineCacheData(device_->handle(), cache_.get(), &size, data.data()) != VK_SUCCESS) return;
  data.resize(size);
  WriteCacheFile(cache_path_, data);
}

}  // namespace inkread::vulkan
