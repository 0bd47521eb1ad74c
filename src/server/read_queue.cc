#include "server/read_queue.h"

#include <algorithm>
#include <exception>
#include <future>
#include <new>
#include <utility>

#include "base/status.h"

namespace inkread {
namespace {

std::span<const uint8_t> Bytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

void QueueCounts::Stage::Add(double seconds) {
  const size_t bucket =
      static_cast<size_t>(std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin());
  ++counts[bucket];
  sum_s += seconds;
}

struct ReadQueue::Task {
  Job job;
  Clock::time_point arrived = Clock::now();
  Clock::time_point queued = arrived;  // the last time
  bool is_parsed = false;
  ReadInput input;
  ReadOutput output;
  std::unique_ptr<Document> document;  // points into input.bytes
  std::vector<int> pages;              // to be read, from 0
  size_t next = 0;
  ReadFailure failure;

  static double Since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }
  bool IsCancelled() const { return job.cancel != nullptr && *job.cancel; }
  void Fail(Status status, std::string limit = "") { failure = {std::move(status), std::move(limit)}; }
};

ReadQueue::ReadQueue(ReadFunction read, const QueueLimits& limits) : read_(std::move(read)), limits_(limits) {
  for (int i = 0; i < std::max(1, limits_.num_workers); ++i) workers_.emplace_back([this] { Work(); });
}

ReadQueue::~ReadQueue() { Stop(); }

void ReadQueue::Stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) {
    if (worker.joinable()) worker.join();
  }
}

void ReadQueue::Submit(Job job) {
  auto task = std::make_unique<Task>();
  task->job = std::move(job);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (num_new_ < limits_.max_waiting) {
      waiting_.push_back(std::move(task));
      ++num_new_;
    }
  }
  if (task == nullptr) return wake_.notify_one();
  task->job.done(ReadFailure{
      Status(StatusCode::kUnsupported, StrCat("more than ", limits_.max_waiting, " requests are waiting")), "queue"});
}

ReadResult ReadQueue::ReadNow(ReadInput input, std::function<void(const Page&)> take_page) {
  std::promise<ReadResult> result;
  auto kept = std::make_shared<ReadInput>(std::move(input));
  Submit({[kept]() -> Result<ReadInput> { return std::move(*kept); }, std::move(take_page),
          [&result](ReadResult read) { result.set_value(std::move(read)); }, nullptr});
  return result.get_future().get();
}

bool ReadQueue::IsFull() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return num_new_ >= limits_.max_waiting;
}

QueueCounts ReadQueue::Counts() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  QueueCounts counts = counts_;
  counts.num_waiting = static_cast<int>(waiting_.size());
  return counts;
}

void ReadQueue::Work() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return is_stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::unique_ptr<Task> task = std::move(waiting_.front());
    waiting_.pop_front();
    ++counts_.num_reading;
    if (!task->is_parsed) {
      --num_new_;
      counts_.wait.Add(Task::Since(task->arrived));
    }
    lock.unlock();
    const bool has_more = Step(task.get());
    if (!has_more) Finish(task.get());
    lock.lock();
    --counts_.num_reading;
    if (has_more) {
      task->queued = Clock::now();
      waiting_.push_back(std::move(task));
    }
    task.reset();
  }
}

// Returns whether there is more to be done.
bool ReadQueue::Step(Task* task) {
  try {
    if (task->IsCancelled()) {
      task->Fail(Status(StatusCode::kCancelled, "the client has gone"));
    } else if (Task::Since(task->queued) > limits_.time_limit_s) {
      task->Fail(Status(StatusCode::kDeadlineExceeded, StrCat("waited in the queue for ", limits_.time_limit_s, " s")),
                 "time");
    } else {
      if (!task->is_parsed) Open(task);
      if (task->failure.status.ok()) ReadOne(task);
    }
  } catch (const std::bad_alloc&) {
    task->Fail(Status(StatusCode::kOutOfMemory, "out of memory"));
  } catch (const std::exception& error) {
    task->Fail(Status(StatusCode::kInternal, error.what()));
  }
  return task->failure.status.ok() && task->next < task->pages.size();
}

