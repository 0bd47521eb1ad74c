// What the tests of GPU backends share: a small network on a device, with the reference backend to fall back to in
// place of the CPU.
#ifndef INKREAD_TESTS_GPU_MODEL_H_
#define INKREAD_TESTS_GPU_MODEL_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "backends/reference/reference_backend.h"
#include "base/log.h"
#include "runtime/model.h"
#include "tests/onnx_writer.h"
#include "tests/tolerance.h"

namespace inkread {

class GpuModelTest : public ::testing::Test {
 protected:
  // name  of the backend: "vulkan"
  explicit GpuModelTest(std::string name) : name_(std::move(name)) {
    path_ = (std::filesystem::temp_directory_path() / StrCat("inkread_", name_, "_test_", getpid(), ".onnx")).string();
    WriteModel(SmallConvolution("c").Node("Sigmoid", {"c"}, {"y"}), path_);
    SetLogSink([this](const std::string& line) { log_.push_back(line); });
  }
  ~GpuModelTest() override {
    SetLogSink(nullptr);
    std::filesystem::remove(path_);
  }
  // For a derived test's SetUp.
  void SetExpected() {
    const auto reference = Load(nullptr, false);
    ASSERT_TRUE(reference.ok());
    expected_ = Run(**reference, 5, 4).value();
  }

  Result<std::unique_ptr<Model>> Load(std::unique_ptr<Backend> gpu, bool strict) {
    std::vector<FallbackChain::Entry> entries;
    if (gpu != nullptr) entries.push_back({name_, std::move(gpu)});
    entries.push_back({"cpu", MakeReferenceBackend(16)});
    chain_ = std::make_shared<FallbackChain>(std::move(entries), strict);
    return Model::Load(path_, chain_);
  }

  static Result<std::vector<float>> Run(Model& model, uint32_t h, uint32_t w) {
    std::vector<float> input(h * w * 3 + 16), output(h * w * kChannels);
    for (size_t i = 0; i < input.size(); ++i) input[i] = 0.01f * static_cast<float>(i % 100);
    const Task task{{1, h, w, Head::kNetwork}, input.data(), output.data()};
    INKREAD_RETURN_IF_ERROR(model.Run({&task, 1}));
    return output;
  }

  void ExpectRight(const std::vector<float>& output) {
    ASSERT_EQ(output.size(), expected_.size());
    for (size_t i = 0; i < output.size(); ++i)
      ASSERT_NEAR(output[i], expected_[i], RoundingTolerance(16, 1) + kActivationTolerance) << i;
  }

  // What an engine does: open the device, load, and read twice.
  struct Reading {
    Status status;
    std::vector<float> first, second;
    std::string backend;
  };
  Reading Read(const std::function<Result<std::unique_ptr<Backend>>()>& open, bool strict) {
    Reading reading;
    chain_.reset();  // and the objects of the API that it holds, so that each reading makes the same calls
    Result<std::unique_ptr<Backend>> gpu = open();
    if (!gpu.ok() && strict) {
      reading.status = gpu.status();
      return reading;
    }
    auto model = Load(gpu.ok() ? std::move(gpu).value() : nullptr, strict);
    if (!model.ok()) {
      reading.status = model.status();
      return reading;
    }
    for (std::vector<float>* output : {&reading.first, &reading.second}) {
      Result<std::vector<float>> result = Run(**model, 5, 4);
      if (!result.ok()) {
        reading.status = result.status();
        return reading;
      }
      *output = *result;
    }
    reading.backend = chain_->name(chain_->active());
    return reading;
  }
  // Checks a reading whose device failed somewhere. In strict mode it is an error; otherwise the CPU has answered, with
  // one line of log.
  void ExpectAnswered(const Reading& reading, bool strict, const std::vector<StatusCode>& codes) {
    if (strict) {
      ASSERT_FALSE(reading.status.ok());
      EXPECT_TRUE(std::find(codes.begin(), codes.end(), reading.status.code()) != codes.end())
          << reading.status.message();
      EXPECT_TRUE(log_.empty());
    } else {
      ASSERT_TRUE(reading.status.ok()) << reading.status.message();
      ExpectRight(reading.first);  // may have come from the device still
      EXPECT_EQ(reading.backend, "cpu");
      EXPECT_EQ(reading.second, expected_);  // though the device would work again
      EXPECT_LE(log_.size(), 1u);
    }
  }

  // One of these runs fails on the device while others are running. All give the right result; the CPU runs the rest.
  void ExpectOneFaultIsNotAnothers(Model& model) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int run = 0; run < 10; ++run) {
          const auto result = Run(model, 5, 4);
          ASSERT_TRUE(result.ok()) << result.status().message();
          ExpectRight(*result);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(chain_->name(chain_->active()), "cpu");
    EXPECT_EQ(log_.size(), 1u);
  }

  // Runs inputs of many sizes one after another, then on several threads at the same time.
  void ExpectTheSameBitsInEveryThread(std::unique_ptr<Backend> gpu) {
    auto model = Load(std::move(gpu), true);
    ASSERT_TRUE(model.ok());
    std::vector<std::vector<float>> alone;
    for (uint32_t side = 1; side < 40; ++side) alone.push_back(Run(**model, side, 41 - side).value());
    std::vector<std::thread> threads;
    for (uint32_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (uint32_t i = 0; i < alone.size(); ++i) {
          const uint32_t at = (i * 7 + thread * 5) % alone.size();
          EXPECT_EQ(Run(**model, at + 1, 40 - at).value(), alone[at]);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  // Jobs that take more than the 2 MiB of one submission are cut into several.
  void ExpectManyJobsGiveWhatTheyGiveAlone(std::unique_ptr<Backend> gpu) {
    auto model = Load(std::move(gpu), true);
    ASSERT_TRUE(model.ok());
    constexpr uint32_t kSide = 90, kTasks = 21;  // 230 kB each in f32
    const std::vector<float> alone = Run(**model, kSide, kSide).value();
    std::vector<float> input(kSide * kSide * 3 + 16);
    for (size_t i = 0; i < input.size(); ++i) input[i] = 0.01f * static_cast<float>(i % 100);
    std::vector<std::vector<float>> outputs(kTasks, std::vector<float>(alone.size()));
    std::vector<Task> tasks;
    for (auto& output : outputs) tasks.push_back({{1, kSide, kSide, Head::kNetwork}, input.data(), output.data()});
    ASSERT_TRUE((*model)->Run(tasks).ok());
    for (const auto& output : outputs) EXPECT_TRUE(output == alone);
  }

  static constexpr int kChannels = 4;
  const std::string name_;
  std::string path_;
  std::vector<float> expected_;
  std::vector<std::string> log_;
  std::shared_ptr<FallbackChain> chain_;
};

}  // namespace inkread

#endif  // INKREAD_TESTS_GPU_MODEL_H_
