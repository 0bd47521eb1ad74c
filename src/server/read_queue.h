// The one queue before the engine, whatever the door through which a request came.
//
// What is queued is a page, so that a document of 500 pages lets others through between any two of its pages. Requests
// stand in the order in which they came; a document goes back to the end after each page. Since a connection has one
// request at a time, clients share the queue fairly.
#ifndef INKREAD_SERVER_READ_QUEUE_H_
#define INKREAD_SERVER_READ_QUEUE_H_

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "inkread/document.h"
#include "inkread/formats.h"
#include "inkread/ocr.h"

namespace inkread {

// What a request wants to have read. Nothing of it is shared with another request.
struct ReadInput {
  std::string name = "-";              // of the file, in answers only: it is never opened
  std::string bytes;                   // of an image file or a PDF
  std::optional<DecodedImage> pixels;  // in place of a file
  ReadOptions options;
  double dpi = 0;
  std::vector<int> pages;     // from 1, in the order of the document; empty: all
  bool only_decodes = false;  // the pages have their image and no lines
};

struct ReadOutput {
  std::vector<Page> pages;  // unless the job takes them; without image and jpeg
  double seconds = 0;       // since the request arrived
};

// Why there is no output. `limit` is "pixels", "pages", "queue" or "time" where that was it.
struct ReadFailure {
  Status status;
  std::string limit;
};
using ReadResult = std::variant<ReadOutput, ReadFailure>;

struct QueueLimits {
  int num_workers = 0;  // images read at once; 0: as many as the engine has threads
  int max_waiting = 256;
  int max_pages = 500;  // of a document
  int64_t max_pixels = 100'000'000;
  double time_limit_s = 60;  // for each page, from its place at the end of the queue until it is read
};

// Sums since the start, for /metrics.
struct QueueCounts {
  struct Stage {
    // Seconds up to which each bucket counts; the last one has no limit.
    static constexpr std::array<double, 11> kBounds = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
    std::array<uint64_t, 12> counts{};
    double sum_s = 0;
    void Add(double seconds);
  };
  Stage wait, load, detect, recognise, read, answer;  // answer: from the end of arrival to the answer
  uint64_t num_pages = 0, num_failed_pages = 0;
  int num_waiting = 0, num_reading = 0;
};

// Engine::Read, or a stand-in. Called by several threads at once.
using ReadFunction = std::function<Result<Reading>(const ImageView&, const ReadOptions&)>;

class ReadQueue {
 public:
  struct Job {
    // Called on a worker, so that a large body holds up nobody: makes the input of the request.
    std::function<Result<ReadInput>()> parse;
    // Called on a worker with each page when it is read, in order, with its image. Null: ReadOutput has them.
    std::function<void(const Page&)> take_page;
    // Called once, on a worker or by Submit itself. It must not call the queue.
    std::function<void(ReadResult)> done;
    // True once nobody waits for the answer. Must stay alive until `done`; null: somebody does.
    const std::atomic<bool>* cancel = nullptr;
  };

  ReadQueue(ReadFunction read, const QueueLimits& limits);
  // As Stop.
  ~ReadQueue();

  // `done` is told at once if the queue is full.
  void Submit(Job job);
  // The same for a caller that waits.
  ReadResult ReadNow(ReadInput input, std::function<void(const Page&)> take_page = nullptr);

  // Returns once everything in the queue is done. Nothing may be submitted any more.
  void Stop();

  bool IsFull() const;
  QueueCounts Counts() const;
  const QueueLimits& limits() const { return limits_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Task;

  void Work();
  bool Step(Task* task);
  void Open(Task* task);
  void ReadOne(Task* task);
  void Finish(Task* task);

  const ReadFunction read_;
  const QueueLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::unique_ptr<Task>> waiting_;
  int num_new_ = 0;  // of waiting_: without a page read yet
  QueueCounts counts_;
  bool is_stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace inkread

#endif  // INKREAD_SERVER_READ_QUEUE_H_
