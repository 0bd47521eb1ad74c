#include "server/read_queue.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <mutex>

#include "base/status.h"

namespace inkread {
namespace {

// Pixels whose width tells who asked.
ReadInput PixelsOf(int width) {
  ReadInput input;
  input.pixels.emplace();
  input.pixels->width_px = width;
  input.pixels->height_px = 1;
  input.pixels->stride_bytes = width * 3;
  input.pixels->pixels.resize(static_cast<size_t>(width) * 3);
  return input;
}

std::string LittleEndian(uint32_t value, int num_bytes) {
  std::string bytes;
  for (int i = 0; i < num_bytes; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

// A TIFF of `num_pages` pages, each one pixel high and `width` wide.
ReadInput Document(int num_pages, int width) {
  std::string tiff = "II*" + std::string(1, '\0') + LittleEndian(8, 4);
  for (int page = 0; page < num_pages; ++page) {
    const uint32_t start = static_cast<uint32_t>(tiff.size());
    const uint32_t size = 2 + 9 * 12 + 4;
    const std::pair<int, uint32_t> tags[] = {{256, width}, {257, 1}, {258, 8}, {259, 1},    {262, 1},
                                             {273, 0},     {277, 1}, {278, 1}, {279, width}};
    tiff += LittleEndian(9, 2);
    for (const auto& [tag, value] : tags)
      tiff += LittleEndian(static_cast<uint32_t>(tag), 2) + LittleEndian(4, 2) + LittleEndian(1, 4) +
              LittleEndian(value, 4);
    tiff += LittleEndian(page + 1 < num_pages ? start + size : 0, 4);
  }
  ReadInput input;
  input.bytes = tiff + std::string(static_cast<size_t>(width), 'x');
  return input;
}

// Holds every read until it is opened, and notes their order.
class Gate {
 public:
  ReadFunction read() {
    return [this](const ImageView& image, const ReadOptions& options) -> Result<Reading> {
      std::unique_lock<std::mutex> lock(mutex_);
      order_.push_back(image.width_px);
      changed_.notify_all();
      changed_.wait(lock, [&] { return is_open_; });
      if (options.cancel != nullptr && *options.cancel) return Status(StatusCode::kCancelled, "");
      Reading reading;
      reading.width_px = image.width_px;
      return reading;
    };
  }
  void Open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void WaitForReads(size_t count) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return order_.size() >= count; });
  }
  std::vector<int> order() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return order_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
  std::vector<int> order_;
};

// Answers by the number of their request.
class Answers {
 public:
  ReadQueue::Job Job(int number, ReadInput input, const std::atomic<bool>* cancel = nullptr) {
    auto kept = std::make_shared<ReadInput>(std::move(input));
    return {[kept]() -> Result<ReadInput> { return std::move(*kept); }, nullptr,
            [this, number](ReadResult result) {
              const std::lock_guard<std::mutex> lock(mutex_);
              results_.emplace(number, std::move(result));
            },
            cancel};
  }
  const ReadOutput* output(int number) { return std::get_if<ReadOutput>(&results_.at(number)); }
  const ReadFailure* failure(int number) { return std::get_if<ReadFailure>(&results_.at(number)); }
  size_t size() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return results_.size();
  }

 private:
  std::mutex mutex_;
  std::map<int, ReadResult> results_;
};

QueueLimits OneWorker() {
  QueueLimits limits;
  limits.num_workers = 1;
  return limits;
}

TEST(ReadQueueTest, AnswersEachRequestWithItsOwnPages) {
  Gate gate;
  gate.Open();
  QueueLimits limits;
  limits.num_workers = 4;
  ReadQueue queue(gate.read(), limits);
  Answers answers;
  for (int i = 1; i <= 50; ++i) queue.Submit(answers.Job(i, PixelsOf(i)));
  queue.Stop();
  for (int i = 1; i <= 50; ++i) {
    ASSERT_NE(answers.output(i), nullptr);
    ASSERT_EQ(answers.output(i)->pages.size(), 1u);
    EXPECT_EQ(answers.output(i)->pages[0].reading.width_px, i);
  }
}

TEST(ReadQueueTest, ADocumentLetsOthersThroughBetweenItsPages) {
  Gate gate;
  ReadQueue queue(gate.read(), OneWorker());
  Answers answers;
  queue.Submit(answers.Job(1, Document(3, 9)));
  gate.WaitForReads(1);
  queue.Submit(answers.Job(2, PixelsOf(2)));
  queue.Submit(answers.Job(3, PixelsOf(3)));
  gate.Open();
  queue.Stop();
  EXPECT_EQ(gate.order(), (std::vector<int>{9, 2, 3, 9, 9}));
  EXPECT_EQ(answers.output(1)->pages.size(), 3u);
  EXPECT_EQ(answers.output(1)->pages[2].page, 3);
}

