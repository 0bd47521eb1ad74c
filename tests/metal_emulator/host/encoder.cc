#include "tests/metal_emulator/host/encoder.h"

#include <algorithm>
#include <cstring>

#include "tests/metal_emulator/host/device.h"
#include "tests/metal_emulator/host/labels.h"
#include "tests/metal_emulator/host/state.h"

namespace metal_emulator {
namespace {

// Limits as Apple's feature set tables and MTLComputeCommandEncoder's pages state them.
constexpr NS::UInteger kMaxInlineBytes = 4096;
constexpr NS::UInteger kThreadgroupMemoryUnit = 16;

std::string Text(MTL::Size size) {
  return "(" + std::to_string(size.width) + ", " + std::to_string(size.height) + ", " + std::to_string(size.depth) +
         ")";
}
uint64_t Product(MTL::Size size) { return size.width * size.height * size.depth; }
bool FitsIn32Bits(MTL::Size size) { return std::max({size.width, size.height, size.depth}) <= UINT32_MAX; }
Size3 Narrow(MTL::Size size) {
  return {static_cast<uint32_t>(size.width), static_cast<uint32_t>(size.height), static_cast<uint32_t>(size.depth)};
}

Misuse MisuseOf(FaultKind kind) {
  switch (kind) {
    case FaultKind::kRace:
      return Misuse::kRace;
    case FaultKind::kMissingBinding:
      return Misuse::kMissingBinding;
    case FaultKind::kBadDispatch:
      return Misuse::kBadArgument;
    default:
      return Misuse::kKernel;
  }
}

using Bytes = std::shared_ptr<std::vector<std::byte>>;

// What a kernel gets of setBytes' bytes: these, but for a word that a planted bug clears.
Bytes PlantedIn(const Bytes& bytes, const std::string& kernel) {
  const std::optional<uint64_t> word = ClearedWord(kernel);
  if (!word || bytes->size() < (*word + 1) * 4) return bytes;
  const auto cleared = std::make_shared<std::vector<std::byte>>(*bytes);
  std::memset(cleared->data() + *word * 4, 0, 4);
  return cleared;
}

// Each dispatch runs its threads in another order.
uint64_t NextSeed() {
  static std::atomic<uint64_t> seed{0};
  return ++seed;
}

}  // namespace

MetalEncoder::~MetalEncoder() {
  if (ended_) return;
  Bad(Misuse::kEncoderOpen, "given up without endEncoding");
  commands_->Abandon(this);
}

bool MetalEncoder::CheckOpen(const char* what) {
  if (ended_) Bad(Misuse::kEncodeAfterEnd, std::string(what) + " after endEncoding");
  return !ended_;
}

void MetalEncoder::EndWith(std::unique_ptr<Pass> pass) {
  ended_ = true;
  commands_->Close(this, std::move(pass));
}

MetalBuffer* MetalEncoder::CheckBuffer(const MTL::Buffer* buffer, const char* what) {
  auto* found = Behind<MetalBuffer>(buffer, what);
  if (buffer == nullptr) Bad(Misuse::kBadArgument, std::string(what) + ": nil");
  if (found == nullptr) return nullptr;
  if (found->device()->number() != commands_->queue()->device()->number()) {
    Bad(Misuse::kBadArgument, std::string(what) + ": " + found->Describe() + " is of another device");
    return nullptr;
  }
  commands_->Use(found);
  return found;
}

MTL::Device* MetalEncoder::Device() const { return As<MTL::Device>(commands_->queue()->device().get()); }

class MetalComputeEncoder::ComputePass : public Pass {
 public:
  explicit ComputePass(bool concurrent) : concurrent_(concurrent) {}
  void AddBarrier() { commands_.emplace_back(); }
  KernelCall& AddDispatch() {
    commands_.emplace_back();
    commands_.back().is_barrier = false;
    return commands_.back().call;
  }
  void Keep(std::shared_ptr<const void> block) { kept_.push_back(std::move(block)); }

  bool Run() override {
    AccessRecorder recorder;
    uint64_t number = 0;
    for (Command& command : commands_) {
      if (command.is_barrier) {
        recorder.Barrier();
        continue;
      }
      command.call.dispatch = number++;
      command.call.recorder = &recorder;
      command.call.seed = NextSeed();
      if (const Fault fault = metal_emulator::Dispatch(command.call)) {
        ReportMisuse(MisuseOf(fault.kind), fault.message);
        if (fault.kind != FaultKind::kRace) return false;
      }
      if (!concurrent_) recorder.Barrier();
    }
    return true;
  }

