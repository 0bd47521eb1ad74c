// Compiled kernels, each variant once a device, and the file that keeps them for the next start.
#ifndef INKREAD_BACKENDS_VULKAN_PIPELINES_H_
#define INKREAD_BACKENDS_VULKAN_PIPELINES_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "backends/gpu/dispatch.h"
#include "backends/vulkan/device.h"

namespace inkread::vulkan {

// The buffers that kernels/step.glsl and picture.glsl declare; all but the weights and the picture, where there is one,
// are the run's memory.
inline constexpr uint32_t kNumBindings = 3;
inline constexpr uint32_t kWeightsBinding = 1;
inline constexpr uint32_t kPictureBinding = 2;

class Pipelines {
 public:
  // cache_folder  as VulkanOptions
  static Result<std::unique_ptr<Pipelines>> Make(const std::shared_ptr<Device>& device,
                                                 const std::string& cache_folder);
  ~Pipelines();

  // Compiled on first use. Safe from several threads.
  // threads  of a group; the variant decides them, so they need not be told apart by them
  Result<VkPipeline> Get(const gpu::KernelVariant& variant, uint32_t threads);

  VkPipelineLayout layout() const { return layout_.get(); }
  VkDescriptorSetLayout set_layout() const { return set_layout_.get(); }

 private:
  Status MakeLayouts();
  Status MakeCache();
  Result<VkPipeline> Compile(const gpu::KernelVariant& variant, uint32_t threads);
  void SaveCache();

  std::shared_ptr<Device> device_;
  std::string cache_path_;  // empty: none is kept
  OwnedSetLayout set_layout_;
  OwnedPipelineLayout layout_;
  OwnedPipelineCache cache_;
  std::mutex mutex_;
  std::map<std::pair<StepKind, Arithmetic>, OwnedShader> shaders_;
  std::map<gpu::KernelVariant, OwnedPipeline> pipelines_;
  bool has_new_ = false;  // something that the file has not
};

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_PIPELINES_H_
