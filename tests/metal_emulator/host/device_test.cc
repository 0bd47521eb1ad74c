// Devices, buffers, libraries, functions and pipelines.
#include <cstdlib>
#include <cstring>

#include "tests/metal_emulator/host/test_support.h"

namespace metal_emulator {
namespace {

class DeviceTest : public MetalTest {
 protected:
  static std::string Text(NS::Error* error) {
    return error == nullptr ? "no error" : error->localizedDescription()->utf8String();
  }
};

TEST_F(DeviceTest, ADeviceIsAsItIsDescribed) {
  DeviceDescription described;
  described.name = "Apple M9";
  described.apple_family = 7;
  described.unified_memory = false;
  described.simdgroup_width = 16;
  described.max_threads_per_threadgroup = 512;
  described.max_buffer_bytes = 4096;
  SetDevices({described});
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  EXPECT_STREQ(device->name()->utf8String(), "Apple M9");
  EXPECT_TRUE(device->supportsFamily(MTL::GPUFamilyApple1));
  EXPECT_TRUE(device->supportsFamily(MTL::GPUFamilyApple7));
  EXPECT_FALSE(device->supportsFamily(MTL::GPUFamilyApple8));
  EXPECT_TRUE(device->supportsFamily(MTL::GPUFamilyMac2));
  EXPECT_TRUE(device->supportsFamily(MTL::GPUFamilyMetal3));
  EXPECT_FALSE(device->supportsFamily(MTL::GPUFamilyMetal4));
  EXPECT_FALSE(device->hasUnifiedMemory());
  EXPECT_EQ(device->maxThreadsPerThreadgroup().width, 512u);
  EXPECT_EQ(device->maxThreadsPerThreadgroup().depth, 512u);
  EXPECT_EQ(device->maxBufferLength(), 4096u);
  EXPECT_EQ(device->maxThreadgroupMemoryLength(), 32768u);
  EXPECT_GT(device->recommendedMaxWorkingSetSize(), 0u);
  EXPECT_EQ(device->newBuffer(4097, MTL::ResourceStorageModeShared), nullptr);
}

TEST_F(DeviceTest, AnIntelMacIsOfNoAppleFamily) {
  DeviceDescription described;
  described.apple_family = 0;
  SetDevices({described});
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  EXPECT_FALSE(device->supportsFamily(MTL::GPUFamilyApple1));
  EXPECT_TRUE(device->supportsFamily(MTL::GPUFamilyMac2));
  EXPECT_TRUE(device->supportsFamily(MTL::GPUFamilyCommon3));
}

TEST_F(DeviceTest, ThereMayBeSeveralDevicesOrNone) {
  DeviceDescription first, second;
  first.name = "first";
  second.name = "second";
  SetDevices({first, second});
  auto devices = NS::TransferPtr(MTL::CopyAllDevices());
  ASSERT_EQ(devices->count(), 2u);
  EXPECT_STREQ(devices->object<MTL::Device>(1)->name()->utf8String(), "second");
  auto standard = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  EXPECT_EQ(standard.get(), devices->object<MTL::Device>(0));  // one object for one device
  EXPECT_NE(standard->registryID(), devices->object<MTL::Device>(1)->registryID());
  SetDevices({});
  EXPECT_EQ(MTL::CreateSystemDefaultDevice(), nullptr);
  auto none = NS::TransferPtr(MTL::CopyAllDevices());
  EXPECT_EQ(none->count(), 0u);
}

TEST_F(DeviceTest, ANewBufferIsPoisonedUnlessZerosAreAskedFor) {
  auto poisoned = Shared(8);
  EXPECT_EQ(Read(poisoned), (std::vector<uint32_t>{0xffffffffu, 0xffffffffu}));
  SetNewContents(NewContents::kZero);
  auto zero = Shared(8);
  EXPECT_EQ(Read(zero), (std::vector<uint32_t>{0, 0}));
  const uint32_t words[] = {1, 2};
  auto copied = NS::TransferPtr(device_->newBuffer(words, sizeof words, MTL::ResourceStorageModeShared));
  EXPECT_EQ(Read(copied), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(device_->currentAllocatedSize(), 24u);
}

TEST_F(DeviceTest, PrivateContentsAreOutOfReach) {
  auto buffer = NS::TransferPtr(device_->newBuffer(64, MTL::ResourceStorageModePrivate));
  EXPECT_EQ(buffer->contents(), nullptr);
  EXPECT_EQ(buffer->length(), 64u);
  EXPECT_EQ(buffer->storageMode(), MTL::StorageModePrivate);
}

TEST_F(DeviceTest, MemoryOfTheCallerIsUsedInPlaceAndGivenBack) {
  void* pages = std::aligned_alloc(16384, 16384);
  std::memset(pages, 0, 16384);
  __block bool given_back = false;
  auto buffer =
      NS::TransferPtr(device_->newBuffer(pages, 16384, MTL::ResourceStorageModeShared, ^(void* bytes, NS::UInteger) {
        given_back = bytes == pages;
      }));
  EXPECT_EQ(buffer->contents(), pages);
  buffer.reset();
  EXPECT_TRUE(given_back);
  CollectReports collect;
  EXPECT_EQ(device_->newBuffer(pages, 1000, MTL::ResourceStorageModeShared, nullptr), nullptr);
  ExpectReport(collect.Take(), Misuse::kBadArgument, "whole pages");
  std::free(pages);
}

TEST_F(DeviceTest, BuffersThatMetalRefusesAreReported) {
  CollectReports collect;
  EXPECT_EQ(device_->newBuffer(0, MTL::ResourceStorageModeShared), nullptr);
  ExpectReport(collect.Take(), Misuse::kBadArgument, "no bytes");
  const uint32_t word = 0;
  EXPECT_EQ(device_->newBuffer(&word, 4, MTL::ResourceStorageModePrivate), nullptr);
  ExpectReport(collect.Take(), Misuse::kBadArgument, "private");
  EXPECT_EQ(device_->newBuffer(16, MTL::ResourceHazardTrackingModeUntracked), nullptr);
  ExpectReport(collect.Take(), Misuse::kUnsupported, "hazard");
  Shared(16)->didModifyRange(NS::Range(0, 16));
  ExpectReport(collect.Take(), Misuse::kBadArgument, "managed");
}

TEST_F(DeviceTest, AHostThatWritesPastTheEndIsReported) {
  CollectReports collect;
  auto buffer = Shared(8);
  Words(buffer)[2] = 1;
  buffer->setLabel(MTLSTR("short"));
  buffer.reset();
  ExpectReport(collect.Take(), Misuse::kHostOverrun, "'short'> of 8 bytes");
}

TEST_F(DeviceTest, ALibraryIsMadeOfExactlyTheTextThatWasBuilt) {
  EXPECT_EQ(library_->functionNames()->count(), 3u);
  NS::Error* error = nullptr;
  EXPECT_EQ(device_->newLibrary(Str(HostKernelsText() + "\n"), nullptr, &error), nullptr);
  EXPECT_EQ(error->code(), static_cast<NS::Integer>(MTL::LibraryErrorCompileFailure));
  EXPECT_NE(Text(error).find("not one that the emulator was built with"), std::string::npos) << Text(error);
  EXPECT_NE(Text(error).find("host_kernels"), std::string::npos) << Text(error);
  EXPECT_EQ(device_->newLibrary(Str("x"), nullptr, static_cast<NS::Error**>(nullptr)), nullptr);
}

TEST_F(DeviceTest, CompileOptionsThatChangeTheTextAreRefused) {
  auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  options->setFastMathEnabled(false);
  options->setLanguageVersion(MTL::LanguageVersion2_4);
  EXPECT_FALSE(options->fastMathEnabled());
  NS::Error* error = nullptr;
  auto library = NS::TransferPtr(device_->newLibrary(Str(HostKernelsText()), options.get(), &error));
  EXPECT_TRUE(library) << Text(error);
  CollectReports collect;
  options->setPreprocessorMacros(NS::Dictionary::dictionary(MTLSTR("1"), MTLSTR("FAST")));
  ExpectReport(collect.Take(), Misuse::kUnsupported, "preprocessor");
}

TEST_F(DeviceTest, FunctionsAreFoundByName) {
  auto function = NS::TransferPtr(library_->newFunction(MTLSTR("copy_words")));
  EXPECT_STREQ(function->name()->utf8String(), "copy_words");
  EXPECT_EQ(function->functionType(), MTL::FunctionTypeKernel);
  EXPECT_EQ(library_->newFunction(MTLSTR("no_such")), nullptr);
}

TEST_F(DeviceTest, AFunctionsConstantsMustHaveValuesOfTheirType) {
  auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
  NS::Error* error = nullptr;
  EXPECT_EQ(library_->newFunction(MTLSTR("add_step"), values.get(), &error), nullptr);
  EXPECT_NE(Text(error).find("'increment' has no value"), std::string::npos) << Text(error);
  const float wrong = 1;
  values->setConstantValue(&wrong, MTL::DataTypeFloat, NS::UInteger{0});
  EXPECT_EQ(library_->newFunction(MTLSTR("add_step"), values.get(), &error), nullptr);
  EXPECT_NE(Text(error).find("another type"), std::string::npos) << Text(error);
  const uint32_t right = 1;
  values->setConstantValue(&right, MTL::DataTypeUInt, MTLSTR("increment"));  // a name goes before an index
  auto function = NS::TransferPtr(library_->newFunction(MTLSTR("add_step"), values.get(), &error));
  EXPECT_TRUE(function);
  EXPECT_EQ(library_->newFunction(MTLSTR("no_such"), values.get(), &error), nullptr);
  EXPECT_EQ(error->code(), static_cast<NS::Integer>(MTL::LibraryErrorFunctionNotFound));
  auto bare = NS::TransferPtr(library_->newFunction(MTLSTR("add_step")));
  EXPECT_EQ(device_->newComputePipelineState(bare.get(), &error), nullptr);
  EXPECT_NE(Text(error).find("'increment' has no value"), std::string::npos) << Text(error);
}

TEST_F(DeviceTest, APipelineTellsItsLimits) {
  auto pipeline = Pipeline("reverse_group");
  EXPECT_EQ(pipeline->threadExecutionWidth(), 32u);
  EXPECT_EQ(pipeline->maxTotalThreadsPerThreadgroup(), 64u);
  EXPECT_EQ(pipeline->staticThreadgroupMemoryLength(), 0u);
  EXPECT_EQ(Pipeline("copy_words")->maxTotalThreadsPerThreadgroup(), 1024u);
}

TEST_F(DeviceTest, ADescriptorLimitsAPipelineFurther) {
  auto descriptor = NS::TransferPtr(MTL::ComputePipelineDescriptor::alloc()->init());
  auto function = NS::TransferPtr(library_->newFunction(MTLSTR("copy_words")));
  descriptor->setComputeFunction(function.get());
  descriptor->setLabel(MTLSTR("copies"));
  descriptor->setMaxTotalThreadsPerThreadgroup(128);
  descriptor->setThreadGroupSizeIsMultipleOfThreadExecutionWidth(true);
  NS::Error* error = nullptr;
  auto pipeline =
      NS::TransferPtr(device_->newComputePipelineState(descriptor.get(), MTL::PipelineOptionNone, nullptr, &error));
  ASSERT_TRUE(pipeline) << Text(error);
  EXPECT_EQ(pipeline->maxTotalThreadsPerThreadgroup(), 128u);
  EXPECT_STREQ(pipeline->label()->utf8String(), "copies");
}

}  // namespace
}  // namespace metal_emulator
