// Reads spread over several devices, also when some of them fail.
#include "runtime/load_balancer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>

#include "backends/reference/reference_backend.h"
#include "base/log.h"
#include "runtime/model.h"
#include "tests/onnx_writer.h"

namespace inkread {
namespace {

// The reference backend, which is lost after some runs.
class MortalBackend : public Backend {
 public:
  explicit MortalBackend(int num_good_runs) : num_left_(num_good_runs), real_(MakeReferenceBackend(16)) {}
  const DeviceCaps& Caps() const override { return real_->Caps(); }
  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void> owner) override {
    return real_->Upload(weights, std::move(owner));
  }
  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    return real_->Compile(std::move(schedule), std::move(weights));
  }
  Status Run(std::span<const Job> jobs) override {
    if (--num_left_ < 0) return Status(StatusCode::kDeviceLost, "planted");
    return real_->Run(jobs);
  }

 private:
  std::atomic<int> num_left_;
  std::unique_ptr<Backend> real_;
};

constexpr int kImmortal = 1'000'000'000;
const Status kLost(StatusCode::kDeviceLost, "planted");

class LoadBalancerTest : public ::testing::Test {
 protected:
  LoadBalancerTest() {
    SetLogSink([this](const std::string& line) { log_.push_back(line); });
  }
  ~LoadBalancerTest() override { SetLogSink(nullptr); }

  // One device for each number of runs after which it is lost.
  void MakeDevices(const std::vector<int>& num_good_runs, bool strict = false) {
    chains_.clear();
    for (size_t i = 0; i < num_good_runs.size(); ++i) {
      std::vector<FallbackChain::Entry> entries;
      entries.push_back({StrCat("gpu ", i), std::make_unique<MortalBackend>(num_good_runs[i])});
      entries.push_back({"cpu", MakeReferenceBackend(16)});
      chains_.push_back(std::make_shared<FallbackChain>(std::move(entries), strict));
    }
    balancer_.emplace(std::vector<std::shared_ptr<const FallbackChain>>(chains_.begin(), chains_.end()));
  }
  // The devices of so many reads that begin one after another and do not end.
  std::vector<size_t> Begin(int count) {
    std::vector<size_t> taken;
    for (int i = 0; i < count; ++i) {
      leases_.push_back(balancer_->Begin());
      taken.push_back(leases_.back().device());
    }
    return taken;
  }

  std::vector<std::string> log_;
  std::vector<std::shared_ptr<FallbackChain>> chains_;
  std::optional<LoadBalancer> balancer_;
  std::vector<LoadBalancer::Lease> leases_;
};

TEST_F(LoadBalancerTest, AReadGoesToTheDeviceWithTheFewestTheFirstOfEquals) {
  MakeDevices({kImmortal, kImmortal, kImmortal});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(balancer_->Begin().device(), 0u);  // idle again each time
  EXPECT_EQ(Begin(5), (std::vector<size_t>{0, 1, 2, 0, 1}));
  std::optional<LoadBalancer::Lease> brief(balancer_->Begin());
  EXPECT_EQ(brief->device(), 2u);
  brief.reset();
  EXPECT_EQ(Begin(3), (std::vector<size_t>{2, 0, 1}));
}

TEST_F(LoadBalancerTest, ADeviceThatHasFailedGetsNoReadWhileAnotherHasNot) {
  for (bool strict : {false, true}) {
    MakeDevices({kImmortal, kImmortal, kImmortal}, strict);
    EXPECT_EQ(Begin(3), (std::vector<size_t>{0, 1, 2}));
    EXPECT_EQ(chains_[0]->FallBack(0, kLost), !strict);
    EXPECT_EQ(balancer_->WhenIdle(), 1u);
    EXPECT_EQ(Begin(3), (std::vector<size_t>{1, 2, 1}));
    chains_[2]->FallBack(0, kLost);
    EXPECT_EQ(Begin(2), (std::vector<size_t>{1, 1}));
    chains_[1]->FallBack(0, kLost);
    EXPECT_EQ(Begin(2), (std::vector<size_t>{0, 0}));
    leases_.clear();
    EXPECT_EQ(balancer_->WhenIdle(), 0u);
  }
}

