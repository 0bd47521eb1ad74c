#include "tests/metal_emulator/host/command_queue.h"

#include <Block.h>

#include <chrono>
#include <thread>

#include "tests/metal_emulator/host/autorelease_pool.h"
#include "tests/metal_emulator/host/device.h"
#include "tests/metal_emulator/host/encoder.h"
#include "tests/metal_emulator/host/labels.h"

namespace metal_emulator {
namespace {

double NowSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string Explain(CommandBufferError error) {
  switch (error) {
    case CommandBufferError::kInternal:
      return "Internal Error";
    case CommandBufferError::kTimeout:
      return "Caused GPU Timeout Error";
    case CommandBufferError::kPageFault:
      return "Caused GPU Address Fault Error";
    case CommandBufferError::kNotPermitted:
      return "Insufficient Permission";
    case CommandBufferError::kOutOfMemory:
      return "Insufficient Memory";
    case CommandBufferError::kDeviceRemoved:
      return "Device Removed";
  }
  return "Unknown";
}

}  // namespace

const ClassDefinition& MetalQueue::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalQueue::Device>("device"),
      Bind<&MetalQueue::Commands>("commandBuffer"),
      Bind<&MetalQueue::Unretained>("commandBufferWithUnretainedReferences"),
      Bind<&MetalQueue::CommandsWithDescriptor>("commandBufferWithDescriptor:"),
      BindLabel(),
      BindSetLabel(),
  };
  static const ClassDefinition kDefinition = {"MTLCommandQueue", kMethods, {}, nullptr};
  return kDefinition;
}

MetalQueue::MetalQueue(MetalDevice* device) : device_(device), work_(std::make_shared<Work>()) {
  // The thread may be the last one to hold this queue, so it cannot be waited for here; it ends by itself.
  std::thread([work = work_] { RunAll(work); }).detach();
}

MetalQueue::~MetalQueue() {
  std::lock_guard lock(work_->mutex);
  work_->closed = true;
  work_->changed.notify_all();
}

void MetalQueue::RunAll(const std::shared_ptr<Work>& work) {
  while (true) {
    Ref<MetalCommandBuffer> next;
    {
      std::unique_lock lock(work->mutex);
      work->changed.wait(lock, [&] { return work->closed || !work->committed.empty(); });
      if (work->committed.empty()) return;
      next = std::move(work->committed.front());
      work->committed.pop_front();
    }
    next->Execute();
    next = {};
    EndFlight();
  }
}

void MetalQueue::Run(Ref<MetalCommandBuffer> commands) {
  std::lock_guard lock(work_->mutex);
  work_->committed.push_back(std::move(commands));
  work_->changed.notify_all();
}

MTL::Device* MetalQueue::Device() const { return As<MTL::Device>(device_.get()); }

MTL::CommandBuffer* MetalQueue::NewCommands(bool retained) {
  if (CallFails()) return nullptr;
  MetalCommandBuffer* commands = Make<MetalCommandBuffer>(this, retained);
  Autorelease(commands);
  return As<MTL::CommandBuffer>(commands);
}

MTL::CommandBuffer* MetalQueue::CommandsWithDescriptor(const MTL::CommandBufferDescriptor* descriptor) {
  const auto* described = Behind<MetalCommandBufferDescriptor>(descriptor, "commandBufferWithDescriptor");
  if (described == nullptr) {
    if (descriptor == nullptr) ReportMisuse(Misuse::kBadArgument, Describe() + ": commandBufferWithDescriptor: nil");
    return nullptr;
  }
  return NewCommands(described->Retained());
}

const ClassDefinition& MetalCommandBufferDescriptor::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalCommandBufferDescriptor::Retained>("retainedReferences"),
      Bind<&MetalCommandBufferDescriptor::SetRetained>("setRetainedReferences:"),
      Bind<&MetalCommandBufferDescriptor::ErrorOptions>("errorOptions"),
      Bind<&MetalCommandBufferDescriptor::SetErrorOptions>("setErrorOptions:"),
  };
  static const ClassDefinition kDefinition = {
      "MTLCommandBufferDescriptor", kMethods, {}, []() -> Object* { return Make<MetalCommandBufferDescriptor>(); }};
  return kDefinition;
}

