// From a text to something that runs: compile options, library, function constants, function, pipeline.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_LIBRARY_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_LIBRARY_H_

#include <Metal/Metal.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/metal_emulator/host/foundation.h"
#include "tests/metal_emulator/host/objc_runtime.h"
#include "tests/metal_emulator/kernels/emulated_library.h"

namespace metal_emulator {

class MetalDevice;

// MTLCompileOptions. The emulated kernels are what the build made of the text, as precise as C++ is: options are
// accepted that change no result but by rounding, others are refused.
class MetalCompileOptions : public Object {
 public:
  static const ClassDefinition& Definition();

 private:
  bool FastMath() const { return fast_math_; }
  void SetFastMath(bool fast) { fast_math_ = fast; }
  MTL::MathMode MathMode() const { return math_mode_; }
  void SetMathMode(MTL::MathMode mode) { math_mode_ = mode; }
  MTL::LanguageVersion Version() const { return version_; }
  void SetVersion(MTL::LanguageVersion version) { version_ = version; }
  bool PreserveInvariance() const { return preserve_invariance_; }
  void SetPreserveInvariance(bool preserve) { preserve_invariance_ = preserve; }
  void SetMacros(const NS::Dictionary* macros);

  bool fast_math_ = true;
  MTL::MathMode math_mode_ = MTL::MathModeFast;
  MTL::LanguageVersion version_ = MTL::LanguageVersion3_1;
  bool preserve_invariance_ = false;
};

// MTLFunctionConstantValues.
class MetalConstantValues : public Object {
 public:
  struct Value {
    MTL::DataType type;
    uint64_t bits;
  };
  static const ClassDefinition& Definition();
  std::optional<Value> Find(const FunctionConstant& constant) const;

 private:
  void SetAtIndex(const void* value, MTL::DataType type, NS::UInteger index);
  void SetWithName(const void* value, MTL::DataType type, const NS::String* name);
  void SetRange(const void* values, MTL::DataType type, NS::Range range);
  void Reset();

  std::map<uint64_t, Value> by_index_;
  std::map<std::string, Value> by_name_;
};

class MetalLibrary : public Object {
 public:
  static const ClassDefinition& Definition();
  // The library of exactly this text, if the build made one.
  static MetalLibrary* Compile(MetalDevice* device, const NS::String* source, const MTL::CompileOptions* options,
                               NS::Error** error);
  MetalLibrary(MetalDevice* device, const Library* library);

 private:
  NS::Array* FunctionNames();
  MTL::Device* Device() const;
  const KernelInfo* Kernel(const std::string& name) const;  // null where there is none
  MTL::Function* NewFunction(const NS::String* name);
  MTL::Function* NewSpecialized(const NS::String* name, const MTL::FunctionConstantValues* values, NS::Error** error);

  Ref<MetalDevice> device_;
  const Library* library_;
};

class MetalFunction : public Object {
 public:
  static const ClassDefinition& Definition();
  MetalFunction(MetalLibrary* library, const KernelInfo* kernel, std::vector<ConstantValue> constants)
      : library_(library), kernel_(kernel), constants_(std::move(constants)) {}
  const KernelInfo& kernel() const { return *kernel_; }
  const std::vector<ConstantValue>& constants() const { return constants_; }
  std::string Describe() const override { return "<MTLFunction '" + kernel_->name + "'>"; }

 private:
  NS::String* Name() { return PooledString(kernel_->name); }
  MTL::FunctionType Type() const { return MTL::FunctionTypeKernel; }

  Ref<MetalLibrary> library_;
  const KernelInfo* kernel_;
  std::vector<ConstantValue> constants_;
};

// What a pipeline's maker may ask for beyond the function.
struct PipelineWishes {
  uint64_t max_total_threads = 0;  // 0: what the kernel says
  bool whole_simdgroups = false;   // threads of a threadgroup are always a multiple of the simdgroup's width
  std::string label;
};

// MTLComputePipelineDescriptor.
class MetalPipelineDescriptor : public Object {
 public:
  static const ClassDefinition& Definition();
  MetalFunction* function() const { return function_.get(); }
  PipelineWishes wishes() const { return {max_total_threads_, whole_simdgroups_, label()}; }

 private:
  MTL::Function* Function() const { return As<MTL::Function>(function_.get()); }
  void SetFunction(const MTL::Function* function);
  NS::UInteger MaxTotalThreads() const { return max_total_threads_; }
  void SetMaxTotalThreads(NS::UInteger threads) { max_total_threads_ = threads; }
  bool WholeSimdgroups() const { return whole_simdgroups_; }
  void SetWholeSimdgroups(bool whole) { whole_simdgroups_ = whole; }
  void Reset();

  Ref<MetalFunction> function_;
  uint64_t max_total_threads_ = 0;
  bool whole_simdgroups_ = false;
};

// MTLComputePipelineState.
class MetalPipeline : public Object {
 public:
  static const ClassDefinition& Definition();
  static MetalPipeline* Make(MetalDevice* device, MetalFunction* function, PipelineWishes wishes, NS::Error** error);
  MetalPipeline(MetalDevice* device, MetalFunction* function, PipelineWishes wishes);

  const Ref<MetalDevice>& device() const { return device_; }
  const KernelInfo& kernel() const { return *kernel_; }
  const std::vector<ConstantValue>& constants() const { return constants_; }
  bool whole_simdgroups() const { return wishes_.whole_simdgroups; }
  NS::UInteger MaxTotalThreads() const { return wishes_.max_total_threads; }
  std::string Describe() const override { return "<MTLComputePipelineState '" + kernel_->name + "'>"; }

 private:
  NS::UInteger Width() const;
  NS::UInteger StaticMemory() const { return kernel_->static_threadgroup_bytes; }
  MTL::Device* Device() const;
  NS::String* Label() { return wishes_.label.empty() ? nullptr : PooledString(wishes_.label); }

  Ref<MetalDevice> device_;
  const KernelInfo* kernel_;
  std::vector<ConstantValue> constants_;
  PipelineWishes wishes_;
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_LIBRARY_H_
