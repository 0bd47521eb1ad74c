#include "apps/read_loop.h"

#include <algorithm>
#include <chrono>
#include <compare>
#include <condition_variable>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "apps/image_source.h"
#include "apps/overlay_files.h"
#include "inkread/formats.h"

namespace inkread {
namespace {

constexpr auto kAskEvery = std::chrono::milliseconds(100);
// How long a run that is stopped waits for a file that is being opened or decoded: a pipe may never have a writer.
constexpr auto kPatience = std::chrono::seconds(1);

// The place of a page in the order of results: which file of those that were begun, which of its pages.
struct Place {
  int64_t file = 0;
  int page = 0;
  auto operator<=>(const Place&) const = default;
};

enum class Stage { kLoading, kDecoded, kReading, kDone };

struct PendingPage {
  Stage stage = Stage::kLoading;
  LoadedImage loaded;
  bool is_last = false;     // of its file
  int64_t pixel_bytes = 0;  // while they are kept
  Page entry;
  Result<std::vector<uint8_t>> overlay = std::vector<uint8_t>();
  int64_t result_bytes = 0;
};

// A file that has pages left.
struct OpenFile {
  Place next;
  ImageSource source;
  bool is_loading = false;  // by one thread at a time
};

int64_t BytesOf(const std::vector<Word>& words) {
  size_t bytes = 0;
  for (const Word& word : words) bytes += sizeof(Word) + word.text.capacity();
  return static_cast<int64_t>(bytes);
}

int64_t BytesOf(const Page& entry) {
  int64_t bytes = static_cast<int64_t>(sizeof(PendingPage) + entry.file.capacity());
  for (const Line& line : entry.reading.lines) {
    bytes += static_cast<int64_t>(sizeof(Line) + line.text.capacity()) + BytesOf(line.words) + BytesOf(line.chars);
  }
  return bytes;
}

// What the threads of a loop share. A thread that waits for a pipe for ever is left behind when a run is stopped, so
// each of them keeps it alive.
class Work : public std::enable_shared_from_this<Work> {
 public:
  Work(InputQueue inputs, const ReadImage& read, const ReadLoopOptions& options)
      : inputs_(std::move(inputs)), read_(read), options_(options) {}

  ReadLoopResult Run(PageWriter* output, ProgressBar* bar, std::ostream* errors);

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Pages = std::map<Place, PendingPage>;

  void StartThreads();
  void RunThread();
  // Takes a page through all stages. Returns false if there is none to take now.
  bool TakePage(Lock* lock);
  OpenFile* NextFile();
  bool MayBegin(const Place& place) const;
  void Load(OpenFile* file, PendingPage* page, Lock* lock);
  void Read(PendingPage* page, Lock* lock);
  void ReadInto(PendingPage* page) const;
  void Abandon(Pages::iterator page);

  bool IsAbandoned(const Place& place) const { return is_left_ || (is_stopped_ && place > last_begun_); }
  void Stop();
  bool HasEnded() const;
  bool CannotGoOn() const;
  Pages::iterator NextToWrite();
  void WriteAll(Lock* lock);
  void Write(PendingPage& page);
  void Say(const Page& entry, const std::string& what);
  void Fail(StatusCode code);
  void WriteUntilEnd(Lock* lock);
  void Leave(Lock* lock);

  std::mutex mutex_;
  std::condition_variable may_take_, may_read_, has_news_;
  // Guarded by mutex_, but a page belongs to its thread until it is done, and to the writer then.
  InputQueue inputs_;
  std::optional<InputQueue::Item> next_input_;
  std::list<OpenFile> files_;
  Pages pages_;
  std::set<Place> decoded_;  // pages that wait to be read
  Place next_written_;       // in order
  int64_t num_files_ = 0;
  int num_loading_ = 0, num_reading_ = 0, num_running_ = 0;
  int64_t pixel_bytes_ = 0, result_bytes_ = 0;
  int64_t expected_bytes_ = 24'000'000;  // pixels of the next page; 8 megapixels before one is known
  bool is_stopped_ = false;
  bool has_ended_ = false;
  bool is_left_ = false;        // by the calling thread: nothing is read any more
  bool passes_gaps_ = false;    // pages are written whatever stands before them
  Place last_begun_ = {-1, 0};  // once stopped, pages behind it are given up
  std::chrono::steady_clock::time_point deadline_;

  std::exception_ptr thrown_;  // by a thread

  const ReadImage read_;
  const ReadLoopOptions options_;
  std::vector<std::thread> threads_;