const ClassDefinition& MetalCommandBuffer::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalCommandBuffer::Compute>("computeCommandEncoder"),
      Bind<&MetalCommandBuffer::ComputeOfType>("computeCommandEncoderWithDispatchType:"),
      Bind<&MetalCommandBuffer::Blit>("blitCommandEncoder"),
      Bind<&MetalCommandBuffer::Enqueue>("enqueue"),
      Bind<&MetalCommandBuffer::Commit>("commit"),
      Bind<&MetalCommandBuffer::WaitUntilCompleted>("waitUntilCompleted"),
      Bind<&MetalCommandBuffer::WaitUntilScheduled>("waitUntilScheduled"),
      Bind<&MetalCommandBuffer::AddCompletedHandler>("addCompletedHandler:"),
      Bind<&MetalCommandBuffer::AddScheduledHandler>("addScheduledHandler:"),
      Bind<&MetalCommandBuffer::Status>("status"),
      Bind<&MetalCommandBuffer::Failure>("error"),
      Bind<&MetalCommandBuffer::Begin>("GPUStartTime"),
      Bind<&MetalCommandBuffer::End>("GPUEndTime"),
      Bind<&MetalCommandBuffer::Begin>("kernelStartTime"),
      Bind<&MetalCommandBuffer::End>("kernelEndTime"),
      Bind<&MetalCommandBuffer::Retained>("retainedReferences"),
      Bind<&MetalCommandBuffer::Device>("device"),
      Bind<&MetalCommandBuffer::Queue>("commandQueue"),
      Bind<&MetalCommandBuffer::DebugGroup>("pushDebugGroup:"),
      Bind<&MetalCommandBuffer::EndDebugGroup>("popDebugGroup"),
      BindLabel(),
      BindSetLabel(),
  };
  static const ClassDefinition kDefinition = {"MTLCommandBuffer", kMethods, {}, nullptr};
  return kDefinition;
}

MetalCommandBuffer::MetalCommandBuffer(MetalQueue* queue, bool retained) : queue_(queue), retained_(retained) {}

MetalCommandBuffer::~MetalCommandBuffer() {
  for (const Instance* used : unretained_) used->unretained_uses.fetch_sub(1);
  for (auto* handlers : {&completed_handlers_, &scheduled_handlers_}) {
    for (Handler handler : *handlers) Block_release(handler);
  }
}

MTL::Device* MetalCommandBuffer::Device() const { return As<MTL::Device>(queue_->device().get()); }

void MetalCommandBuffer::Close(MetalEncoder* encoder, std::unique_ptr<Pass> pass) {
  if (open_ == encoder) open_ = nullptr;
  passes_.push_back(std::move(pass));
}

void MetalCommandBuffer::Abandon(MetalEncoder* encoder) {
  if (open_ == encoder) open_ = nullptr;
}

void MetalCommandBuffer::Use(const Object* object) {
  if (retained_)
    kept_.try_emplace(object->instance(), object);
  else if (unretained_.insert(object->instance()).second)
    object->instance()->unretained_uses.fetch_add(1);
}

bool MetalCommandBuffer::CheckNotCommitted(const char* what) {
  if (!committed_) return true;
  ReportMisuse(Misuse::kEncodeAfterEnd, Describe() + ": " + what + " after commit");
  return false;
}

template <typename E>
E* MetalCommandBuffer::NewEncoder(bool concurrent) {
  if (!CheckNotCommitted("an encoder")) return nullptr;
  if (open_ != nullptr) {
    ReportMisuse(Misuse::kEncoderOpen, Describe() + ": a second encoder while " + open_->Describe() + " is open");
    return nullptr;
  }
  if (CallFails()) return nullptr;
  E* encoder = Make<E>(this, concurrent);
  Autorelease(encoder);
  open_ = encoder;
  return encoder;
}

MTL::ComputeCommandEncoder* MetalCommandBuffer::Compute() { return ComputeOfType(MTL::DispatchTypeSerial); }
MTL::ComputeCommandEncoder* MetalCommandBuffer::ComputeOfType(MTL::DispatchType type) {
  return As<MTL::ComputeCommandEncoder>(NewEncoder<MetalComputeEncoder>(type == MTL::DispatchTypeConcurrent));
}
MTL::BlitCommandEncoder* MetalCommandBuffer::Blit() {
  return As<MTL::BlitCommandEncoder>(NewEncoder<MetalBlitEncoder>(false));
}

