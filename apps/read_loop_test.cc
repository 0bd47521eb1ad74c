#include "apps/read_loop.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "apps/test_files.h"

namespace inkread::test {
namespace {

// One line that tells the image's width. Images 13 px wide fail.
Result<Reading> ReadWidth(const ImageView& view) {
  if (view.width_px == 13) return Status(StatusCode::kOutOfMemory, "thirteen");
  if (view.width_px == 14) return Status(StatusCode::kDeviceLost, "fourteen");
  Reading reading;
  reading.width_px = view.width_px;
  reading.height_px = view.height_px;
  Line line;
  line.text = "width " + std::to_string(view.width_px);
  if (view.width_px == 17) reading.warnings = {"of the run", "of the image"};
  reading.lines = {line};
  return reading;
}

// What a thread waits for, or the test has failed.
class Event {
 public:
  void Set() {
    const std::lock_guard lock(mutex_);
    is_set_ = true;
    changed_.notify_all();
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(20), [&] { return is_set_; }));
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
};

class ReadLoopTest : public testing::Test {
 protected:
  ReadLoopResult Run(const std::vector<std::string>& arguments, const ReadLoopOptions& options,
                     const ReadImage& read = ReadWidth) {
    const auto output = MakeTextWriter(true, &out_);
    ProgressBar bar(ProgressBar::Unit::kCount, false);
    return RunReadLoop(InputQueue(ExpandInputs(arguments).files), read, options, output.get(), &bar, &errors_);
  }

  // Images whose widths are 20, 21 and so on, by a name that sorts so.
  std::vector<std::string> PutImages(int count) {
    std::vector<std::string> paths;
    for (int i = 0; i < count; ++i) {
      paths.push_back(folder_.Put("images/" + std::to_string(100 + i) + ".png", Png(20 + i)));
    }
    return paths;
  }

  // The widths in the output.
  std::vector<int> Widths() const {
    std::vector<int> widths;
    std::istringstream lines(out_.str());
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("width ", 0) == 0) widths.push_back(std::stoi(line.substr(6)));
    }
    return widths;
  }

  TemporaryFolder folder_;
  std::ostringstream out_;
  std::ostringstream errors_;
};

std::vector<int> Range(int first, int count) {
  std::vector<int> range(static_cast<size_t>(count));
  std::iota(range.begin(), range.end(), first);
  return range;
}

TEST_F(ReadLoopTest, OneBadFileDoesNotTouchTheOthersAndOrderIsKept) {
  const std::string a = folder_.Put("a.png", Png(5));
  const std::string words = folder_.Put("words.png", "This is no image.");
  const std::string bad = folder_.Put("bad.png", Png(13));
  const std::string z = folder_.Put("z.png", Png(7));
  for (int workers : {1, 2, 3, 20}) {
    out_.str("");
    errors_.str("");
    ReadLoopOptions options;
    options.num_workers = workers;
    const ReadLoopResult result = Run({z, words, bad, folder_ / "missing.png", a}, options);
    EXPECT_EQ(result.num_read, 2);
    EXPECT_EQ(result.num_failed, 3);
    EXPECT_EQ(result.num_done, 5u);
    EXPECT_EQ(result.num_inputs, 5u);
    EXPECT_EQ(result.failures,
              (std::map<std::string, int64_t>{{"CORRUPT_IMAGE", 1}, {"NOT_FOUND", 1}, {"OUT_OF_MEMORY", 1}}));
    EXPECT_FALSE(result.device_lost);
    EXPECT_FALSE(result.stopped);
    EXPECT_EQ(out_.str(), "==> " + z + " <==\nwidth 7\n\n==> " + a + " <==\nwidth 5\n");
    EXPECT_NE(errors_.str().find("inkread: " + words + ": not in an image format that is read"), std::string::npos)
        << errors_.str();
    EXPECT_NE(errors_.str().find("inkread: " + bad + ": thirteen\n"), std::string::npos) << errors_.str();
    EXPECT_NE(errors_.str().find("missing.png: no such file or folder\n"), std::string::npos) << errors_.str();
  }
}

TEST_F(ReadLoopTest, ASlowImageHoldsUpNoOtherOne) {
  constexpr int kImages = 40;
  PutImages(kImages);
  for (const bool keep_order : {true, false}) {
    out_.str("");
    Event others_read;
    std::atomic<int> num_read = 0;
    ReadLoopOptions options;
    options.num_workers = 2;
    options.keep_order = keep_order;
    const ReadLoopResult result = Run({folder_ / "images"}, options, [&](const ImageView& view) {
      if (view.width_px == 20) others_read.Wait();
      if (++num_read == kImages - 1) others_read.Set();
      return ReadWidth(view);
    });
    EXPECT_EQ(result.num_read, kImages);
    std::vector<int> widths = Widths();
    if (!keep_order) std::sort(widths.begin(), widths.end());
    EXPECT_EQ(widths, Range(20, kImages));
  }
}

