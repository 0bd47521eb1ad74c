// The fallback rule, and INKREAD_DISABLE.
#include "runtime/fallback_chain.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#include "base/log.h"
#include "runtime/backend_registry.h"

namespace inkread {
namespace {

FallbackChain MakeChain(bool strict, int count = 2) {
  std::vector<FallbackChain::Entry> entries;
  for (int i = 0; i < count; ++i) entries.push_back({i + 1 < count ? "gpu" : "cpu", MakeReferenceBackend(16)});
  return FallbackChain(std::move(entries), strict);
}

// Lines of log while it lives.
struct LogLines {
  std::vector<std::string> lines;
  LogLines() {
    SetLogSink([this](const std::string& line) { lines.push_back(line); });
  }
  ~LogLines() { SetLogSink(nullptr); }
};

TEST(FallbackChainTest, ADevicesFaultMovesToTheNextOneForGoodAndIsLoggedOnce) {
  for (StatusCode code : {StatusCode::kDeviceLost, StatusCode::kOutOfMemory, StatusCode::kUnsupported}) {
    LogLines log;
    FallbackChain chain = MakeChain(false);
    EXPECT_EQ(chain.fallback_reason(), "");
    EXPECT_FALSE(chain.has_failed());
    EXPECT_TRUE(chain.FallBack(0, Status(code, "gone")));
    EXPECT_EQ(chain.active(), 1);
    EXPECT_EQ(chain.fallback_reason(), "gpu: gone");
    EXPECT_TRUE(chain.has_failed());
    EXPECT_TRUE(chain.FallBack(0, Status(code, "seen late")));
    EXPECT_EQ(chain.active(), 1);
    EXPECT_EQ(chain.fallback_reason(), "gpu: gone");
    ASSERT_EQ(log.lines.size(), 1u);
    EXPECT_EQ(log.lines[0], "gpu: gone; cpu takes over");
  }
}

TEST(FallbackChainTest, NothingElseIsAnsweredByFallingBack) {
  LogLines log;
  FallbackChain chain = MakeChain(false);
  for (StatusCode code : {StatusCode::kInternal, StatusCode::kInvalidArgument, StatusCode::kCorruptModel,
                          StatusCode::kNotFound, StatusCode::kCorruptImage}) {
    EXPECT_FALSE(chain.FallBack(0, Status(code, "ours"))) << StatusCodeName(code);
  }
  EXPECT_EQ(chain.active(), 0);
  EXPECT_FALSE(chain.has_failed());
  EXPECT_TRUE(log.lines.empty());
}

TEST(FallbackChainTest, StrictNeverFallsBack) {
  LogLines log;
  FallbackChain chain = MakeChain(true);
  EXPECT_FALSE(chain.FallBack(0, Status(StatusCode::kDeviceLost, "gone")));
  EXPECT_FALSE(chain.FallBack(0, Status(StatusCode::kDeviceLost, "gone again")));
  EXPECT_EQ(chain.active(), 0);
  EXPECT_TRUE(chain.has_failed());
  EXPECT_EQ(chain.fallback_reason(), "gpu: gone");
  EXPECT_TRUE(log.lines.empty());
}

// What does not fit the device is an error of one read; the device takes the next one.
TEST(FallbackChainTest, WithStrictOnlyALostDeviceHasFailed) {
  LogLines log;
  FallbackChain chain = MakeChain(true);
  for (StatusCode code : {StatusCode::kOutOfMemory, StatusCode::kUnsupported}) {
    EXPECT_FALSE(chain.FallBack(0, Status(code, "too large")));
    EXPECT_FALSE(chain.has_failed());
    EXPECT_EQ(chain.fallback_reason(), "");
  }
}

TEST(FallbackChainTest, TheLastDevicesFaultIsTheCallers) {
  LogLines log;
  FallbackChain chain = MakeChain(false);
  EXPECT_FALSE(chain.FallBack(1, Status(StatusCode::kOutOfMemory, "full")));
  EXPECT_EQ(chain.fallback_reason(), "");
  EXPECT_FALSE(chain.has_failed());
  EXPECT_TRUE(log.lines.empty());
}

TEST(FallbackChainTest, ThreadsThatFailAtOnceLogOneLine) {
  LogLines log;
  FallbackChain chain = MakeChain(false, 3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { EXPECT_TRUE(chain.FallBack(0, Status(StatusCode::kDeviceLost, "gone"))); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(chain.active(), 1);  // not the third, though eight asked
  EXPECT_EQ(log.lines.size(), 1u);
}

class DisableTest : public ::testing::Test {
 protected:
  ~DisableTest() override { unsetenv("INKREAD_DISABLE"); }
  static Result<std::unique_ptr<Backend>> OpenCpu(const std::string& disabled) {
    setenv("INKREAD_DISABLE", disabled.c_str(), 1);
    static ThreadPool pool(1);
    return OpenBackend("cpu", &pool);
  }
};

TEST_F(DisableTest, SwitchesInstructionSetsOff) {
  const std::vector<CpuTarget> targets = CpuTargets();
  auto backend = OpenCpu("");
  ASSERT_TRUE(backend.ok());
  EXPECT_EQ((*backend)->Caps().device, "cpu " + targets[0].name);
  std::string disabled;
  for (size_t i = 0; i + 1 < targets.size(); ++i) {
    disabled += (i == 0 ? "" : ",") + targets[i].name;
    backend = OpenCpu(disabled);
    ASSERT_TRUE(backend.ok()) << backend.status().message();
    EXPECT_EQ((*backend)->Caps().device, "cpu " + targets[i + 1].name);
  }
}

TEST_F(DisableTest, AnUnknownNameIsRefusedWithTheKnownOnes) {
  const auto backend = OpenCpu("mmx");
  ASSERT_FALSE(backend.ok());
  EXPECT_EQ(backend.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(backend.status().message().find("'mmx'"), std::string::npos);
  EXPECT_NE(backend.status().message().find(CpuTargets()[0].name), std::string::npos);
}

TEST_F(DisableTest, NotAllCanBeSwitchedOff) {
  std::string all;
  for (const CpuTarget& target : CpuTargets()) all += (all.empty() ? "" : ",") + target.name;
  const auto backend = OpenCpu(all);
  ASSERT_FALSE(backend.ok());
  EXPECT_EQ(backend.status().code(), StatusCode::kInvalidArgument);
}

TEST(OpenBackendTest, AnUnknownBackendIsUnsupported) {
  ThreadPool pool(1);
  EXPECT_EQ(OpenBackend("abacus", &pool).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace inkread
