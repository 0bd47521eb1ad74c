#include "backends/vulkan/pipelines.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "backends/vulkan/cache_file.h"
#include "backends/vulkan/shaders.h"
#include "base/round.h"
#include "base/usable_cpus.h"

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
  {
    std::lock_guard lock(mutex_);
    expected_.clear();
  }
  for (std::future<void>& helper : helpers_) helper.wait();
  SaveCache();
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
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(gpu::Dispatch::push_constants)};
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
  saved_bytes_ = saved.empty() ? 0 : CacheBytes();
  return Status();
}

Result<std::vector<VkPipeline>> Pipelines::Get(std::span<const gpu::Dispatch> dispatches) {
  std::unique_lock lock(mutex_);
  const std::vector<const Entry*> entries = Add(dispatches, wanted_);
  if (!wanted_.empty()) StartHelpers(UsableCpus());  // counting the CPUs takes 35 us
  while (CompileNext(wanted_, lock)) {
  }
  std::vector<VkPipeline> pipelines;
  pipelines.reserve(entries.size());
  for (const Entry* entry : entries) {
    // Another thread may have queued a failed one again and left.
    while (entry->state != Entry::State::kDone) {
      if (!CompileNext(wanted_, lock)) one_is_done_.wait(lock);
    }
    INKREAD_RETURN_IF_ERROR(entry->status);
    pipelines.push_back(entry->pipeline.get());
  }
  return pipelines;
}

void Pipelines::Expect(std::span<const gpu::Dispatch> dispatches) {
  // A test that plants faults wants the same calls each time.
  if (device_->call().plants_faults()) return;
  std::lock_guard lock(mutex_);
  try {
    Add(dispatches, expected_);
  } catch (const std::bad_alloc&) {
    return;  // Get reports it when they are needed
  }
  StartHelpers(DivideUp(UsableCpus(), 2));
}

// Queues the variants that nobody compiles yet. Returns the entry of each dispatch.
std::vector<const Pipelines::Entry*> Pipelines::Add(std::span<const gpu::Dispatch> dispatches, Queue& queue) {
  std::vector<const Entry*> entries;
  entries.reserve(dispatches.size());
  for (const gpu::Dispatch& dispatch : dispatches) {
    const auto [entry, is_new] = entries_.try_emplace(dispatch.variant);
    Entry& e = entry->second;
    // A variant that failed is tried again.
    const bool has_failed = e.state == Entry::State::kDone && !e.status.ok();
    if (is_new || (&queue == &wanted_ && (has_failed || e.state == Entry::State::kWaiting))) queue.push_back(entry);
    if (&queue == &wanted_ && has_failed) e.state = Entry::State::kWaiting;
    entries.push_back(&e);
  }
  return entries;
}

// Compiles the next variant of a queue. False: there is none.
bool Pipelines::CompileNext(Queue& queue, std::unique_lock<std::mutex>& lock) {
  while (!queue.empty() && queue.front()->second.state != Entry::State::kWaiting) queue.pop_front();
  if (queue.empty()) return false;
  const gpu::KernelVariant& variant = queue.front()->first;
  Entry& entry = queue.front()->second;
  queue.pop_front();
  entry.state = Entry::State::kAtWork;
  entry.status = Status();
  const auto compile = [&]() -> Result<OwnedPipeline> {
    INKREAD_ASSIGN_OR_RETURN(const VkShaderModule shader, ShaderFor(variant));
    lock.unlock();
    return Compile(variant, shader);
  };
  // Others may wait for this entry, so it ends as done even if memory runs out.
  try {
    Result<OwnedPipeline> pipeline = compile();
    if (!lock.owns_lock()) lock.lock();
    entry.status = pipeline.status();
    if (pipeline.ok()) entry.pipeline = std::move(pipeline).value();
  } catch (const std::bad_alloc&) {
    if (!lock.owns_lock()) lock.lock();
    entry.status = Status(StatusCode::kOutOfMemory, "no memory");  // short enough to need none itself
  }
  entry.state = Entry::State::kDone;
  one_is_done_.notify_all();
  return true;
}

// Until there are max_helpers, or one for each entry that waits.
void Pipelines::StartHelpers(size_t max_helpers) {
  if (device_->call().plants_faults()) return;
  std::erase_if(helpers_, [](const std::future<void>& helper) {
    return helper.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  while (num_helpers_ < std::min(max_helpers, wanted_.size() + expected_.size())) {
    try {
      helpers_.reserve(helpers_.size() + 1);  // first: the destructor of a future that is not kept would wait here
      helpers_.push_back(std::async(std::launch::async, [this] { Help(); }));
    } catch (const std::system_error&) {
      return;  // no more threads: those that wait compile themselves
    } catch (const std::bad_alloc&) {
      return;
    }
    ++num_helpers_;
  }
}

void Pipelines::Help() {
  std::unique_lock lock(mutex_);
  while (CompileNext(wanted_, lock) || CompileNext(expected_, lock)) {
  }
  --num_helpers_;
}

Result<VkShaderModule> Pipelines::ShaderFor(const gpu::KernelVariant& variant) {
  const bool is_f32 = variant.element == INKREAD_ELEMENT_F32 && variant.y_element == INKREAD_ELEMENT_F32;
  const std::pair key(variant.kind, is_f32 ? Arithmetic::kF32 : device_->arithmetic());
  if (!shaders_.contains(key)) {
    const std::span<const uint32_t> code = ShaderOf(key.first, key.second);
    if (code.empty()) return Unsupported(device_->call().who(), ": no kernel for ", StepKindName(key.first));
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
  return shaders_.at(key).get();
}

Result<OwnedPipeline> Pipelines::Compile(const gpu::KernelVariant& variant, VkShaderModule shader) const {
  // Vulkan ignores constants that the kernel does not declare.
  const std::vector<gpu::KernelConstant> constants = gpu::ConstantsOf(variant);
  std::vector<VkSpecializationMapEntry> entries;
  for (size_t i = 0; i < constants.size(); ++i) {
    const size_t offset = i * sizeof(gpu::KernelConstant) + offsetof(gpu::KernelConstant, value);
    entries.push_back({constants[i].id, static_cast<uint32_t>(offset), sizeof(constants[i].value)});
  }
  const VkSpecializationInfo specialization{static_cast<uint32_t>(entries.size()), entries.data(),
                                            constants.size() * sizeof(gpu::KernelConstant), constants.data()};
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = shader;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = layout_.get();
  return OwnedPipeline::Make(device_, "vkCreateComputePipelines", [&](Device& d, VkPipeline* p) {
    return d.vk().vkCreateComputePipelines(d.handle(), cache_.get(), 1, &info, nullptr, p);
  });
}

size_t Pipelines::CacheBytes() const {
  size_t size = 0;
  const VkResult result = device_->vk().vkGetPipelineCacheData(device_->handle(), cache_.get(), &size, nullptr);
  return result == VK_SUCCESS ? size : 0;
}

// A cache that cannot be written is made again next time, so nothing here is an error.
void Pipelines::SaveCache() {
  if (cache_path_.empty() || entries_.empty()) return;
  std::vector<std::byte> data(CacheBytes());
  size_t size = data.size();
  if (size == saved_bytes_) return;  // the file already has all of it
  if (device_->vk().vkGetPipelineCacheData(device_->handle(), cache_.get(), &size, data.data()) != VK_SUCCESS) return;
  data.resize(size);
  WriteCacheFile(cache_path_, data);
}

}  // namespace inkread::vulkan
