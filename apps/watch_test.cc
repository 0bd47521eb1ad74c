#include "apps/watch.h"

#include <filesystem>

#include "apps/test_files.h"

namespace inkread::test {
namespace {

using std::chrono::milliseconds;

std::vector<std::string> Poll(Watch* watch) {
  std::vector<std::string> paths;
  for (const Input& input : watch->Poll(milliseconds(0))) paths.push_back(input.path);
  return paths;
}

// As Watch::Poll does nothing before its interval is over, which depends on the time that listing took.
std::vector<std::string> PollTwice(Watch* watch) {
  std::vector<std::string> paths;
  for (int i = 0; i < 40 && paths.empty(); ++i) {
    paths = Poll(watch);
    std::this_thread::sleep_for(milliseconds(2));
  }
  return paths;
}

TEST(WatchTest, AFileIsGivenOnceItNoLongerGrowsAndOnlyOnce) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "in");
  Watch watch({folder / "in"}, Shard());
  EXPECT_EQ(Poll(&watch), std::vector<std::string>());
  const std::string a = folder.Put("in/a.png", Png(1).substr(0, 20));
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(Poll(&watch), std::vector<std::string>()) << "seen for the first time";
  folder.Put("in/a.png", Png(1));
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(Poll(&watch), std::vector<std::string>()) << "has grown";
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(Poll(&watch), std::vector<std::string>{a});
  const std::string b = folder.Put("in/deep/b.png", Png(2));
  folder.Put("in/.c.png", Png(3));
  folder.Put("in/notes.txt", "none");
  EXPECT_EQ(PollTwice(&watch), std::vector<std::string>{b});
  EXPECT_EQ(PollTwice(&watch), std::vector<std::string>());
}

TEST(WatchTest, AFileThatGoesBeforeItIsCompleteIsForgotten) {
  const TemporaryFolder folder;
  const std::string pattern = folder / "*.png";
  Watch watch({pattern}, Shard());
  const std::string a = folder.Put("a.png", Png(1));
  EXPECT_EQ(Poll(&watch), std::vector<std::string>());
  std::filesystem::remove(a);
  EXPECT_EQ(PollTwice(&watch), std::vector<std::string>());
  folder.Put("a.png", Png(1));
  EXPECT_EQ(PollTwice(&watch), std::vector<std::string>{a});
}

TEST(WatchTest, WaitsItsIntervalBetweenTwoLooks) {
  const TemporaryFolder folder;
  folder.Put("a.png", Png(1));
  Watch watch({folder / ""}, Shard());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(watch.Poll(std::chrono::hours(1)).empty());
}

}  // namespace
}  // namespace inkread::test
