// A long run over images of many sizes: memory stays where the first passes over the sizes left it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/mapped_file.h"
#include "base/model_folder.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

double ResidentMegabytes() {
  std::ifstream statm("/proc/self/statm");
  long total = 0, resident = 0;
  statm >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

TEST(MemoryTest, StaysFlatOverAThousandImagesOfTwoHundredSizes) {
  const Result<std::string> all = ModelFolder();
  const std::string folder = all.ok() ? ModelSizeFolder(*all, "tiny") : "";
  if (!std::filesystem::exists(folder + "/settings.txt")) GTEST_SKIP() << "no models at " << folder;
  const Result<MappedFile> file = MappedFile::Open(INKREAD_SOURCE_DIR "/samples/receipt.png");
  ASSERT_TRUE(file.ok());
  const Result<DecodedImage> image = DecodeImage(file->bytes(), {});
  ASSERT_TRUE(image.ok());
  EngineOptions options;
  options.size = ModelSize::kTiny;
  options.num_threads = 2;
  const Result<std::unique_ptr<Engine>> engine = Engine::Create(options);
  ASSERT_TRUE(engine.ok()) << engine.status().message();

  constexpr int kSizes = 200, kReads = 1000;
  constexpr int kPasses = 2;  // on a busy machine a thread may not have had its turn in the first
  double after_first_passes = 0;
  for (int i = 0; i < kReads; ++i) {
    // 200 windows of the sample, each of another size.
    ImageView view = image->view();
    const int size = i % kSizes;
    view.width_px = std::min(view.width_px, 160 + 2 * size);
    view.height_px = std::min(view.height_px, 120 + (size * 37) % kSizes);
    ASSERT_TRUE((*engine)->Read(view).ok());
    if (i + 1 == kPasses * kSizes) after_first_passes = ResidentMegabytes();
  }
  std::printf("resident: %.1f MB after %d reads, %.1f MB after %d\n", after_first_passes, kPasses * kSizes,
              ResidentMegabytes(), kReads);
  EXPECT_LT(ResidentMegabytes(), 1.05 * after_first_passes);
}

}  // namespace
}  // namespace inkread