 private:
  struct Command {
    bool is_barrier = true;
    KernelCall call;
  };
  bool concurrent_;
  std::vector<Command> commands_;
  std::vector<std::shared_ptr<const void>> kept_;
};

const ClassDefinition& MetalComputeEncoder::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalComputeEncoder::Device>("device"),
      Bind<&MetalComputeEncoder::Type>("dispatchType"),
      Bind<&MetalComputeEncoder::SetPipeline>("setComputePipelineState:"),
      Bind<&MetalComputeEncoder::SetBuffer>("setBuffer:offset:atIndex:"),
      Bind<&MetalComputeEncoder::SetBuffers>("setBuffers:offsets:withRange:"),
      Bind<&MetalComputeEncoder::SetBufferOffset>("setBufferOffset:atIndex:"),
      Bind<&MetalComputeEncoder::SetBytes>("setBytes:length:atIndex:"),
      Bind<&MetalComputeEncoder::SetThreadgroupMemory>("setThreadgroupMemoryLength:atIndex:"),
      Bind<&MetalComputeEncoder::DispatchThreadgroups>("dispatchThreadgroups:threadsPerThreadgroup:"),
      Bind<&MetalComputeEncoder::DispatchThreads>("dispatchThreads:threadsPerThreadgroup:"),
      Bind<&MetalComputeEncoder::MemoryBarrier>("memoryBarrierWithScope:"),
      Bind<&MetalComputeEncoder::EndEncoding>("endEncoding"),
      Bind<&MetalComputeEncoder::DebugText>("pushDebugGroup:"),
      Bind<&MetalComputeEncoder::DebugText>("insertDebugSignpost:"),
      Bind<&MetalComputeEncoder::EndDebugGroup>("popDebugGroup"),
      BindLabel(),
      BindSetLabel(),
  };
  static const ClassDefinition kDefinition = {"MTLComputeCommandEncoder", kMethods, {}, nullptr};
  return kDefinition;
}

MetalComputeEncoder::MetalComputeEncoder(MetalCommandBuffer* commands, bool concurrent)
    : MetalEncoder(commands), concurrent_(concurrent), pass_(std::make_unique<ComputePass>(concurrent)) {
  Count([](Counts& counts) { ++counts.compute_encoders; });
}

MetalComputeEncoder::~MetalComputeEncoder() = default;

MTL::DispatchType MetalComputeEncoder::Type() const {
  return concurrent_ ? MTL::DispatchTypeConcurrent : MTL::DispatchTypeSerial;
}

void MetalComputeEncoder::SetPipeline(const MTL::ComputePipelineState* state) {
  if (!CheckOpen("setComputePipelineState")) return;
  const auto* pipeline = Behind<MetalPipeline>(state, "setComputePipelineState");
  if (pipeline == nullptr) {
    if (state == nullptr) Bad(Misuse::kBadArgument, "setComputePipelineState: nil");
    return;
  }
  if (pipeline->device()->number() != commands_->queue()->device()->number()) {
    Bad(Misuse::kBadArgument, "setComputePipelineState: a pipeline of another device");
    return;
  }
  commands_->Use(pipeline);
  pipeline_ =
      Pipeline{&pipeline->kernel(), pipeline->constants(), pipeline->MaxTotalThreads(), pipeline->whole_simdgroups()};
}

bool MetalComputeEncoder::CheckIndex(NS::UInteger index, const char* what) {
  if (index < kNumBindings) return true;
  Bad(Misuse::kBadArgument, std::string(what) + ": index " + std::to_string(index) + ", the last is 30");
  return false;
}

bool MetalComputeEncoder::CheckOffset(const BufferMemory& memory, NS::UInteger offset) {
  if (offset < memory.size_bytes()) return true;
  Bad(Misuse::kBadArgument,
      "offset " + std::to_string(offset) + " in a buffer of " + std::to_string(memory.size_bytes()) + " bytes");
  return false;
}

void MetalComputeEncoder::SetBuffer(const MTL::Buffer* buffer, NS::UInteger offset, NS::UInteger index) {
  if (!CheckOpen("setBuffer") || !CheckIndex(index, "setBuffer")) return;
  Count([](Counts& counts) { ++counts.bindings; });
  if (IgnoresBinding()) return;
  bindings_[index] = {};
  if (buffer == nullptr) return;  // takes away what was bound
  const MetalBuffer* found = CheckBuffer(buffer, "setBuffer");
  if (found == nullptr || !CheckOffset(*found->memory(), offset)) return;
  Binding& binding = bindings_[index];
  binding.memory = found->memory();
  binding.label = found->label();
  binding.offset_bytes = offset;
}

