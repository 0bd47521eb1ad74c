// The pipeline-cache file: read back whole or not at all.
#include "backends/vulkan/cache_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/status.h"

namespace inkread::vulkan {
namespace {

class CacheFileTest : public ::testing::Test {
 protected:
  CacheFileTest()
      : folder_((std::filesystem::temp_directory_path() / StrCat("inkread_vulkan_cache_", getpid())).string()) {
    device_.vendorID = 1;
    device_.deviceID = 2;
    device_.driverVersion = 3;
  }
  ~CacheFileTest() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  VkPhysicalDeviceProperties device_{};
  const std::vector<std::byte> data_ = std::vector<std::byte>(1000, std::byte{7});
};

TEST_F(CacheFileTest, ComesBackAsItWas) {
  const std::string path = CachePath(folder_, device_);
  EXPECT_TRUE(ReadCacheFile(path).empty());
  ASSERT_TRUE(WriteCacheFile(path, data_));
  EXPECT_EQ(ReadCacheFile(path), data_);
  ASSERT_TRUE(WriteCacheFile(path, std::span(data_).first(10)));
  EXPECT_EQ(ReadCacheFile(path).size(), 10u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);  // no parts are left
}

TEST_F(CacheFileTest, AChangedOrCutFileIsNone) {
  const std::string path = CachePath(folder_, device_);
  ASSERT_TRUE(WriteCacheFile(path, data_));
  std::ifstream in(path, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const auto put = [&path](const std::string& text) { std::ofstream(path, std::ios::binary) << text; };
  for (size_t length : {size_t{0}, size_t{5}, size_t{24}, good.size() - 1}) {
    put(good.substr(0, length));
    EXPECT_TRUE(ReadCacheFile(path).empty()) << length;
  }
  for (size_t at : {size_t{0}, size_t{9}, size_t{17}, size_t{24}, good.size() - 1}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    put(bad);
    EXPECT_TRUE(ReadCacheFile(path).empty()) << at;
  }
  put(good + "x");
  EXPECT_TRUE(ReadCacheFile(path).empty());
  put(good);
  EXPECT_EQ(ReadCacheFile(path), data_);
}

TEST_F(CacheFileTest, DevicesAndDriversHaveFilesOfTheirOwn) {
  const std::string path = CachePath(folder_, device_);
  VkPhysicalDeviceProperties other = device_;
  other.deviceID = 9;
  EXPECT_NE(CachePath(folder_, other), path);
  other = device_;
  other.driverVersion = 9;
  EXPECT_NE(CachePath(folder_, other), path);
  other = device_;
  other.pipelineCacheUUID[5] = 9;
  EXPECT_NE(CachePath(folder_, other), path);
}

TEST_F(CacheFileTest, NoneMeansNowhere) {
  EXPECT_EQ(CachePath("none", device_), "");
  EXPECT_TRUE(ReadCacheFile("").empty());
}

TEST_F(CacheFileTest, AFolderThatCannotBeMadeIsNoFault) {
  std::ofstream(folder_) << "a file is in its way";
  EXPECT_FALSE(WriteCacheFile(CachePath(folder_, device_), data_));
}

}  // namespace
}  // namespace inkread::vulkan