TEST_F(ReadLoopTest, ResultsThatWaitAreBounded) {
  PutImages(100);
  std::atomic<int> num_read = 0;
  int num_read_while_slow = 0;
  ReadLoopOptions options;
  options.num_workers = 4;
  options.max_result_bytes = 1;
  Run({folder_ / "images"}, options, [&](const ImageView& view) {
    if (view.width_px == 20) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      num_read_while_slow = num_read;
    }
    ++num_read;
    return ReadWidth(view);
  });
  EXPECT_EQ(Widths(), Range(20, 100));
  EXPECT_LE(num_read_while_slow, 6);  // what the threads had begun
}

TEST_F(ReadLoopTest, PixelsThatAreKeptAreBounded) {
  PutImages(30);
  std::atomic<int> num_now = 0, most = 0;
  ReadLoopOptions options;
  options.num_workers = 4;
  options.max_pixel_bytes = 1;
  Run({folder_ / "images"}, options, [&](const ImageView& view) {
    const int now = ++num_now;
    if (now > most) most = now;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --num_now;
    return ReadWidth(view);
  });
  EXPECT_EQ(Widths(), Range(20, 30));
  EXPECT_EQ(most, 1);
}

TEST_F(ReadLoopTest, NoMoreImagesAreReadAtOnceThanThereAreWorkers) {
  PutImages(60);
  std::atomic<int> num_now = 0;
  ReadLoopOptions options;
  options.num_workers = 3;
  Run({folder_ / "images"}, options, [&](const ImageView& view) {
    EXPECT_LE(++num_now, 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --num_now;
    return ReadWidth(view);
  });
  EXPECT_EQ(Widths(), Range(20, 60));
}

TEST_F(ReadLoopTest, WhatWasReadWhenItIsStoppedIsWrittenWithoutGaps) {
  constexpr int kImages = 200;
  PutImages(kImages);
  for (const bool may_leave_gaps : {false, true}) {
    out_.str("");
    std::atomic<int> num_read = 0;
    ReadLoopOptions options;
    options.num_workers = 3;
    options.may_leave_gaps = may_leave_gaps;
    options.stop = [&] { return num_read >= 20; };
    const ReadLoopResult result = Run({folder_ / "images"}, options, [&](const ImageView& view) {
      std::this_thread::sleep_for(std::chrono::milliseconds(view.width_px % 7));
      ++num_read;
      return ReadWidth(view);
    });
    EXPECT_TRUE(result.stopped);
    EXPECT_LT(result.num_read, kImages);
    EXPECT_EQ(result.num_read, num_read) << "something that was read was not written";
    EXPECT_EQ(result.num_done, static_cast<size_t>(num_read));
    EXPECT_EQ(result.num_inputs, static_cast<size_t>(kImages));
    EXPECT_EQ(Widths(), Range(20, num_read));
  }
}

TEST_F(ReadLoopTest, APipeWithoutAWriterDoesNotKeepAStoppedRun) {
  const std::vector<std::string> images = PutImages(6);
  const std::string fifo = folder_ / "fifo.png";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::vector<std::string> arguments(images.begin(), images.begin() + 3);
  arguments.push_back(fifo);
  arguments.insert(arguments.end(), images.begin() + 3, images.end());
  for (const bool may_leave_gaps : {true, false}) {
    out_.str("");
    std::atomic<int> num_read = 0;
    ReadLoopOptions options;
    options.num_workers = 2;
    options.may_leave_gaps = may_leave_gaps;
    options.stop = [&] { return num_read == 6; };
    const ReadLoopResult result = Run(arguments, options, [&](const ImageView& view) {
      ++num_read;
      return ReadWidth(view);
    });
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(Widths(), Range(20, may_leave_gaps ? 6 : 3));
  }
}

TEST_F(ReadLoopTest, InputsThatComeLaterAreReadUntilItIsStopped) {
  const std::vector<std::string> images = PutImages(5);
  size_t num_given = 0;
  std::atomic<int> num_read = 0;
  ReadLoopOptions options;
  options.more = [&] {
    InputList more;
    if (num_given < images.size()) more.Add({images[num_given++], false, Status()});
    return more;
  };
  options.stop = [&] { return num_read == 5; };
  const ReadLoopResult result = Run({}, options, [&](const ImageView& view) {
    ++num_read;
    return ReadWidth(view);
  });
  EXPECT_FALSE(result.stopped) << "nothing was left to read";
  EXPECT_EQ(Widths(), Range(20, 5));
}

TEST_F(ReadLoopTest, ALostDeviceIsEachImagesErrorOrTheEnd) {
  const std::string lost = folder_.Put("lost.png", Png(14));
  const std::string good = folder_.Put("good.png", Png(20));
  ReadLoopOptions options;
  const ReadLoopResult goes_on = Run({good, lost, lost, good}, options);
  EXPECT_TRUE(goes_on.device_lost);
  EXPECT_EQ(goes_on.num_failed, 2);
  EXPECT_EQ(goes_on.num_read, 2);
  errors_.str("");
  options.ends_with_device = true;
  options.may_leave_gaps = false;
  const ReadLoopResult ends = Run({good, lost, lost, good}, options);
  EXPECT_TRUE(ends.device_lost);
  EXPECT_EQ(ends.num_failed, 0);
  EXPECT_EQ(ends.num_read, 1);
  EXPECT_EQ(errors_.str(), "inkread: " + lost + ": fourteen\n");
}

TEST_F(ReadLoopTest, EndsOnceNothingCanBeWritten) {
  const std::string a = folder_.Put("a.png", Png(5));
  ReadLoopOptions options;
  options.written_to = {&out_};
  EXPECT_EQ(Run({a, a, a}, options).num_read, 3);
  out_.setstate(std::ios::badbit);
  EXPECT_EQ(Run({a, a, a}, options).num_read, 0);
}

TEST_F(ReadLoopTest, EndsWhereWritingFailsAmidTheRun) {
  PutImages(200);
  std::atomic<int> num_read = 0;
  ReadLoopOptions options;
  options.num_workers = 3;
  options.written_to = {&out_};
  options.stop = [&] {  // on the thread that writes
    if (num_read >= 10) out_.setstate(std::ios::badbit);
    return false;
  };
  const ReadLoopResult result = Run({folder_ / "images"}, options, [&](const ImageView& view) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++num_read;
    return ReadWidth(view);
  });
  EXPECT_TRUE(result.stopped);
  EXPECT_LT(result.num_read, 200);
}