void MetalComputeEncoder::SetBuffers(const MTL::Buffer* const* buffers, const NS::UInteger* offsets, NS::Range range) {
  for (NS::UInteger i = 0; i < range.length; ++i) SetBuffer(buffers[i], offsets[i], range.location + i);
}

void MetalComputeEncoder::SetBufferOffset(NS::UInteger offset, NS::UInteger index) {
  if (!CheckOpen("setBufferOffset") || !CheckIndex(index, "setBufferOffset")) return;
  Binding& binding = bindings_[index];
  if (binding.memory == nullptr)
    Bad(Misuse::kBadArgument, "setBufferOffset: no buffer at index " + std::to_string(index));
  else if (CheckOffset(*binding.memory, offset))
    binding.offset_bytes = offset;
}

void MetalComputeEncoder::SetBytes(const void* bytes, NS::UInteger length, NS::UInteger index) {
  if (!CheckOpen("setBytes") || !CheckIndex(index, "setBytes")) return;
  bindings_[index] = {};
  if (bytes == nullptr || length == 0 || length > kMaxInlineBytes) {
    Bad(Misuse::kBadArgument, "setBytes of " + std::to_string(bytes == nullptr ? 0 : length) + " bytes; 1 to 4096 go");
    return;
  }
  const auto* data = static_cast<const std::byte*>(bytes);
  bindings_[index].bytes = std::make_shared<std::vector<std::byte>>(data, data + length);
}

void MetalComputeEncoder::SetThreadgroupMemory(NS::UInteger length, NS::UInteger index) {
  if (!CheckOpen("setThreadgroupMemoryLength") || !CheckIndex(index, "setThreadgroupMemoryLength")) return;
  if (length % kThreadgroupMemoryUnit != 0)
    Bad(Misuse::kThreadgroupMemory, "a length of " + std::to_string(length) + " bytes is no multiple of 16");
  else
    threadgroup_bytes_[index] = length;
}

bool MetalComputeEncoder::CheckThreads(MTL::Size threads) {
  const DeviceDescription& device = commands_->queue()->device()->description();
  const std::string asked = "'" + pipeline_->kernel->name + "': " + Text(threads) + " threads per threadgroup";
  const uint64_t longest = std::max({threads.width, threads.height, threads.depth});
  const uint64_t total = longest > device.max_threads_per_threadgroup ? longest : Product(threads);
  if (total == 0 || total > pipeline_->max_threads) {
    Bad(Misuse::kThreadgroupSize, asked + ", 1 to " + std::to_string(pipeline_->max_threads) + " go");
  } else if (pipeline_->whole_simdgroups && total % device.simdgroup_width != 0) {
    Bad(Misuse::kThreadgroupSize, asked + ", no multiple of the simdgroup's width as the pipeline promises");
  } else if (device.simdgroup_width != 32) {
    Bad(Misuse::kUnsupported, asked + ": kernels run in simdgroups of 32 only");
  } else {
    return true;
  }
  return false;
}

bool MetalComputeEncoder::CheckBindings() {
  for (const BufferArgument& argument : pipeline_->kernel->buffers) {
    const auto& constants = pipeline_->constants;
    const bool there = argument.only_if < 0 || std::any_of(constants.begin(), constants.end(), [&](const auto& value) {
                         return value.index == static_cast<uint32_t>(argument.only_if) && value.bits != 0;
                       });
    if (!there) continue;
    const std::string what =
        "'" + pipeline_->kernel->name + "': buffer " + std::to_string(argument.index) + " ('" + argument.name + "')";
    const Binding& binding = bindings_[argument.index];
    if (binding.empty()) {
      Bad(Misuse::kMissingBinding, what + " is not bound");
      return false;
    }
    if (binding.bytes != nullptr && argument.written) {
      Bad(Misuse::kBadArgument, what + " is written, but bound by setBytes");
      return false;
    }
    const size_t size =
        binding.bytes != nullptr ? binding.bytes->size() : binding.memory->size_bytes() - binding.offset_bytes;
    if (size < argument.min_bytes || binding.offset_bytes % argument.alignment != 0) {
      Bad(Misuse::kBadArgument, what + " has " + std::to_string(size) + " bytes from offset " +
                                    std::to_string(binding.offset_bytes) + "; needed are " +
                                    std::to_string(argument.min_bytes) + ", aligned to " +
                                    std::to_string(argument.alignment));
      return false;
    }
  }
  return true;
}