TEST(ReadQueueTest, RefusesAtOnceWhatItHasNoRoomFor) {
  Gate gate;
  QueueLimits limits = OneWorker();
  limits.max_waiting = 2;
  ReadQueue queue(gate.read(), limits);
  Answers answers;
  queue.Submit(answers.Job(1, PixelsOf(1)));
  gate.WaitForReads(1);
  queue.Submit(answers.Job(2, PixelsOf(2)));
  EXPECT_FALSE(queue.IsFull());
  queue.Submit(answers.Job(3, PixelsOf(3)));
  EXPECT_TRUE(queue.IsFull());
  queue.Submit(answers.Job(4, PixelsOf(4)));
  EXPECT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers.failure(4)->limit, "queue");
  gate.Open();
  queue.Stop();
  EXPECT_EQ(answers.size(), 4u);
  EXPECT_NE(answers.output(3), nullptr);
}

TEST(ReadQueueTest, DoesNotReadForThoseWhoHaveGone) {
  Gate gate;
  ReadQueue queue(gate.read(), OneWorker());
  Answers answers;
  std::atomic<bool> first_gone = false, second_gone = false;
  queue.Submit(answers.Job(1, PixelsOf(1), &first_gone));
  gate.WaitForReads(1);
  queue.Submit(answers.Job(2, PixelsOf(2), &second_gone));
  first_gone = second_gone = true;
  gate.Open();
  queue.Stop();
  EXPECT_EQ(gate.order(), std::vector<int>{1});
  EXPECT_EQ(answers.failure(1)->status.code(), StatusCode::kCancelled);
  EXPECT_EQ(answers.failure(2)->status.code(), StatusCode::kCancelled);
}

TEST(ReadQueueTest, GivesUpWhatWaitsTooLong) {
  Gate gate;
  QueueLimits limits = OneWorker();
  limits.time_limit_s = 0.05;
  ReadQueue queue(gate.read(), limits);
  Answers answers;
  queue.Submit(answers.Job(1, PixelsOf(1)));
  gate.WaitForReads(1);
  queue.Submit(answers.Job(2, PixelsOf(2)));
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
  gate.Open();
  queue.Stop();
  EXPECT_EQ(answers.failure(2)->limit, "time");
}

TEST(ReadQueueTest, NamesTheLimitOfPagesAndPixels) {
  Gate gate;
  gate.Open();
  QueueLimits limits = OneWorker();
  limits.max_pages = 2;
  limits.max_pixels = 5;
  ReadQueue queue(gate.read(), limits);
  Answers answers;
  queue.Submit(answers.Job(1, Document(3, 1)));
  queue.Submit(answers.Job(2, Document(1, 6)));
  queue.Submit(answers.Job(3, PixelsOf(6)));
  queue.Submit(answers.Job(4, Document(2, 5)));
  queue.Stop();
  EXPECT_EQ(answers.failure(1)->limit, "pages");
  EXPECT_EQ(answers.failure(2)->limit, "pixels");
  EXPECT_EQ(answers.failure(3)->limit, "pixels");
  EXPECT_NE(answers.output(4), nullptr);
}

TEST(ReadQueueTest, AFailedPageIsPartOfADocumentButFailsAnImage) {
  ReadQueue queue(
      [](const ImageView&, const ReadOptions&) -> Result<Reading> { return Status(StatusCode::kOutOfMemory, "none"); },
      OneWorker());
  const ReadResult document = queue.ReadNow(Document(2, 1));
  ASSERT_NE(std::get_if<ReadOutput>(&document), nullptr);
  EXPECT_EQ(std::get<ReadOutput>(document).pages[1].error.code(), StatusCode::kOutOfMemory);
  const ReadResult image = queue.ReadNow(PixelsOf(1));
  EXPECT_EQ(std::get<ReadFailure>(image).status.code(), StatusCode::kOutOfMemory);
  EXPECT_EQ(queue.Counts().num_failed_pages, 3u);
}

TEST(ReadQueueTest, AnExceptionIsAnErrorOfItsRequest) {
  ReadQueue queue([](const ImageView&, const ReadOptions&) -> Result<Reading> { throw std::bad_alloc(); }, OneWorker());
  for (int i = 0; i < 2; ++i) {
    const ReadResult result = queue.ReadNow(PixelsOf(1));
    EXPECT_EQ(std::get<ReadFailure>(result).status.code(), StatusCode::kOutOfMemory);
  }
}

}  // namespace
}  // namespace inkread