// A network on several devices at once, as an engine has it.
class SpreadModelsTest : public LoadBalancerTest {
 protected:
  SpreadModelsTest() {
    path_ = (std::filesystem::temp_directory_path() / StrCat("inkread_spread_test_", getpid(), ".onnx")).string();
    WriteModel(SmallConvolution(), path_);
    for (size_t i = 0; i < input_.size(); ++i) input_[i] = 0.01f * static_cast<float>(i);
    LoadOn({kImmortal});
    expected_ = Run(*models_[0]).value();
  }
  ~SpreadModelsTest() override { std::filesystem::remove(path_); }

  void LoadOn(const std::vector<int>& num_good_runs, bool strict = false) {
    models_.clear();
    MakeDevices(num_good_runs, strict);
    for (const auto& chain : chains_) models_.push_back(Model::Load(path_, chain).value());
  }
  Result<std::vector<float>> Run(Model& model) const {
    std::vector<float> output(5 * 4 * 4);
    const Task task{{1, 5, 4, Head::kNetwork}, input_.data(), output.data()};
    INKREAD_RETURN_IF_ERROR(model.Run({&task, 1}));
    return output;
  }

  struct Counts {
    std::atomic<int> right = 0, lost = 0, other = 0;
  };
  // Eight callers with twenty reads of two runs each.
  void ReadFromManyThreads(Counts& counts) {
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 8; ++caller) {
      callers.emplace_back([&] {
        for (int read = 0; read < 20; ++read) {
          const LoadBalancer::Lease lease = balancer_->Begin();
          const auto first = Run(*models_[lease.device()]), second = Run(*models_[lease.device()]);
          if (first.ok() && second.ok() && *first == expected_ && *second == expected_) {
            ++counts.right;
          } else if (first.status().code() == StatusCode::kDeviceLost ||
                     second.status().code() == StatusCode::kDeviceLost) {
            ++counts.lost;
          } else {
            ++counts.other;
          }
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
  }

  std::string path_;
  std::vector<float> input_ = std::vector<float>(5 * 4 * 3 + 16);
  std::vector<float> expected_;
  std::vector<std::unique_ptr<Model>> models_;
};

TEST_F(SpreadModelsTest, WhenOneOfTwoFailsItsReadsEndOnTheCpuAndTheOtherGoesOn) {
  for (int num_good_runs : {0, 1, 2, 9}) {
    log_.clear();
    LoadOn({num_good_runs, kImmortal});
    Counts counts;
    ReadFromManyThreads(counts);
    EXPECT_EQ(counts.right, 160) << num_good_runs;
    EXPECT_EQ(log_, std::vector<std::string>{"gpu 0: planted; cpu takes over"});
    EXPECT_TRUE(chains_[0]->has_failed());
    EXPECT_FALSE(chains_[1]->has_failed());
    EXPECT_EQ(balancer_->WhenIdle(), 1u);
  }
}

TEST_F(SpreadModelsTest, WhenAllFailTheCpuReads) {
  LoadOn({3, 5});
  Counts counts;
  ReadFromManyThreads(counts);
  EXPECT_EQ(counts.right, 160);
  EXPECT_EQ(log_.size(), 2u);
  EXPECT_EQ(balancer_->WhenIdle(), 0u);
  EXPECT_EQ(chains_[0]->active(), 1);
}

// Reads that are on the device fail; later reads go to the other one. A device that answers every read at once with an
// error must not attract all reads.
TEST_F(SpreadModelsTest, StrictMakesItAnErrorOfTheReadsInFlightAlone) {
  LoadOn({9, kImmortal}, true);
  Counts counts;
  ReadFromManyThreads(counts);
  EXPECT_GE(counts.lost, 1);
  EXPECT_LE(counts.lost, 8);
  EXPECT_EQ(counts.right, 160 - counts.lost);
  EXPECT_TRUE(log_.empty());
  EXPECT_EQ(chains_[0]->fallback_reason(), "gpu 0: planted");
}

}  // namespace
}  // namespace inkread
