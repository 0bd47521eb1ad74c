#include "tests/metal_emulator/host/library.h"

#include <algorithm>
#include <cstring>

#include "tests/metal_emulator/host/device.h"
#include "tests/metal_emulator/host/labels.h"
#include "tests/metal_emulator/host/state.h"

namespace metal_emulator {
namespace {

constexpr const char* kLibraryDomain = "MTLLibraryErrorDomain";

struct TypeInfo {
  ConstantType type;
  size_t bytes;
};
std::optional<TypeInfo> InfoOf(MTL::DataType type) {
  switch (type) {
    case MTL::DataTypeBool:
      return TypeInfo{ConstantType::kBool, 1};
    case MTL::DataTypeInt:
      return TypeInfo{ConstantType::kInt, 4};
    case MTL::DataTypeUInt:
      return TypeInfo{ConstantType::kUint, 4};
    case MTL::DataTypeShort:
      return TypeInfo{ConstantType::kShort, 2};
    case MTL::DataTypeUShort:
      return TypeInfo{ConstantType::kUshort, 2};
    case MTL::DataTypeFloat:
      return TypeInfo{ConstantType::kFloat, 4};
    case MTL::DataTypeHalf:
      return TypeInfo{ConstantType::kHalf, 2};
    default:
      return std::nullopt;
  }
}

// The line from which on a text is another than the library's: what a message about it is for.
std::string WhereTheyDiffer(const std::string& text, const Library& library) {
  const auto [mine, theirs] = std::mismatch(text.begin(), text.end(), library.source.begin(), library.source.end());
  return library.name + " up to line " + std::to_string(1 + std::count(text.begin(), mine, '\n'));
}

}  // namespace

const ClassDefinition& MetalCompileOptions::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalCompileOptions::FastMath>("fastMathEnabled"),
      Bind<&MetalCompileOptions::SetFastMath>("setFastMathEnabled:"),
      Bind<&MetalCompileOptions::MathMode>("mathMode"),
      Bind<&MetalCompileOptions::SetMathMode>("setMathMode:"),
      Bind<&MetalCompileOptions::Version>("languageVersion"),
      Bind<&MetalCompileOptions::SetVersion>("setLanguageVersion:"),
      Bind<&MetalCompileOptions::PreserveInvariance>("preserveInvariance"),
      Bind<&MetalCompileOptions::SetPreserveInvariance>("setPreserveInvariance:"),
      Bind<&MetalCompileOptions::SetMacros>("setPreprocessorMacros:"),
  };
  static const ClassDefinition kDefinition = {
      "MTLCompileOptions", kMethods, {}, []() -> Object* { return Make<MetalCompileOptions>(); }};
  return kDefinition;
}

void MetalCompileOptions::SetMacros(const NS::Dictionary* macros) {
  const auto* given = Behind<Dictionary>(macros, "setPreprocessorMacros");
  if (given != nullptr && given->Count() > 0)
    ReportMisuse(Misuse::kUnsupported, "preprocessor macros: kernels are compiled when the program is built");
}

const ClassDefinition& MetalConstantValues::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalConstantValues::SetAtIndex>("setConstantValue:type:atIndex:"),
      Bind<&MetalConstantValues::SetWithName>("setConstantValue:type:withName:"),
      Bind<&MetalConstantValues::SetRange>("setConstantValues:type:withRange:"),
      Bind<&MetalConstantValues::Reset>("reset"),
  };
  static const ClassDefinition kDefinition = {
      "MTLFunctionConstantValues", kMethods, {}, []() -> Object* { return Make<MetalConstantValues>(); }};
  return kDefinition;
}

std::optional<MetalConstantValues::Value> MetalConstantValues::Find(const FunctionConstant& constant) const {
  if (auto found = by_name_.find(constant.name); found != by_name_.end()) return found->second;
  if (auto found = by_index_.find(constant.index); found != by_index_.end()) return found->second;
  return std::nullopt;
}

void MetalConstantValues::SetAtIndex(const void* value, MTL::DataType type, NS::UInteger index) {
  SetRange(value, type, NS::Range(index, 1));
}

void MetalConstantValues::SetWithName(const void* value, MTL::DataType type, const NS::String* name) {
  MetalConstantValues one;
  one.SetAtIndex(value, type, 0);
  if (!one.by_index_.empty()) by_name_[TextOf(name)] = one.by_index_.at(0);
}

void MetalConstantValues::SetRange(const void* values, MTL::DataType type, NS::Range range) {
  const std::optional<TypeInfo> info = InfoOf(type);
  if (!info) {
    ReportMisuse(Misuse::kUnsupported, "function constants of MTLDataType " + std::to_string(type));
    return;
  }
  if (values == nullptr) {
    ReportMisuse(Misuse::kBadArgument, "function constants: a null pointer");
    return;
  }
  for (NS::UInteger i = 0; i < range.length; ++i) {
    Value value{type, 0};
    std::memcpy(&value.bits, static_cast<const std::byte*>(values) + i * info->bytes, info->bytes);
    by_index_[range.location + i] = value;
  }
}