bool MetalComputeEncoder::CheckThreadgroupMemory() {
  const KernelInfo& kernel = *pipeline_->kernel;
  size_t total = kernel.static_threadgroup_bytes;
  for (const uint32_t index : kernel.threadgroup_arguments) {
    if (threadgroup_bytes_[index] == 0) {
      Bad(Misuse::kThreadgroupMemory,
          "'" + kernel.name + "': no length of threadgroup memory " + std::to_string(index));
      return false;
    }
    total += threadgroup_bytes_[index];
  }
  const uint64_t max_bytes = commands_->queue()->device()->description().threadgroup_memory_bytes;
  if (total <= max_bytes) return true;
  Bad(Misuse::kThreadgroupMemory, "'" + kernel.name + "': " + std::to_string(total) +
                                      " bytes of threadgroup memory, the device has " + std::to_string(max_bytes));
  return false;
}

void MetalComputeEncoder::DispatchThreadgroups(MTL::Size groups, MTL::Size threads) {
  Dispatch(groups, threads, MTL::Size(0, 0, 0));
}

void MetalComputeEncoder::DispatchThreads(MTL::Size grid, MTL::Size threads) {
  const DeviceDescription& device = commands_->queue()->device()->description();
  if (device.apple_family < 4 && !device.mac_family) {
    Bad(Misuse::kUnsupported, "dispatchThreads on a device without nonuniform threadgroups");
    return;
  }
  const auto groups = [](NS::UInteger total, NS::UInteger each) { return each == 0 ? 0 : (total + each - 1) / each; };
  Dispatch(MTL::Size(groups(grid.width, threads.width), groups(grid.height, threads.height),
                     groups(grid.depth, threads.depth)),
           threads, grid);
}

void MetalComputeEncoder::Dispatch(MTL::Size groups, MTL::Size threads, MTL::Size grid) {
  if (!CheckOpen("a dispatch")) return;
  if (!pipeline_) {
    Bad(Misuse::kNoPipeline, "a dispatch without a pipeline state");
    return;
  }
  if (!CheckThreads(threads) || !CheckBindings() || !CheckThreadgroupMemory()) return;
  if (Product(groups) == 0 || !FitsIn32Bits(groups) || !FitsIn32Bits(grid)) {
    Bad(Misuse::kBadArgument, "'" + pipeline_->kernel->name + "': a grid of " + Text(groups) + " threadgroups");
    return;
  }
  Count([](Counts& counts) { ++counts.dispatches; });
  const DeviceDescription& device = commands_->queue()->device()->description();
  KernelCall& call = pass_->AddDispatch();
  call.kernel = pipeline_->kernel;
  call.constants = pipeline_->constants;
  call.groups = Narrow(groups);
  call.threads_per_group = Narrow(threads);
  call.grid_threads = Narrow(grid);
  call.max_threadgroup_bytes = device.threadgroup_memory_bytes;
  call.max_threads_per_group = static_cast<uint32_t>(pipeline_->max_threads);
  const size_t withheld = WithheldBytes();
  for (uint32_t index = 0; index < kNumBindings; ++index) {
    const Binding& binding = bindings_[index];
    if (binding.memory != nullptr) {
      const size_t size = binding.memory->size_bytes();
      call.buffers.push_back({index, binding.memory->device(), size > withheld ? size - withheld : size,
                              binding.offset_bytes, binding.label, &binding.memory->access()});
      pass_->Keep(binding.memory);
    } else if (binding.bytes != nullptr) {
      const auto bytes = PlantedIn(binding.bytes, pipeline_->kernel->name);
      call.bytes.push_back({index, bytes->data(), bytes->size()});
      pass_->Keep(bytes);
    }
    if (threadgroup_bytes_[index] != 0) call.threadgroup_lengths.push_back({index, threadgroup_bytes_[index]});
  }
}

void MetalComputeEncoder::MemoryBarrier(MTL::BarrierScope scope) {
  if (!CheckOpen("memoryBarrier")) return;
  Count([](Counts& counts) { ++counts.barriers; });
  if (!IgnoresBarrier() && (scope & MTL::BarrierScopeBuffers) != 0) pass_->AddBarrier();
}

void MetalComputeEncoder::EndEncoding() {
  if (CheckOpen("endEncoding")) EndWith(std::move(pass_));
}