  // Of the calling thread.
  PageWriter* output_ = nullptr;
  ProgressBar* bar_ = nullptr;
  std::ostream* errors_ = nullptr;
  std::unique_ptr<OverlayFiles> overlays_;
  ReadLoopResult result_;
};

// As many as the system allows, perhaps none.
void Work::StartThreads() {
  const int num_ahead = options_.num_workers / 4 + 1;
  try {
    for (int i = 0; i < options_.num_workers + num_ahead; ++i) {
      threads_.emplace_back([work = shared_from_this()] { work->RunThread(); });
      ++num_running_;
    }
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

void Work::RunThread() {
  Lock lock(mutex_);
  try {
    while (!has_ended_) {
      if (!TakePage(&lock)) may_take_.wait(lock);
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    thrown_ = std::current_exception();
  }
  --num_running_;
  has_news_.notify_one();
}

bool Work::MayBegin(const Place& place) const {
  // The page that everything waits for is not held up by what waits.
  const bool is_next = options_.keep_order && place.file == next_written_.file;
  if (result_bytes_ >= options_.max_result_bytes && !is_next) return false;
  const bool is_alone = num_loading_ == 0 && pixel_bytes_ == 0;
  return is_alone || pixel_bytes_ + (num_loading_ + 1) * expected_bytes_ <= options_.max_pixel_bytes;
}

// The first file of which a page can be begun; null without one.
OpenFile* Work::NextFile() {
  for (OpenFile& file : files_) {
    if (!file.is_loading) return MayBegin(file.next) ? &file : nullptr;
  }
  if (!next_input_.has_value()) next_input_ = inputs_.Next();
  const Place place{num_files_, 0};
  if (!next_input_.has_value() || !MayBegin(place)) return nullptr;
  ++num_files_;
  files_.push_back({place, ImageSource({std::move(next_input_->input)}, options_.load), false});
  files_.back().source.SkipPages(std::move(next_input_->page_finished));
  next_input_ = inputs_.Next();
  return &files_.back();
}

bool Work::TakePage(Lock* lock) {
  OpenFile* file = is_stopped_ || has_ended_ ? nullptr : NextFile();
  if (file == nullptr) return false;
  const Place place = file->next;
  const Pages::iterator page = pages_.try_emplace(place).first;
  Load(file, &page->second, lock);
  if (page->second.stage != Stage::kDone) {
    decoded_.insert(place);
    may_read_.wait(*lock, [&] {
      return IsAbandoned(place) || (num_reading_ < options_.num_workers && place == *decoded_.begin());
    });
    decoded_.erase(place);
    if (!IsAbandoned(place)) Read(&page->second, lock);
  }
  if (IsAbandoned(place)) Abandon(page);
  may_take_.notify_all();
  has_news_.notify_one();
  return true;
}

void Work::Load(OpenFile* file, PendingPage* page, Lock* lock) {
  file->is_loading = true;
  ++num_loading_;
  may_take_.notify_one();  // for the next page, by another thread
  lock->unlock();
  std::optional<LoadedImage> loaded;
  Status no_memory;
  try {
    loaded = file->source.Next();
  } catch (const std::bad_alloc&) {
    no_memory = Status(StatusCode::kOutOfMemory, "out of memory");
  }
  lock->lock();
  --num_loading_;
  file->is_loading = false;
  ++file->next.page;
  if (loaded.has_value()) page->loaded = std::move(*loaded);
  if (!no_memory.ok()) page->loaded.decoded = no_memory;
  page->is_last = file->source.AtEnd() || !no_memory.ok();
  if (page->is_last) files_.remove_if([&](const OpenFile& other) { return &other == file; });
  may_take_.notify_one();

  Page& entry = page->entry;
  entry.file = page->loaded.file;
  entry.page = page->loaded.page;
  entry.pages = page->loaded.pages;
  entry.load_ms = page->loaded.load_ms;
  if (const Result<DecodedImage>& decoded = page->loaded.decoded; decoded.ok()) {
    page->pixel_bytes = static_cast<int64_t>(decoded->pixels.size());
    pixel_bytes_ += page->pixel_bytes;
    expected_bytes_ = std::max(page->pixel_bytes, expected_bytes_ * 9 / 10);
    page->stage = Stage::kDecoded;
  } else {
    entry.error = decoded.status();
    page->result_bytes = BytesOf(entry);
    result_bytes_ += page->result_bytes;
    page->stage = Stage::kDone;
  }
}

void Work::Read(PendingPage* page, Lock* lock) {
  page->stage = Stage::kReading;
  ++num_reading_;
  may_read_.notify_all();
  lock->unlock();
  try {
    ReadInto(page);
  } catch (const std::bad_alloc&) {
    page->entry.error = Status(StatusCode::kOutOfMemory, "out of memory");
  } catch (const std::exception& error) {
    page->entry.error = Status(StatusCode::kInternal, error.what());
  }
  int64_t kept_bytes = 0;
  if (options_.keeps_images) {
    kept_bytes = page->pixel_bytes + static_cast<int64_t>(page->loaded.jpeg.size());
  } else {
    page->loaded.decoded = DecodedImage();
  }
  lock->lock();
  --num_reading_;
  pixel_bytes_ -= page->pixel_bytes;
  page->pixel_bytes = 0;
  page->result_bytes =
      BytesOf(page->entry) + kept_bytes + (page->overlay.ok() ? static_cast<int64_t>(page->overlay->size()) : 0);
  result_bytes_ += page->result_bytes;
  page->stage = Stage::kDone;
  may_read_.notify_all();
}

void Work::ReadInto(PendingPage* page) const {
  Page& entry = page->entry;
  Result<Reading> reading = read_(page->loaded.decoded->view());
  if (!reading.ok()) {
    entry.error = reading.status();
    return;
  }
  entry.reading = std::move(*reading);
  entry.warnings = page->loaded.decoded->warnings;
  entry.warnings.insert(entry.warnings.end(), entry.reading.warnings.begin(), entry.reading.warnings.end());
  if (!options_.overlay_path.empty()) {
    page->overlay = DrawOverlay(*page->loaded.decoded, entry.reading.lines, options_.overlay_format);
  }
}

void Work::Abandon(Pages::iterator page) {
  pixel_bytes_ -= page->second.pixel_bytes;
  result_bytes_ -= page->second.result_bytes;
  pages_.erase(page);
}

// Pages before one that is being read are still read, so that what was read has no gaps.
void Work::Stop() {
  is_stopped_ = true;
  for (const auto& [place, page] : pages_) {
    if (page.stage >= Stage::kReading) last_begun_ = place;
  }
  deadline_ = std::chrono::steady_clock::now() + kPatience;
  may_read_.notify_all();
}

bool Work::HasEnded() const {
  if (!is_stopped_) {
    return !options_.more && pages_.empty() && files_.empty() && !next_input_.has_value();
  }
  const bool is_late = std::chrono::steady_clock::now() > deadline_;
  return std::all_of(pages_.begin(), pages_.end(), [&](const auto& entry) {
    const auto& [place, page] = entry;
    return page.stage == Stage::kDone || (place > last_begun_ && page.stage != Stage::kReading) ||
           (is_late && page.stage == Stage::kLoading);
  });
}

Work::Pages::iterator Work::NextToWrite() {
  if (!options_.keep_order || passes_gaps_) {
    return std::find_if(pages_.begin(), pages_.end(),
                        [](const auto& page) { return page.second.stage == Stage::kDone; });
  }
  const auto page = pages_.begin();
  const bool is_next = page != pages_.end() && page->first == next_written_ && page->second.stage == Stage::kDone;
  return is_next ? page : pages_.end();
}

// Whether nothing more can be written, or read.
bool Work::CannotGoOn() const {
  const std::vector<const std::ostream*>& streams = options_.written_to;
  return std::any_of(streams.begin(), streams.end(), [](const std::ostream* stream) { return stream->fail(); }) ||
         (result_.device_lost && options_.ends_with_device);
}

// Writes what is there to be written. The lock is not held meanwhile.
void Work::WriteAll(Lock* lock) {
  for (Pages::iterator next = NextToWrite(); next != pages_.end(); next = NextToWrite()) {
    const Place place = next->first;
    if (CannotGoOn()) return;
    const Page& entry = next->second.entry;
    if (entry.error.code() == StatusCode::kDeviceLost) {
      result_.device_lost = true;
      if (options_.ends_with_device) return Say(entry, entry.error.message());
    }
    lock->unlock();
    if (ProgressBar::SharesTerminal()) bar_->Hide();
    Write(next->second);
    lock->lock();
    const bool is_last = next->second.is_last;
    if (is_last) ++result_.num_done;
    next_written_ = is_last ? Place{place.file + 1, 0} : Place{place.file, place.page + 1};
    result_bytes_ -= next->second.result_bytes;
    pages_.erase(next);
    may_take_.notify_all();
  }
}

void Work::Say(const Page& entry, const std::string& what) {
  bar_->Hide();
  *errors_ << "inkread: " << entry.file;
  if (entry.pages > 1) *errors_ << " (page " << entry.page << ')';
  *errors_ << ": " << what << '\n';
}

void Work::Fail(StatusCode code) {
  ++result_.num_failed;
  ++result_.failures[StatusCodeName(code)];
}

void Work::Write(PendingPage& page) {
  Page& entry = page.entry;
  if (options_.keeps_images && page.loaded.decoded.ok()) {
    entry.image = &*page.loaded.decoded;
    entry.jpeg = page.loaded.jpeg;
  }
  output_->Write(entry);
  if (!entry.error.ok()) {
    Fail(entry.error.code());
    Say(entry, entry.error.message());
    return;
  }
  ++result_.num_read;
  if (!output_->carries_warnings()) {
    for (const std::string& warning : entry.warnings) {
      if (warning != options_.run_warning) Say(entry, "warning: " + warning);
    }
  }
  if (options_.overlay_path.empty()) return;
  const Status status =
      page.overlay.ok() ? overlays_->Write(entry.file, entry.page, entry.pages, *page.overlay) : page.overlay.status();
  if (status.ok()) return;
  Fail(status.code());
  Say(entry, status.message());
}

// Ends the threads, once nothing is being read. One that still waits for its file is left behind.
void Work::Leave(Lock* lock) {
  has_ended_ = true;
  is_left_ = true;
  may_take_.notify_all();
  may_read_.notify_all();
  has_news_.wait(*lock, [&] { return num_reading_ == 0; });
  const auto have_ended = [&] { return num_running_ == 0; };
  if (is_stopped_) {
    has_news_.wait_until(*lock, deadline_, have_ended);
  } else {
    has_news_.wait(*lock, have_ended);
  }
  const bool may_join = have_ended();
  lock->unlock();
  for (std::thread& thread : threads_) may_join ? thread.join() : thread.detach();
}

void Work::WriteUntilEnd(Lock* lock) {
  while (!HasEnded()) {
    if (thrown_) std::rethrow_exception(thrown_);
    const bool can_write = !CannotGoOn() && NextToWrite() != pages_.end();
    if (!can_write && !(threads_.empty() && TakePage(lock))) has_news_.wait_for(*lock, kAskEvery);
    if (!is_stopped_ && (options_.stop() || CannotGoOn())) Stop();
    if (options_.more && !is_stopped_) {
      lock->unlock();
      const InputList more = options_.more();
      lock->lock();
      inputs_.Add(more);
      if (!next_input_.has_value()) next_input_ = inputs_.Next();
      if (!more.empty()) may_take_.notify_all();
    }
    WriteAll(lock);
    bar_->Update("reading", static_cast<int64_t>(result_.num_done + inputs_.num_passed()),
                 static_cast<int64_t>(inputs_.num_inputs()), static_cast<int64_t>(inputs_.num_passed()));
  }
  passes_gaps_ = is_stopped_ && options_.may_leave_gaps;
  WriteAll(lock);
}

ReadLoopResult Work::Run(PageWriter* output, ProgressBar* bar, std::ostream* errors) {
  output_ = output;
  bar_ = bar;
  errors_ = errors;
  overlays_ = std::make_unique<OverlayFiles>(options_.overlay_path, options_.overlay_is_folder, options_.in_use);
  Lock lock(mutex_);
  next_input_ = inputs_.Next();
  StartThreads();
  try {
    WriteUntilEnd(&lock);
  } catch (...) {  // memory
    if (!lock.owns_lock()) lock.lock();
    Stop();
    Leave(&lock);
    throw;
  }
  Leave(&lock);
  bar->End();
  output->End();
  result_.num_inputs = inputs_.num_inputs();
  result_.num_passed = inputs_.num_passed();
  result_.num_done += inputs_.num_passed();
  result_.stopped = is_stopped_ && result_.num_done < result_.num_inputs;
  return result_;
}

}  // namespace

ReadLoopResult RunReadLoop(InputQueue inputs, const ReadImage& read, const ReadLoopOptions& options, PageWriter* output,
                           ProgressBar* bar, std::ostream* errors) {
  return std::make_shared<Work>(std::move(inputs), read, options)->Run(output, bar, errors);
}

}  // namespace inkread
