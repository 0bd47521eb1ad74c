// The bugs that tests can plant are the bugs that they say, and are found.
#include "tests/metal_emulator/host/test_support.h"

namespace metal_emulator {
namespace {

class PlantedTest : public MetalTest {
 protected:
  // Copies a to b to c with a barrier between, having planted `bugs`.
  std::vector<Report> Run(const PlantedBugs& bugs) {
    CollectReports collect;
    Plant(bugs);
    auto pipeline = Pipeline("copy_words");
    auto a = Rising(64), b = Shared(256);
    c_ = Shared(256);
    MTL::CommandBuffer* commands = queue_->commandBuffer();
    MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder(MTL::DispatchTypeConcurrent);
    Copy(encoder, pipeline, a, b, 64, 2);
    encoder->memoryBarrier(MTL::BarrierScopeBuffers);
    Copy(encoder, pipeline, b, c_, 64, 2);
    encoder->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
    return collect.Take();
  }
  void TearDown() override {
    Plant({});
    c_.reset();
    MetalTest::TearDown();
  }
  NS::SharedPtr<MTL::Buffer> c_;
};

TEST_F(PlantedTest, NoneIsNone) {
  EXPECT_EQ(Kinds(Run({})), std::vector<std::string>());
  EXPECT_EQ(Words(c_)[63], 63u);
}

TEST_F(PlantedTest, AnIgnoredBarrierIsARace) {
  PlantedBugs bugs;
  bugs.ignored_barrier = 1;
  EXPECT_EQ(Kinds(Run(bugs)), std::vector<std::string>{"race"});
  bugs.ignored_barrier = 2;
  EXPECT_EQ(Kinds(Run(bugs)), std::vector<std::string>());
}

TEST_F(PlantedTest, AnIgnoredBindingIsMissingOrStale) {
  PlantedBugs bugs;
  bugs.ignored_binding = 2;
  EXPECT_EQ(Kinds(Run(bugs)), std::vector<std::string>{"missing binding"});
  bugs.ignored_binding = 4;  // the second dispatch writes where the first did
  EXPECT_EQ(Kinds(Run(bugs)), std::vector<std::string>());
  EXPECT_EQ(Words(c_)[63], 0xffffffffu);
}

TEST_F(PlantedTest, AClearedWordIsZero) {
  PlantedBugs bugs;
  bugs.cleared_kernel = "copy_words";
  EXPECT_EQ(Kinds(Run(bugs)), std::vector<std::string>());
  EXPECT_EQ(Words(c_)[63], 0xffffffffu);  // the number of words to copy was cleared
  bugs.cleared_word = 1;                  // which is not there
  EXPECT_EQ(Kinds(Run(bugs)), std::vector<std::string>());
  EXPECT_EQ(Words(c_)[63], 63u);
  bugs = {};
  bugs.cleared_kernel = "add_step";
  EXPECT_EQ(Kinds(Run(bugs)), std::vector<std::string>());
  EXPECT_EQ(Words(c_)[63], 63u);
}

TEST_F(PlantedTest, WithheldBytesAreOutOfBounds) {
  PlantedBugs bugs;
  bugs.withheld_bytes = 4;
  ExpectReport(Run(bugs), Misuse::kKernel, "copy_words");
}

TEST_F(PlantedTest, AKeptPipelineIsALeak) {
  PlantedBugs bugs;
  bugs.kept_pipeline = 1;
  EXPECT_EQ(Kinds(Run(bugs)), std::vector<std::string>());
  c_.reset();
  Close();
  pool_->release();
  const std::vector<std::string> living = LiveObjects();
  EXPECT_NE(std::find(living.begin(), living.end(), "<MTLComputePipelineState 'copy_words'> retained 1x"),
            living.end());
  pool_ = NS::AutoreleasePool::alloc()->init();
}

}  // namespace
}  // namespace metal_emulator