TEST_F(ReadLoopTest, AnExceptionIsTheImagesErrorOrEndsTheRun) {
  PutImages(50);
  ReadLoopOptions options;
  options.num_workers = 3;
  const auto read = [](const ImageView& view) -> Result<Reading> {
    if (view.width_px == 30) throw std::bad_alloc();
    if (view.width_px == 40) throw std::runtime_error("forty");
    return ReadWidth(view);
  };
  EXPECT_EQ(Run({folder_ / "images"}, options, read).failures,
            (std::map<std::string, int64_t>{{"INTERNAL", 1}, {"OUT_OF_MEMORY", 1}}));
  EXPECT_NE(errors_.str().find("120.png: forty"), std::string::npos) << errors_.str();
  options.stop = []() -> bool { throw std::bad_alloc(); };
  EXPECT_THROW(Run({folder_ / "images"}, options, read), std::bad_alloc);
}

TEST_F(ReadLoopTest, AWarningOfTheRunIsNotToldForEachImage) {
  const std::string a = folder_.Put("a.png", Png(17));
  ReadLoopOptions options;
  options.run_warning = "of the run";
  Run({a, a}, options);
  const std::string line = "inkread: " + a + ": warning: of the image\n";
  EXPECT_EQ(errors_.str(), line + line);
}

TEST_F(ReadLoopTest, WritesOverlaysAndCountsThoseThatCannotBeWritten) {
  const std::string a = folder_.Put("a.png", Png(5));
  ReadLoopOptions options;
  options.overlay_path = folder_ / "boxes";
  options.overlay_is_folder = true;
  EXPECT_EQ(Run({a}, options).num_failed, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "boxes/a.overlay.png"));
  options.overlay_path = a;  // a file where a folder is needed
  EXPECT_EQ(Run({a}, options).num_failed, 1);
}

TEST_F(ReadLoopTest, EveryPageOfATiffIsAnEntry) {
  const std::string pages = folder_.Put("pages.tif", Tiff(2));
  const std::string a = folder_.Put("a.png", Png(5));
  for (const int workers : {1, 4}) {
    out_.str("");
    ReadLoopOptions options;
    options.num_workers = workers;
    const ReadLoopResult result = Run({pages, a}, options);
    EXPECT_EQ(result.num_read, 3);
    EXPECT_EQ(result.num_done, 2u);
    EXPECT_EQ(out_.str(), "==> " + pages + " (page 1 of 2) <==\nwidth 3\n\n==> " + pages +
                              " (page 2 of 2) <==\nwidth 4\n\n==> " + a + " <==\nwidth 5\n");
  }
}

TEST_F(ReadLoopTest, WhatAnEarlierRunFinishedIsPassedOver) {
  const std::string pages = folder_.Put("pages.tif", Tiff(2));
  const std::string a = folder_.Put("a.png", Png(5));
  const std::string b = folder_.Put("b.png", Png(6));
  FinishedPages finished;
  finished.Add(pages, 1, 2);
  finished.Add(a, 1, 1);
  finished.Sort();
  const auto output = MakeTextWriter(true, &out_);
  ProgressBar bar(ProgressBar::Unit::kCount, false);
  const ReadLoopResult result = RunReadLoop(InputQueue(ExpandInputs({pages, a, a, b}).files, &finished), ReadWidth, {},
                                            output.get(), &bar, &errors_);
  EXPECT_EQ(Widths(), (std::vector<int>{4, 5, 6}));  // the second page, and the file that was named twice once more
  EXPECT_EQ(result.num_done, 4u);
  EXPECT_EQ(result.num_passed, 1u);
}

}  // namespace
}  // namespace inkread::test
