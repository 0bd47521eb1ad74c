// Runs over a folder that are killed at random moments and started again.
//
// A program of its own: the runs are children that start threads, and a process that has threads should not fork.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "apps/journal.h"
#include "apps/read_loop.h"
#include "apps/test_files.h"

namespace inkread::test {
namespace {

namespace fs = std::filesystem;

// Takes up to 2 ms and gives a kilobyte or two. Images 13 px wide fail.
Result<Reading> ReadSlowly(const ImageView& view) {
  std::this_thread::sleep_for(std::chrono::microseconds(view.width_px * 37 % 2000));
  if (view.width_px == 13) return Status(StatusCode::kUnsupported, "thirteen");
  Reading reading;
  reading.width_px = view.width_px;
  reading.height_px = view.height_px;
  reading.lines.resize(static_cast<size_t>(1 + view.width_px % 17));
  for (Line& line : reading.lines) line.text = "width " + std::to_string(view.width_px) + " \xE5\x9B\xBE";
  return reading;
}

// The run, as `inkread read FOLDER --jsonl --out OUT --resume --no-times` makes it.
int RunFolder(const std::string& folder, const std::string& out, bool keep_order) {
  const Result<std::unique_ptr<Journal>> journal = Journal::Open(out);
  if (!journal.ok()) return 2;
  RunInfo info;
  info.times = false;
  const auto output = MakeJsonLinesWriter(info, &(*journal)->stream());
  ProgressBar bar(ProgressBar::Unit::kCount, false);
  std::ostringstream errors;
  ReadLoopOptions options;
  options.num_workers = 4;
  options.keep_order = keep_order;
  options.may_leave_gaps = false;
  options.written_to = {&(*journal)->stream()};
  RunReadLoop(InputQueue(ExpandInputs({folder}).files, (*journal)->finished()), ReadSlowly, options, output.get(), &bar,
              &errors);
  return (*journal)->Finish().ok() ? 0 : 3;
}

// Returns  true if the run came to its end, false if it was killed before
bool RunAndKill(const std::string& folder, const std::string& out, bool keep_order, std::chrono::microseconds after) {
  const pid_t child = fork();
  if (child == 0) _exit(RunFolder(folder, out, keep_order));
  const auto end = std::chrono::steady_clock::now() + after;
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  if (ended == 0) {
    kill(child, SIGKILL);
    ended = waitpid(child, &status, 0);
  }
  EXPECT_EQ(ended, child);
  EXPECT_TRUE(WIFEXITED(status) ? WEXITSTATUS(status) == 0 : WTERMSIG(status) == SIGKILL) << status;
  return WIFEXITED(status);
}

std::string Sorted(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  std::sort(lines.begin(), lines.end());
  std::string sorted;
  for (const std::string& line : lines) sorted += line;
  return sorted;
}

class ResumeTest : public testing::TestWithParam<bool> {};

TEST_P(ResumeTest, ARunKilledFiftyTimesGivesTheBytesOfAnUndisturbedOne) {
  constexpr int kKills = 50;
  const bool keep_order = GetParam();
  const TemporaryFolder folder;
  for (int i = 0; i < 60; ++i) folder.Put("in/" + std::to_string(i % 7) + "/" + std::to_string(i), Png(20 + i));
  for (const char* name : {"in/2/pages.tif", "in/5/pages.tif"}) folder.Put(name, Tiff(12));
  folder.Put("in/3/damaged.png", "This is no image.");
  folder.Put("in/4/fails.png", Png(13));
  folder.Put("in/6/caf\xE9.png", Png(9));
  const std::string whole = folder / "whole.jsonl";
  ASSERT_TRUE(RunAndKill(folder / "in", whole, true, std::chrono::seconds(20)));
  const std::string expected = ContentOf(whole);
  ASSERT_EQ(std::count(expected.begin(), expected.end(), '\n'), 60 + 2 * 12 + 3);

  std::mt19937 random(keep_order ? 1 : 2);
  const std::string out = folder / "out.jsonl";
  int num_kills = 0, num_ends = 0, num_kills_since = 0, most_us = 20'000;
  while (num_kills < kKills || num_ends == 0) {
    const std::chrono::microseconds after(random() % static_cast<unsigned>(most_us));
    if (!RunAndKill(folder / "in", out, keep_order, after)) {
      ++num_kills;
      // Under a sanitizer or beside other work a run may need longer than this to get anywhere.
      if (++num_kills_since % 20 == 0) most_us *= 2;
      // The system writes most lines whole. So that the file ends at every byte, a part of it is cut off now and then.
      std::error_code error;
      const auto size = fs::file_size(out, error);
      if (!error && num_kills % 2 == 0) fs::resize_file(out, size - random() % (std::min<uintmax_t>(size, 3000) + 1));
      continue;
    }
    ++num_ends;
    num_kills_since = 0;
    const std::string content = ContentOf(out);
    if (keep_order) {
      ASSERT_EQ(content, expected) << "after " << num_kills << " kills";
    } else {
      ASSERT_EQ(Sorted(content), Sorted(expected)) << "after " << num_kills << " kills";
    }
    fs::remove(out);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, ResumeTest, testing::Values(true, false),
                         [](const auto& test) { return test.param ? "Kept" : "NotKept"; });

}  // namespace
}  // namespace inkread::test
