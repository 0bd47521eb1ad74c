#include "backends/gpu/probe.h"

#include <gtest/gtest.h>

#include "backends/reference/reference_backend.h"

namespace inkread::gpu {
namespace {

// Of a backend that is no GPU, but runs what it is given.
TEST(ProbeTest, MeasuresAnyBackendThatMeasuresSteps) {
  const auto backend = MakeReferenceBackend(16);
  bool has_peak = false;
  const std::vector<ProbeResult> rows = Probe(*backend);
  for (const ProbeResult& row : rows) {
    EXPECT_EQ(row.unavailable, "") << row.name;
    has_peak |= row.name == kProbePeakF32 && row.value > 0;
  }
  EXPECT_TRUE(has_peak);
  EXPECT_EQ(rows.size(), 5u);
}

// Has no memory for anything.
class Failing : public Backend {
 public:
  const DeviceCaps& Caps() const override { return caps_; }
  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte>,
                                                      std::shared_ptr<const void>) override {
    return std::shared_ptr<const DeviceWeights>(std::make_shared<DeviceWeights>());
  }
  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView&) override { return Internal("not called"); }
  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule>,
                                                 std::shared_ptr<const DeviceWeights>) override {
    return OutOfMemory("no memory is left");
  }
  Status Run(std::span<const Job>) override { return Internal("not called"); }

 private:
  DeviceCaps caps_;
};

TEST(ProbeTest, SaysWhyARowIsMissing) {
  Failing backend;
  const std::vector<ProbeResult> rows = Probe(backend);
  EXPECT_EQ(rows.size(), 5u);
  for (const ProbeResult& row : rows) EXPECT_EQ(row.unavailable, "no memory is left") << row.name;
}

}  // namespace
}  // namespace inkread::gpu