void MetalConstantValues::Reset() {
  by_index_.clear();
  by_name_.clear();
}

const ClassDefinition& MetalLibrary::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalLibrary::FunctionNames>("functionNames"),
      Bind<&MetalLibrary::Device>("device"),
      Bind<&MetalLibrary::NewFunction>("newFunctionWithName:"),
      Bind<&MetalLibrary::NewSpecialized>("newFunctionWithName:constantValues:error:"),
      BindLabel(),
      BindSetLabel(),
  };
  static const ClassDefinition kDefinition = {"MTLLibrary", kMethods, {}, nullptr};
  return kDefinition;
}

MetalLibrary* MetalLibrary::Compile(MetalDevice* device, const NS::String* source, const MTL::CompileOptions* options,
                                    NS::Error** error) {
  Behind<MetalCompileOptions>(options, "newLibraryWithSource");
  if (source == nullptr) {
    ReportMisuse(Misuse::kBadArgument, "newLibraryWithSource: nil");
    return nullptr;
  }
  if (const std::optional<std::string> failure = CompilationFails()) {
    SetError(error, kLibraryDomain, MTL::LibraryErrorCompileFailure, *failure);
    return nullptr;
  }
  const std::string text = TextOf(source);
  const Library* library = FindLibrary(text.data(), text.size());
  if (library == nullptr) {
    std::string message = "this text is not one that the emulator was built with; it is the same as";
    for (const Library* known : Libraries())
      message += (known == Libraries().front() ? " " : ", ") + WhereTheyDiffer(text, *known);
    SetError(error, kLibraryDomain, MTL::LibraryErrorCompileFailure, message);
    return nullptr;
  }
  Count([](Counts& counts) { ++counts.libraries; });
  return metal_emulator::Make<MetalLibrary>(device, library);
}

MetalLibrary::MetalLibrary(MetalDevice* device, const Library* library) : device_(device), library_(library) {}

MTL::Device* MetalLibrary::Device() const { return As<MTL::Device>(device_.get()); }

NS::Array* MetalLibrary::FunctionNames() {
  Array* names = Make<Array>();
  for (const KernelInfo& kernel : library_->kernels) {
    if (IsMissing(kernel.name)) continue;
    String* name = Make<String>(kernel.name);
    names->Add(name);
    Release(name);
  }
  Autorelease(names);
  return As<NS::Array>(names);
}

const KernelInfo* MetalLibrary::Kernel(const std::string& name) const {
  return IsMissing(name) ? nullptr : FindKernel(*library_, name);
}

MTL::Function* MetalLibrary::NewFunction(const NS::String* name) {
  const KernelInfo* kernel = Kernel(TextOf(name));
  if (kernel == nullptr || CallFails()) return nullptr;
  return As<MTL::Function>(Make<MetalFunction>(this, kernel, std::vector<ConstantValue>{}));
}

MTL::Function* MetalLibrary::NewSpecialized(const NS::String* name, const MTL::FunctionConstantValues* values,
                                            NS::Error** error) {
  const auto fail = [&](MTL::LibraryError code, const std::string& message) {
    SetError(error, kLibraryDomain, code, message);
    return nullptr;
  };
  const auto* given = Behind<MetalConstantValues>(values, "newFunctionWithName");
  if (given == nullptr) {
    if (values == nullptr) ReportMisuse(Misuse::kBadArgument, "newFunctionWithName: constantValues is nil");
    return nullptr;
  }
  const std::string wanted = TextOf(name);
  const KernelInfo* kernel = Kernel(wanted);
  if (kernel == nullptr) return fail(MTL::LibraryErrorFunctionNotFound, "no function '" + wanted + "'");
  std::vector<ConstantValue> constants;
  for (const FunctionConstant& constant : kernel->constants) {
    const std::optional<MetalConstantValues::Value> value = given->Find(constant);
    if (!value) {
      if (!constant.required) continue;
      return fail(MTL::LibraryErrorCompileFailure,
                  "function '" + wanted + "': constant '" + constant.name + "' has no value");
    }
    if (InfoOf(value->type)->type != constant.type)
      return fail(MTL::LibraryErrorCompileFailure,
                  "function '" + wanted + "': constant '" + constant.name + "' has a value of another type");
    const bool is_flag = constant.type == ConstantType::kBool || constant.type == ConstantType::kUint;
    const bool flips = is_flag && FlipsConstant(constant.index);
    constants.push_back({constant.index, flips ? value->bits ^ 1 : value->bits});
  }
  if (CallFails()) return fail(MTL::LibraryErrorInternal, "injected: no function");
  return As<MTL::Function>(Make<MetalFunction>(this, kernel, std::move(constants)));
}

