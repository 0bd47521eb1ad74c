// MTLCommandQueue and MTLCommandBuffer.
//
// A queue has a thread of its own. What was committed runs there, in order of commit, while the host goes on.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_COMMAND_QUEUE_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_COMMAND_QUEUE_H_

#include <Metal/Metal.hpp>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/metal_emulator/host/foundation.h"
#include "tests/metal_emulator/host/objc_runtime.h"
#include "tests/metal_emulator/host/state.h"

namespace metal_emulator {

class MetalCommandBuffer;
class MetalDevice;
class MetalEncoder;

// What an encoder has recorded. Runs on the queue's thread.
class Pass {
 public:
  virtual ~Pass() = default;
  virtual bool Run() = 0;  // false: a kernel did what hardware may answer with a fault
};

class MetalQueue : public Object {
 public:
  static const ClassDefinition& Definition();
  explicit MetalQueue(MetalDevice* device);
  ~MetalQueue() override;
  const Ref<MetalDevice>& device() const { return device_; }
  void Run(Ref<MetalCommandBuffer> commands);

 private:
  struct Work {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Ref<MetalCommandBuffer>> committed;
    bool closed = false;
  };
  static void RunAll(const std::shared_ptr<Work>& work);

  MTL::Device* Device() const;
  MTL::CommandBuffer* NewCommands(bool retained);
  MTL::CommandBuffer* Commands() { return NewCommands(true); }
  MTL::CommandBuffer* Unretained() { return NewCommands(false); }
  MTL::CommandBuffer* CommandsWithDescriptor(const MTL::CommandBufferDescriptor* descriptor);

  Ref<MetalDevice> device_;
  std::shared_ptr<Work> work_;
};

// MTLCommandBufferDescriptor.
class MetalCommandBufferDescriptor : public Object {
 public:
  static const ClassDefinition& Definition();
  bool Retained() const { return retained_; }

 private:
  void SetRetained(bool retained) { retained_ = retained; }
  MTL::CommandBufferErrorOption ErrorOptions() const { return error_options_; }
  void SetErrorOptions(MTL::CommandBufferErrorOption options) { error_options_ = options; }

  bool retained_ = true;
  MTL::CommandBufferErrorOption error_options_ = MTL::CommandBufferErrorOptionNone;
};

class MetalCommandBuffer : public Object {
 public:
  static const ClassDefinition& Definition();
  MetalCommandBuffer(MetalQueue* queue, bool retained);
  ~MetalCommandBuffer() override;

  const Ref<MetalQueue>& queue() const { return queue_; }
  // An encoder's pass is over; it runs after those before it.
  void Close(MetalEncoder* encoder, std::unique_ptr<Pass> pass);
  // An encoder ends without having been closed.
  void Abandon(MetalEncoder* encoder);
  bool committed() const { return committed_; }
  // Commands need this object until they are done.
  void Use(const Object* object);
  // All of it, on the queue's thread.
  void Execute();

 private:
  using Handler = void (^)(MTL::CommandBuffer*);

  template <typename E>
  E* NewEncoder(bool concurrent);
  MTL::ComputeCommandEncoder* Compute();
  MTL::ComputeCommandEncoder* ComputeOfType(MTL::DispatchType type);
  MTL::BlitCommandEncoder* Blit();
  void Enqueue();
  void Commit();
  void WaitUntilCompleted();
  void WaitUntilScheduled();
  void AddCompletedHandler(Handler handler);
  void AddScheduledHandler(Handler handler);
  void AddHandler(std::vector<Handler>* handlers, Handler handler);
  void CallHandlers(std::vector<Handler>* handlers);
  bool CheckNotCommitted(const char* what);
  MTL::CommandBufferStatus Status();
  NS::Error* Failure();
  CFTimeInterval Begin();
  CFTimeInterval End();
  bool Retained() const { return retained_; }
  MTL::Device* Device() const;
  MTL::CommandQueue* Queue() const { return As<MTL::CommandQueue>(queue_.get()); }
  void DebugGroup(const NS::String*) {}
  void EndDebugGroup() {}

  Ref<MetalQueue> queue_;
  bool retained_;
  bool committed_ = false;
  MetalEncoder* open_ = nullptr;
  std::vector<std::unique_ptr<Pass>> passes_;
  std::map<const Instance*, Ref<const Object>> kept_;  // with retained references
  std::set<const Instance*> unretained_;               // without
  std::vector<Handler> completed_handlers_, scheduled_handlers_;
  std::optional<CommandBufferError> injected_;

  std::mutex mutex_;
  std::condition_variable changed_;
  MTL::CommandBufferStatus status_ = MTL::CommandBufferStatusNotEnqueued;
  bool done_ = false;  // completed, and the handlers were called
  Ref<Error> error_;
  double begin_seconds_ = 0, end_seconds_ = 0;
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_COMMAND_QUEUE_H_
