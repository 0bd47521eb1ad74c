// What the tests of the emulator's host side share: a device with a queue and the test kernels, and runs of them.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_TEST_SUPPORT_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>
#include <future>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/metal_emulator/host/emulator.h"

namespace metal_emulator {

// The text of testdata/host_kernels.metal.
std::string HostKernelsText();

inline NS::String* Str(const std::string& text) { return NS::String::string(text.c_str(), NS::UTF8StringEncoding); }

// The kinds of what was reported.
inline std::vector<std::string> Kinds(const std::vector<Report>& reports) {
  std::vector<std::string> kinds;
  for (const Report& report : reports) kinds.emplace_back(NameOf(report.misuse));
  return kinds;
}
// Expects one report, of this kind, whose text contains `text`.
inline void ExpectReport(const std::vector<Report>& reports, Misuse misuse, const std::string& text) {
  ASSERT_EQ(Kinds(reports), std::vector<std::string>{NameOf(misuse)});
  EXPECT_NE(reports.front().text.find(text), std::string::npos) << reports.front().text;
}

// Holds commands back, on the queue's thread, until it is opened.
class Gate {
 public:
  ~Gate() { Open(); }
  void HoldBack(MTL::CommandBuffer* commands) {
    commands->addScheduledHandler([opened = opened_.get_future().share()](MTL::CommandBuffer*) { opened.wait(); });
  }
  void Open() {
    if (!std::exchange(is_open_, true)) opened_.set_value();
  }

 private:
  std::promise<void> opened_;
  bool is_open_ = false;
};

class MetalTest : public testing::Test {
 protected:
  void SetUp() override {
    SetDevices({DeviceDescription{}});
    Inject({});
    pool_ = NS::AutoreleasePool::alloc()->init();
    Open();
  }
  // Whatever a test makes must be gone in the end.
  void TearDown() override {
    Close();
    pool_->release();
    Inject({});
    SetNewContents(NewContents::kPoison);
    EXPECT_EQ(LiveObjects(), std::vector<std::string>());
  }
  void Open() {
    device_ = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
    queue_ = NS::TransferPtr(device_->newCommandQueue());
    NS::Error* error = nullptr;
    library_ = NS::TransferPtr(device_->newLibrary(Str(HostKernelsText()), nullptr, &error));
    ASSERT_TRUE(library_) << error->localizedDescription()->utf8String();
  }
  void Close() {
    library_.reset();
    queue_.reset();
    device_.reset();
  }

  NS::SharedPtr<MTL::ComputePipelineState> Pipeline(const char* kernel) {
    auto function = NS::TransferPtr(library_->newFunction(Str(kernel)));
    NS::Error* error = nullptr;
    auto pipeline = NS::TransferPtr(device_->newComputePipelineState(function.get(), &error));
    EXPECT_TRUE(pipeline) << error->localizedDescription()->utf8String();
    return pipeline;
  }
  NS::SharedPtr<MTL::ComputePipelineState> AddStep(uint32_t step) {
    auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
    values->setConstantValue(&step, MTL::DataTypeUInt, NS::UInteger{0});
    NS::Error* error = nullptr;
    auto function = NS::TransferPtr(library_->newFunction(Str("add_step"), values.get(), &error));
    auto pipeline = NS::TransferPtr(device_->newComputePipelineState(function.get(), &error));
    EXPECT_TRUE(pipeline) << error->localizedDescription()->utf8String();
    return pipeline;
  }
  NS::SharedPtr<MTL::Buffer> Shared(size_t bytes) {
    return NS::TransferPtr(device_->newBuffer(bytes, MTL::ResourceStorageModeShared));
  }
  // 0, 1, 2, ...
  NS::SharedPtr<MTL::Buffer> Rising(uint32_t count) {
    auto buffer = Shared(count * 4);
    std::iota(Words(buffer), Words(buffer) + count, 0u);
    return buffer;
  }
  static uint32_t* Words(const NS::SharedPtr<MTL::Buffer>& buffer) {
    return static_cast<uint32_t*>(buffer->contents());
  }
  static std::vector<uint32_t> Read(const NS::SharedPtr<MTL::Buffer>& buffer) {
    return {Words(buffer), Words(buffer) + buffer->length() / 4};
  }
  // A dispatch of copy_words.
  static void Copy(MTL::ComputeCommandEncoder* encoder, const NS::SharedPtr<MTL::ComputePipelineState>& pipeline,
                   const NS::SharedPtr<MTL::Buffer>& from, const NS::SharedPtr<MTL::Buffer>& to, uint32_t count,
                   uint32_t groups = 1) {
    encoder->setComputePipelineState(pipeline.get());
    encoder->setBuffer(from.get(), 0, 0);
    encoder->setBuffer(to.get(), 0, 1);
    encoder->setBytes(&count, sizeof count, 2);
    encoder->dispatchThreadgroups(MTL::Size(groups, 1, 1), MTL::Size(32, 1, 1));
  }

  NS::AutoreleasePool* pool_ = nullptr;
  NS::SharedPtr<MTL::Device> device_;
  NS::SharedPtr<MTL::CommandQueue> queue_;
  NS::SharedPtr<MTL::Library> library_;
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_TEST_SUPPORT_H_