const ClassDefinition& MetalFunction::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalFunction::Name>("name"),
      Bind<&MetalFunction::Type>("functionType"),
      BindLabel(),
      BindSetLabel(),
  };
  static const ClassDefinition kDefinition = {"MTLFunction", kMethods, {}, nullptr};
  return kDefinition;
}

const ClassDefinition& MetalPipelineDescriptor::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalPipelineDescriptor::Function>("computeFunction"),
      Bind<&MetalPipelineDescriptor::SetFunction>("setComputeFunction:"),
      Bind<&MetalPipelineDescriptor::MaxTotalThreads>("maxTotalThreadsPerThreadgroup"),
      Bind<&MetalPipelineDescriptor::SetMaxTotalThreads>("setMaxTotalThreadsPerThreadgroup:"),
      Bind<&MetalPipelineDescriptor::WholeSimdgroups>("threadGroupSizeIsMultipleOfThreadExecutionWidth"),
      Bind<&MetalPipelineDescriptor::SetWholeSimdgroups>("setThreadGroupSizeIsMultipleOfThreadExecutionWidth:"),
      Bind<&MetalPipelineDescriptor::Reset>("reset"),
      BindLabel(),
      BindSetLabel(),
  };
  static const ClassDefinition kDefinition = {
      "MTLComputePipelineDescriptor", kMethods, {}, []() -> Object* { return Make<MetalPipelineDescriptor>(); }};
  return kDefinition;
}

void MetalPipelineDescriptor::SetFunction(const MTL::Function* function) {
  function_ = Ref<MetalFunction>(Behind<MetalFunction>(function, "setComputeFunction"));
}

void MetalPipelineDescriptor::Reset() {
  function_ = {};
  max_total_threads_ = 0;
  whole_simdgroups_ = false;
  set_label("");
}

const ClassDefinition& MetalPipeline::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalPipeline::Width>("threadExecutionWidth"),
      Bind<&MetalPipeline::MaxTotalThreads>("maxTotalThreadsPerThreadgroup"),
      Bind<&MetalPipeline::StaticMemory>("staticThreadgroupMemoryLength"),
      Bind<&MetalPipeline::Device>("device"),
      Bind<&MetalPipeline::Label>("label"),
  };
  static const ClassDefinition kDefinition = {"MTLComputePipelineState", kMethods, {}, nullptr};
  return kDefinition;
}

MetalPipeline* MetalPipeline::Make(MetalDevice* device, MetalFunction* function, PipelineWishes wishes,
                                   NS::Error** error) {
  const auto fail = [&](const std::string& message) {
    SetError(error, "CompilerError", 2, message);
    return nullptr;
  };
  if (function == nullptr) {
    ReportMisuse(Misuse::kBadArgument, "newComputePipelineState: no function");
    return nullptr;
  }
  const KernelInfo& kernel = function->kernel();
  if (PipelineFails(kernel.name)) return fail("injected: no pipeline for '" + kernel.name + "'");
  for (const FunctionConstant& constant : kernel.constants) {
    const bool given = std::any_of(function->constants().begin(), function->constants().end(),
                                   [&](const ConstantValue& value) { return value.index == constant.index; });
    if (constant.required && !given)
      return fail("function '" + kernel.name + "': constant '" + constant.name + "' has no value");
  }
  if (kernel.static_threadgroup_bytes > device->description().threadgroup_memory_bytes)
    return fail("function '" + kernel.name + "': " + std::to_string(kernel.static_threadgroup_bytes) +
                " bytes of threadgroup memory are more than the device has");
  Count([](Counts& counts) { ++counts.pipelines; });
  auto* made = metal_emulator::Make<MetalPipeline>(device, function, std::move(wishes));
  MayKeepPipeline(made->instance());
  return made;
}

MetalPipeline::MetalPipeline(MetalDevice* device, MetalFunction* function, PipelineWishes wishes)
    : device_(device), kernel_(&function->kernel()), constants_(function->constants()), wishes_(std::move(wishes)) {
  const uint64_t asked = wishes_.max_total_threads == 0 ? kernel_->max_total_threads : wishes_.max_total_threads;
  wishes_.max_total_threads =
      std::min({asked, uint64_t{kernel_->max_total_threads}, device->description().max_threads_per_threadgroup});
}

NS::UInteger MetalPipeline::Width() const { return device_->description().simdgroup_width; }
MTL::Device* MetalPipeline::Device() const { return As<MTL::Device>(device_.get()); }

}  // namespace metal_emulator
