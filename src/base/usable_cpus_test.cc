#include "base/usable_cpus.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace inkread {
namespace {

class CgroupQuotaTest : public testing::Test {
 protected:
  void SetUp() override {
    mount_ = std::filesystem::path(testing::TempDir()) / ("inkread_cgroup_" + std::to_string(::getpid()));
    std::filesystem::create_directories(mount_);
  }
  void TearDown() override { std::filesystem::remove_all(mount_); }
  void Write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((mount_ / path).parent_path());
    std::ofstream(mount_ / path) << text;
  }
  std::filesystem::path mount_;
};

TEST_F(CgroupQuotaTest, IsNoneWhereNoneIsSet) {
  EXPECT_EQ(CgroupQuotaCpus("", mount_), 0);
  Write("cpu.max", "max 100000\n");
  EXPECT_EQ(CgroupQuotaCpus("0::/\n", mount_), 0);
}

TEST_F(CgroupQuotaTest, TheLeastOnTheWayToTheRootHolds) {
  Write("a/cpu.max", "150000 100000\n");
  Write("a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(CgroupQuotaCpus("0::/a/b\n", mount_), 1.5);
  Write("a/b/cpu.max", "50000 100000\n");
  EXPECT_EQ(CgroupQuotaCpus("0::/a/b\n", mount_), 0.5);
}

TEST_F(CgroupQuotaTest, APathThatIsNotThereLeavesTheRoot) {
  Write("cpu.max", "200000 100000\n");
  EXPECT_EQ(CgroupQuotaCpus("0::/on/the/host\n", mount_), 2);
}

TEST_F(CgroupQuotaTest, ReadsVersionOne) {
  Write("cpu,cpuacct/x/cpu.cfs_quota_us", "300000\n");
  Write("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CgroupQuotaCpus("5:memory:/x\n4:cpu,cpuacct:/x\n", mount_), 3);
  Write("cpu,cpuacct/x/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(CgroupQuotaCpus("4:cpu,cpuacct:/x\n", mount_), 0);
}

TEST_F(CgroupQuotaTest, AChangedQuotaIsReadAnew) {
  Write("cpu.max", "150000 100000\n");
  EXPECT_EQ(CgroupQuotaCpus("0::/\n", mount_), 1.5);
  Write("cpu.max", "400000 100000\n");
  EXPECT_EQ(CgroupQuotaCpus("0::/\n", mount_), 4);
  Write("cpu.max", "max 100000\n");
  EXPECT_EQ(CgroupQuotaCpus("0::/\n", mount_), 0);
}

TEST(UsableCpusTest, IsAtLeastOneAndAtMostTheHardware) {
  EXPECT_GE(UsableCpus(), 1);
  EXPECT_LE(UsableCpus(), static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace inkread