// A place in the queue before commit: here the order of commits is the order of the queue.
void MetalCommandBuffer::Enqueue() { ReportMisuse(Misuse::kUnsupported, Describe() + ": enqueue"); }

void MetalCommandBuffer::Commit() {
  if (committed_) {
    ReportMisuse(Misuse::kCommittedTwice, Describe());
    return;
  }
  if (open_ != nullptr) {
    ReportMisuse(Misuse::kEncoderOpen, Describe() + ": commit while " + open_->Describe() + " is open");
    return;
  }
  committed_ = true;
  Count([](Counts& counts) { ++counts.command_buffers; });
  injected_ = CommitFails();
  {
    std::lock_guard lock(mutex_);
    status_ = MTL::CommandBufferStatusCommitted;
  }
  BeginFlight();
  queue_->Run(Ref<MetalCommandBuffer>(this));
}

void MetalCommandBuffer::Execute() {
  if (const uint64_t delay_us = StartDelayUs(); delay_us > 0)
    std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
  {
    std::lock_guard lock(mutex_);
    status_ = MTL::CommandBufferStatusScheduled;
    changed_.notify_all();
  }
  CallHandlers(&scheduled_handlers_);
  std::optional<CommandBufferError> failed = injected_;
  const double begin = NowSeconds();
  for (const std::unique_ptr<Pass>& pass : passes_) {
    if (failed) break;
    if (!pass->Run()) failed = CommandBufferError::kPageFault;
  }
  const double end = NowSeconds();
  passes_.clear();
  kept_.clear();
  for (const Instance* used : std::exchange(unretained_, {})) used->unretained_uses.fetch_sub(1);
  {
    std::lock_guard lock(mutex_);
    begin_seconds_ = begin;
    end_seconds_ = end;
    if (failed) {
      Error* error = Make<Error>("MTLCommandBufferErrorDomain", static_cast<int64_t>(*failed),
                                 "Execution of the command buffer was aborted due to an error during execution. " +
                                     Explain(*failed) + " (" + std::to_string(static_cast<int64_t>(*failed)) + ")");
      error_ = Ref<Error>(error);
      Release(error);
    }
    status_ = failed ? MTL::CommandBufferStatusError : MTL::CommandBufferStatusCompleted;
  }
  CallHandlers(&completed_handlers_);
  std::lock_guard lock(mutex_);
  done_ = true;
  changed_.notify_all();
}

void MetalCommandBuffer::CallHandlers(std::vector<Handler>* handlers) {
  const PoolScope pool;
  for (Handler handler : std::exchange(*handlers, {})) {
    handler(As<MTL::CommandBuffer>(this));
    Block_release(handler);
  }
}

void MetalCommandBuffer::WaitUntilCompleted() {
  if (!committed_) {
    ReportMisuse(Misuse::kWrongOrder, Describe() + ": waitUntilCompleted before commit");
    return;
  }
  Count([](Counts& counts) { ++counts.waits; });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
}

void MetalCommandBuffer::WaitUntilScheduled() {
  if (!committed_) {
    ReportMisuse(Misuse::kWrongOrder, Describe() + ": waitUntilScheduled before commit");
    return;
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return status_ >= MTL::CommandBufferStatusScheduled; });
}

void MetalCommandBuffer::AddHandler(std::vector<Handler>* handlers, Handler handler) {
  if (committed_)
    ReportMisuse(Misuse::kWrongOrder, Describe() + ": a handler after commit");
  else
    handlers->push_back(Block_copy(handler));
}
void MetalCommandBuffer::AddCompletedHandler(Handler handler) { AddHandler(&completed_handlers_, handler); }
void MetalCommandBuffer::AddScheduledHandler(Handler handler) { AddHandler(&scheduled_handlers_, handler); }

MTL::CommandBufferStatus MetalCommandBuffer::Status() {
  std::lock_guard lock(mutex_);
  return status_;
}
NS::Error* MetalCommandBuffer::Failure() {
  std::lock_guard lock(mutex_);
  return As<NS::Error>(error_.get());
}
// Documented: 0 until the commands are done.
CFTimeInterval MetalCommandBuffer::Begin() {
  std::lock_guard lock(mutex_);
  return begin_seconds_;
}
CFTimeInterval MetalCommandBuffer::End() {
  std::lock_guard lock(mutex_);
  return end_seconds_;
}

}  // namespace metal_emulator
