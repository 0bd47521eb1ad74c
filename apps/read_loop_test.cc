#include "apps/read_loop.h"

#include <sstream>

#include "apps/test_files.h"

namespace inkread::test {
namespace {

// One line that tells the image's width. Images 13 px wide fail.
std::vector<Result<Reading>> ReadWidths(std::span<const ImageView> views) {
  std::vector<Result<Reading>> readings;
  for (const ImageView& view : views) {
    if (view.width_px == 13) {
      readings.emplace_back(Status(StatusCode::kOutOfMemory, "thirteen"));
      continue;
    }
    Reading reading;
    reading.width_px = view.width_px;
    reading.height_px = view.height_px;
    Line line;
    line.text = "width " + std::to_string(view.width_px);
    if (view.width_px == 17) reading.warnings = {"of the run", "of the image"};
    reading.lines = {line};
    readings.emplace_back(std::move(reading));
  }
  return readings;
}

class ReadLoopTest : public testing::Test {
 protected:
  ReadLoopResult Run(const std::vector<std::string>& arguments, const ReadLoopOptions& options) {
    Inputs inputs = ExpandInputs(arguments);
    const size_t num_inputs = inputs.files.size();
    ImageSource source(std::move(inputs.files), {});
    const auto output = MakeTextWriter(true, &out_);
    ProgressBar bar(ProgressBar::Unit::kCount, false);
    return RunReadLoop(&source, num_inputs, ReadWidths, options, output.get(), &bar, &errors_);
  }

  TemporaryFolder folder_;
  std::ostringstream out_;
  std::ostringstream errors_;
};

TEST_F(ReadLoopTest, OneBadFileDoesNotTouchTheOthersAndOrderIsKept) {
  const std::string a = folder_.Put("a.png", Png(5));
  const std::string words = folder_.Put("words.png", "This is no image.");
  const std::string bad = folder_.Put("bad.png", Png(13));
  const std::string z = folder_.Put("z.png", Png(7));
  for (int batch : {1, 2, 3, 100}) {
    out_.str("");
    errors_.str("");
    ReadLoopOptions options;
    options.batch_images = batch;
    const ReadLoopResult result = Run({z, words, bad, folder_ / "missing.png", a}, options);
    EXPECT_EQ(result.num_read, 2);
    EXPECT_EQ(result.num_failed, 3);
    EXPECT_FALSE(result.device_lost);
    EXPECT_EQ(out_.str(), "==> " + z + " <==\nwidth 7\n\n==> " + a + " <==\nwidth 5\n");
    EXPECT_NE(errors_.str().find("inkread: " + words + ": not in an image format that is read"), std::string::npos)
        << errors_.str();
    EXPECT_NE(errors_.str().find("inkread: " + bad + ": thirteen\n"), std::string::npos) << errors_.str();
    EXPECT_NE(errors_.str().find("missing.png: no such file or folder\n"), std::string::npos) << errors_.str();
  }
}

TEST_F(ReadLoopTest, EndsOnceNothingCanBeWritten) {
  const std::string a = folder_.Put("a.png", Png(5));
  ReadLoopOptions options;
  options.written_to = &out_;
  EXPECT_EQ(Run({a, a, a}, options).num_read, 3);
  out_.setstate(std::ios::badbit);
  EXPECT_EQ(Run({a, a, a}, options).num_read, 0);
}

TEST_F(ReadLoopTest, AWarningOfTheRunIsNotToldForEachImage) {
  const std::string a = folder_.Put("a.png", Png(17));
  ReadLoopOptions options;
  options.run_warning = "of the run";
  Run({a, a}, options);
  const std::string line = "inkread: " + a + ": warning: of the image\n";
  EXPECT_EQ(errors_.str(), line + line);
}

TEST_F(ReadLoopTest, LargeImagesEndABatch) {
  size_t largest = 0;
  Inputs inputs =
      ExpandInputs({folder_.Put("1.png", Png(8)), folder_.Put("2.png", Png(8)), folder_.Put("3.png", Png(8))});
  ImageSource source(std::move(inputs.files), {});
  const auto output = MakeTextWriter(true, &out_);
  ProgressBar bar(ProgressBar::Unit::kCount, false);
  ReadLoopOptions options;
  options.batch_images = 10;
  options.batch_pixels = 20;  // an image has 16
  const auto read = [&](std::span<const ImageView> views) {
    largest = std::max(largest, views.size());
    return ReadWidths(views);
  };
  EXPECT_EQ(RunReadLoop(&source, 3, read, options, output.get(), &bar, &errors_).num_read, 3);
  EXPECT_EQ(largest, 2u);
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

// A TIFF of two pages, 3 and 4 px wide, one row of black grey each.
std::string TwoPageTiff() {
  std::string tiff = {'I', 'I', 42, 0, 8, 0, 0, 0};
  const auto put16 = [&](int v) { tiff += {static_cast<char>(v & 255), static_cast<char>(v >> 8)}; };
  for (int page = 0; page < 2; ++page) {
    const int start = static_cast<int>(tiff.size());
    const std::pair<int, int> tags[] = {{256, 3 + page}, {257, 1}, {258, 8}, {259, 1},
                                        {262, 1},        {273, 0}, {278, 1}, {279, 3 + page}};
    const int end = start + 2 + 12 * static_cast<int>(std::size(tags)) + 4;
    put16(static_cast<int>(std::size(tags)));
    for (const auto& [tag, value] : tags) {
      put16(tag);
      put16(3);
      put16(1);
      put16(0);
      put16(tag == 273 ? end : value);
      put16(0);
    }
    put16(page == 0 ? end + 4 : 0);
    put16(0);
    tiff.append(4, '\0');
  }
  return tiff;
}

TEST_F(ReadLoopTest, EveryPageOfATiffIsAnEntry) {
  const std::string pages = folder_.Put("pages.tif", TwoPageTiff());
  const std::string a = folder_.Put("a.png", Png(5));
  EXPECT_EQ(Run({pages, a}, {}).num_read, 3);
  EXPECT_EQ(out_.str(), "==> " + pages + " (page 1 of 2) <==\nwidth 3\n\n==> " + pages +
                            " (page 2 of 2) <==\nwidth 4\n\n==> " + a + " <==\nwidth 5\n");
}

}  // namespace
}  // namespace inkread::test
