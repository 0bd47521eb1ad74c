// An allocation that fails, wherever it is: the answer is kOutOfMemory, nothing is lost, and the next reading is right.
// Needs the tiny models (`inkread models fetch tiny`); skips, saying so, where they are missing.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <new>

#include "base/mapped_file.h"
#include "base/model_folder.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace {

std::atomic<int64_t> allocations = 0;
std::atomic<int64_t> failing = -1;  // of those counted

void* Allocate(size_t size) {
  if (allocations++ == failing) throw std::bad_alloc();
  void* const block = std::malloc(size > 0 ? size : 1);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void* operator new(size_t size) { return Allocate(size); }
void* operator new[](size_t size) { return Allocate(size); }
// Arenas and scratch of less than 2 MiB.
void* operator new(size_t size, std::align_val_t alignment) {
  if (allocations++ == failing) throw std::bad_alloc();
  void* const block = std::aligned_alloc(static_cast<size_t>(alignment), size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
// Overridden too, since those of sanitizers do not call the one above.
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  try {
    return operator new(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete[](void* block, size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { std::free(block); }

namespace inkread {
namespace {

// Calls body() with one allocation after another failing, some 100 of all that it makes.
template <typename Body>
void WithEachAllocationFailing(Body&& body) {
  const int64_t before = allocations;
  ASSERT_TRUE(body().ok());
  const int64_t count = allocations - before, step = std::max<int64_t>(1, count / 100);
  ASSERT_GT(count, 100);
  int num_failed = 0;
  for (int64_t i = 0; i < count; i += step) {
    failing = allocations + i;
    const Status status = body();
    failing = -1;
    if (status.ok()) continue;  // threads do not always allocate as many times
    EXPECT_EQ(status.code(), StatusCode::kOutOfMemory) << i << ": " << status.message();
    ++num_failed;
  }
  EXPECT_GT(num_failed, 50);
}

class OutOfMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    const Result<std::string> all = ModelFolder();
    const std::string folder = all.ok() ? ModelSizeFolder(*all, "tiny") : "";
    if (!std::filesystem::exists(folder + "/settings.txt")) GTEST_SKIP() << "no models at " << folder;
    const Result<MappedFile> file = MappedFile::Open(INKREAD_SOURCE_DIR "/samples/receipt.png");
    ASSERT_TRUE(file.ok()) << file.status().message();
    Result<DecodedImage> image = DecodeImage(file->bytes(), {});
    ASSERT_TRUE(image.ok()) << image.status().message();
    image_ = std::move(image).value();
    options_.size = ModelSize::kTiny;
    options_.num_threads = 3;
  }

  // A part of the sample with a few lines; each size is planned anew.
  ImageView Part(int width) const {
    ImageView view = image_.view();
    view.width_px = std::min(view.width_px, width);
    view.height_px = std::min(view.height_px, 200);
    return view;
  }

  DecodedImage image_;
  EngineOptions options_;
};

TEST_F(OutOfMemoryTest, AReadingThatFailsSaysSoAndTheNextIsRight) {
  const Result<std::unique_ptr<Engine>> engine = Engine::Create(options_);
  ASSERT_TRUE(engine.ok()) << engine.status().message();
  const Result<Reading> expected = (*engine)->Read(Part(400));
  ASSERT_TRUE(expected.ok());
  ASSERT_GT(expected->lines.size(), 1u);
  WithEachAllocationFailing([&] { return (*engine)->Read(Part(400)).status(); });
  const Result<Reading> again = (*engine)->Read(Part(400));
  ASSERT_TRUE(again.ok()) << again.status().message();
  ASSERT_EQ(again->lines.size(), expected->lines.size());
  for (size_t i = 0; i < again->lines.size(); ++i) EXPECT_EQ(again->lines[i].text, expected->lines[i].text);
}

TEST_F(OutOfMemoryTest, AnEngineThatCannotBeMadeSaysSo) {
  WithEachAllocationFailing([&] {
    const Result<std::unique_ptr<Engine>> engine = Engine::Create(options_);
    return engine.ok() ? (*engine)->Read(Part(300)).status() : engine.status();
  });
}

}  // namespace
}  // namespace inkread