class MetalBlitEncoder::BlitPass : public Pass {
 public:
  struct Command {
    std::shared_ptr<BufferMemory> source, target;  // no source: `value` is written; no target: the host's copy is
    size_t source_offset, target_offset, size;
    uint8_t value;
  };
  void Add(Command command) { commands_.push_back(std::move(command)); }
  bool Run() override {
    for (const Command& command : commands_) {
      if (command.target == nullptr) {
        command.source->CopyToHost(0, command.source->size_bytes());
        continue;
      }
      std::byte* to = command.target->device() + command.target_offset;
      if (command.source != nullptr)
        std::memcpy(to, command.source->device() + command.source_offset, command.size);
      else
        std::memset(to, command.value, command.size);
    }
    return true;
  }

 private:
  std::vector<Command> commands_;
};

const ClassDefinition& MetalBlitEncoder::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalBlitEncoder::Device>("device"),
      Bind<&MetalBlitEncoder::Copy>("copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:"),
      Bind<&MetalBlitEncoder::Fill>("fillBuffer:range:value:"),
      Bind<&MetalBlitEncoder::Synchronize>("synchronizeResource:"),
      Bind<&MetalBlitEncoder::EndEncoding>("endEncoding"),
      Bind<&MetalBlitEncoder::DebugText>("pushDebugGroup:"),
      Bind<&MetalBlitEncoder::DebugText>("insertDebugSignpost:"),
      Bind<&MetalBlitEncoder::EndDebugGroup>("popDebugGroup"),
      BindLabel(),
      BindSetLabel(),
  };
  static const ClassDefinition kDefinition = {"MTLBlitCommandEncoder", kMethods, {}, nullptr};
  return kDefinition;
}

MetalBlitEncoder::MetalBlitEncoder(MetalCommandBuffer* commands, bool /*concurrent*/)
    : MetalEncoder(commands), pass_(std::make_unique<BlitPass>()) {
  Count([](Counts& counts) { ++counts.blit_encoders; });
}

MetalBlitEncoder::~MetalBlitEncoder() = default;

// Offsets and sizes are multiples of 4 bytes on a Mac.
bool MetalBlitEncoder::CheckRange(const MetalBuffer& buffer, NS::UInteger offset, NS::UInteger size, const char* what) {
  const bool inside = offset <= buffer.size_bytes() && size <= buffer.size_bytes() - offset;
  if (inside && size > 0 && offset % 4 == 0 && size % 4 == 0) return true;
  Bad(Misuse::kBadArgument, std::string(what) + ": " + std::to_string(size) + " bytes from offset " +
                                std::to_string(offset) + " of " + buffer.Describe() + ", which has " +
                                std::to_string(buffer.size_bytes()) + "; multiples of 4 go");
  return false;
}

void MetalBlitEncoder::Copy(const MTL::Buffer* source, NS::UInteger source_offset, const MTL::Buffer* target,
                            NS::UInteger target_offset, NS::UInteger size) {
  if (!CheckOpen("copyFromBuffer")) return;
  const MetalBuffer* from = CheckBuffer(source, "copyFromBuffer");
  const MetalBuffer* to = CheckBuffer(target, "copyFromBuffer");
  if (from == nullptr || to == nullptr) return;
  if (!CheckRange(*from, source_offset, size, "copyFromBuffer") ||
      !CheckRange(*to, target_offset, size, "copyFromBuffer"))
    return;
  if (from == to && source_offset < target_offset + size && target_offset < source_offset + size) {
    Bad(Misuse::kBadArgument, "copyFromBuffer: the ranges overlap");
    return;
  }
  pass_->Add({from->memory(), to->memory(), source_offset, target_offset, size, 0});
}

void MetalBlitEncoder::Fill(const MTL::Buffer* buffer, NS::Range range, uint8_t value) {
  if (!CheckOpen("fillBuffer")) return;
  const MetalBuffer* found = CheckBuffer(buffer, "fillBuffer");
  if (found == nullptr || !CheckRange(*found, range.location, range.length, "fillBuffer")) return;
  pass_->Add({nullptr, found->memory(), 0, range.location, range.length, value});
}

void MetalBlitEncoder::Synchronize(const MTL::Resource* resource) {
  if (!CheckOpen("synchronizeResource")) return;
  const MetalBuffer* found = CheckBuffer(reinterpret_cast<const MTL::Buffer*>(resource), "synchronizeResource");
  if (found == nullptr) return;
  if (found->StorageMode() != MTL::StorageModeManaged)
    Bad(Misuse::kBadArgument, "synchronizeResource: " + found->Describe() + " is not managed");
  else
    pass_->Add({found->memory(), nullptr, 0, 0, 0, 0});
}

void MetalBlitEncoder::EndEncoding() {
  if (CheckOpen("endEncoding")) EndWith(std::move(pass_));
}

}  // namespace metal_emulator