void ReadQueue::Open(Task* task) {
  task->is_parsed = true;
  Result<ReadInput> parsed = task->job.parse();
  task->job.parse = nullptr;  // and the request that it holds
  if (!parsed.ok()) return task->Fail(parsed.status());
  task->input = std::move(*parsed);
  const ReadInput& input = task->input;
  int num_pages = 1;
  if (input.pixels) {
    const int64_t num_pixels = int64_t{input.pixels->width_px} * input.pixels->height_px;
    if (num_pixels > limits_.max_pixels)
      return task->Fail(
          InvalidArgument("the image has ", num_pixels, " pixels, at most ", limits_.max_pixels, " are read"),
          "pixels");
  } else {
    const std::span<const uint8_t> bytes = Bytes(input.bytes);
    if (bytes.empty()) return task->Fail(InvalidArgument("the request has no image"));
    if (!LooksLikeImage(bytes) && !LooksLikePdf(bytes))
      return task->Fail(
          Unsupported("neither an image nor a PDF: expected JPEG, PNG, WebP, TIFF, BMP, GIF, JPEG 2000 or PDF"));
    Result<std::unique_ptr<Document>> document = Document::Open(bytes);
    if (!document.ok()) return task->Fail(document.status());
    task->document = std::move(*document);
    num_pages = task->document->num_pages();
  }
  for (const int page : input.pages) {
    if (page < 1 || page > num_pages)
      return task->Fail(InvalidArgument("page ", page, " was requested, the file has ", num_pages));
    task->pages.push_back(page - 1);
  }
  if (input.pages.empty()) {
    for (int page = 0; page < std::min(num_pages, limits_.max_pages + 1); ++page) task->pages.push_back(page);
  }
  if (static_cast<int>(task->pages.size()) > limits_.max_pages)
    return task->Fail(
        InvalidArgument("the file has ", num_pages, " pages, at most ", limits_.max_pages, " are read at once"),
        "pages");
}

// Reads the next page. An error of a page is part of the output, except of the only one and one of a limit.
void ReadQueue::ReadOne(Task* task) {
  ReadInput& input = task->input;
  const int number = task->pages[task->next++];
  Page page;
  page.file = input.name;
  page.page = number + 1;
  page.pages = task->document ? task->document->num_pages() : 1;
  ReadOptions options = input.options;
  options.max_pixels = std::min(options.max_pixels, limits_.max_pixels);
  options.cancel = task->job.cancel;
  const double left_ms = std::max(1.0, (limits_.time_limit_s - Task::Since(task->queued)) * 1000);
  const bool has_own_limit = options.time_limit_ms > 0 && options.time_limit_ms < left_ms;
  if (!has_own_limit) options.time_limit_ms = left_ms;

  const Clock::time_point start = Clock::now();
  Result<DecodedImage> decoded = DecodedImage();
  if (task->document) {
    DocumentOptions load;
    load.decode.max_pixels = options.max_pixels;
    load.decode.alpha = options.official ? AlphaMode::kDrop : AlphaMode::kContrast;
    load.dpi = input.dpi;
    decoded = task->document->Decode(number, load);
  } else {
    decoded = std::move(*input.pixels);
    input.pixels.reset();
  }
  page.load_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (!decoded.ok()) {
    page.error = decoded.status();
    // The page and the kind of alpha are right, so it is the number of pixels.
    if (decoded.status().code() == StatusCode::kInvalidArgument) return task->Fail(page.error, "pixels");
  } else if (!input.only_decodes) {
    Result<Reading> reading = read_(decoded->view(), options);
    if (reading.ok()) {
      page.reading = std::move(*reading);
      page.warnings = decoded->warnings;
      page.warnings.insert(page.warnings.end(), page.reading.warnings.begin(), page.reading.warnings.end());
    } else {
      page.error = reading.status();
      if (page.error.code() == StatusCode::kDeadlineExceeded) return task->Fail(page.error, "time");
      if (page.error.code() == StatusCode::kCancelled) return task->Fail(page.error);
    }
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!input.only_decodes || !page.error.ok()) ++(page.error.ok() ? counts_.num_pages : counts_.num_failed_pages);
    counts_.load.Add(page.load_ms * 1e-3);
    if (page.error.ok() && !input.only_decodes) {
      const StageTimes& ms = page.reading.ms;
      counts_.detect.Add((ms.detect_input + ms.detect + ms.boxes) * 1e-3);
      counts_.recognise.Add((ms.crop + ms.recognise + ms.decode) * 1e-3);
      counts_.read.Add(ms.total * 1e-3);
    }
  }
  if (!page.error.ok() && task->pages.size() == 1) return task->Fail(page.error);
  if (!task->job.take_page) {
    task->output.pages.push_back(std::move(page));
    return;
  }
  if (decoded.ok()) page.image = &*decoded;
  if (task->document && SniffImage(Bytes(input.bytes)) == ImageKind::kJpeg) page.jpeg = Bytes(input.bytes);
  task->job.take_page(page);
}

void ReadQueue::Finish(Task* task) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    counts_.answer.Add(Task::Since(task->arrived));
  }
  task->document.reset();
  task->output.seconds = Task::Since(task->arrived);
  if (task->failure.status.ok()) {
    task->job.done(std::move(task->output));
  } else {
    task->job.done(std::move(task->failure));
  }
}

}  // namespace inkread
