// Compiled kernels, each variant once a device, and the file that keeps them for the next start.
//
// A driver takes 40 to 200 ms to compile one, so those of a network are compiled on several threads at once.
#ifndef INKREAD_BACKENDS_VULKAN_PIPELINES_H_
#define INKREAD_BACKENDS_VULKAN_PIPELINES_H_

#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/gpu/dispatch.h"
#include "backends/vulkan/device.h"

namespace inkread::vulkan {

// The buffers that kernels/step.glsl and image.glsl declare; all but the weights and the image, where there is one,
// are the run's memory.
inline constexpr uint32_t kNumBindings = 3;
inline constexpr uint32_t kWeightsBinding = 1;
inline constexpr uint32_t kImageBinding = 2;

class Pipelines {
 public:
  // cache_folder  as VulkanOptions
  static Result<std::unique_ptr<Pipelines>> Make(const std::shared_ptr<Device>& device,
                                                 const std::string& cache_folder);
  // Waits for what is being compiled; drops what was only expected.
  ~Pipelines();

  // The pipelines of the dispatches' variants, in their order. Missing ones are compiled first, by this thread and by
  // as many others as there are CPUs. Safe from several threads.
  Result<std::vector<VkPipeline>> Get(std::span<const gpu::Dispatch> dispatches);
  // Begins to compile what these will need, on half as many threads as there are CPUs and after all that Get waits for.
  // Returns at once.
  void Expect(std::span<const gpu::Dispatch> dispatches);

  VkPipelineLayout layout() const { return layout_.get(); }
  VkDescriptorSetLayout set_layout() const { return set_layout_.get(); }

 private:
  struct Entry {
    enum class State { kWaiting, kAtWork, kDone } state = State::kWaiting;
    OwnedPipeline pipeline;
    Status status;  // why there is none
  };
  using Entries = std::map<gpu::KernelVariant, Entry>;
  using Queue = std::deque<Entries::iterator>;

  Status MakeLayouts();
  Status MakeCache();
  std::vector<const Entry*> Add(std::span<const gpu::Dispatch> dispatches, Queue& queue);
  bool CompileNext(Queue& queue, std::unique_lock<std::mutex>& lock);
  void StartHelpers(size_t max_helpers);
  void Help();
  Result<VkShaderModule> ShaderFor(const gpu::KernelVariant& variant);
  Result<OwnedPipeline> Compile(const gpu::KernelVariant& variant, VkShaderModule shader) const;
  size_t CacheBytes() const;
  void SaveCache();

  std::shared_ptr<Device> device_;
  std::string cache_path_;  // empty: none is kept
  size_t saved_bytes_ = 0;  // of the driver's cache that the file already has
  OwnedSetLayout set_layout_;
  OwnedPipelineLayout layout_;
  OwnedPipelineCache cache_;

  std::mutex mutex_;  // guards all below
  std::condition_variable one_is_done_;
  std::map<std::pair<StepKind, Arithmetic>, OwnedShader> shaders_;
  Entries entries_;
  Queue wanted_, expected_;  // some entries are in both; those no longer waiting are skipped
  size_t num_helpers_ = 0;
  std::vector<std::future<void>> helpers_;
};

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_PIPELINES_H_
