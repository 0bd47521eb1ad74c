#include "apps/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/clock.h"
#include "formats/reading_json.h"

namespace inkread {
namespace {

constexpr double kSyncEveryMs = 5000;
constexpr std::string_view kLineBegins = "{\"file\":";

Status SystemError(const std::string& what, int error) {
  const bool is_refused = error == EACCES || error == EPERM;
  return Status(is_refused ? StatusCode::kPermissionDenied : StatusCode::kNotFound, what + ": " + std::strerror(error));
}

// The members of a line up to the page, or up to the code of its error. The rest is not parsed: a journal may have
// gigabytes.
struct LineHead : nlohmann::json_sax<nlohmann::json> {
  std::string file, code;
  int page = 1, pages = 1;
  bool has_file = false, is_whole = false;

  bool key(string_t& name) override {
    if (depth_ == 1) is_error_ = name == "error";
    is_whole = has_file && depth_ == 1 && name != "page" && name != "pages" && !is_error_;
    key_ = name;
    return !is_whole;
  }
  bool string(string_t& value) override {
    if (depth_ == 1 && key_ == "file") {
      file = value;
      has_file = true;
    } else if (depth_ == 2 && is_error_ && key_ == "code") {
      code = value;
      is_whole = has_file;
    }
    return !is_whole;
  }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr number_unsigned_t kMaxPages = 1 << 24;
    if (value < 1 || value > kMaxPages) return false;
    if (key_ == "page") page = static_cast<int>(value);
    if (key_ == "pages") pages = static_cast<int>(value);
    return true;
  }
  bool start_object(size_t) override { return ++depth_ <= 2; }
  bool end_object() override { return --depth_ > 0; }
  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_integer(number_integer_t) override { return false; }
  bool number_float(number_float_t, const string_t&) override { return false; }
  bool binary(binary_t&) override { return false; }
  bool start_array(size_t) override { return false; }
  bool end_array() override { return false; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  int depth_ = 0;
  bool is_error_ = false;
  std::string key_;
};

// Whether a run that was killed may have left this at the end of the file: the beginning of a line, or the zeros that
// some file systems leave after a power cut.
bool MayBeCutLine(std::string_view rest) {
  return rest.substr(0, kLineBegins.size()) == kLineBegins.substr(0, rest.size()) ||
         rest.find('\0') != std::string_view::npos;
}

}  // namespace

void FinishedPages::Add(std::string_view file, int page, int pages) {
  if (pages > 1) {
    const std::string name(file);
    auto [it, end] = partly_finished_.equal_range(name);
    const auto has_page = [&](const Partial& partial) { return partial.page_finished[static_cast<size_t>(page) - 1]; };
    while (it != end && (it->second.page_finished.size() < static_cast<size_t>(page) || has_page(it->second))) ++it;
    if (it == end) {
      it = partly_finished_.emplace(name, Partial{std::vector<bool>(static_cast<size_t>(std::max(page, pages))), 0});
    }
    it->second.page_finished[static_cast<size_t>(page) - 1] = true;
    if (++it->second.num_finished < pages) return;
    partly_finished_.erase(it);
  }
  starts_.push_back(names_.size());
  names_.append(file).push_back('\0');
}

void FinishedPages::Sort() {
  std::sort(starts_.begin(), starts_.end(), [&](size_t a, size_t b) { return Name(a) < Name(b); });
  taken_.assign(starts_.size(), false);
}

FinishedPages::Left FinishedPages::Take(const std::string& file) {
  const auto first = std::lower_bound(starts_.begin(), starts_.end(), file,
                                      [&](size_t start, const std::string& name) { return Name(start) < name; });
  for (auto it = first; it != starts_.end() && Name(*it) == file; ++it) {
    const size_t i = static_cast<size_t>(it - starts_.begin());
    if (taken_[i]) continue;
    taken_[i] = true;
    return {true, {}};
  }
  const auto partial = partly_finished_.find(file);
  if (partial == partly_finished_.end()) return {};
  Left left{false, std::move(partial->second.page_finished)};
  partly_finished_.erase(partial);
  return left;
}

// Keeps what is written until it is flushed, then writes all of it or nothing.
class Journal::Buffer : public std::streambuf {
 public:
  explicit Buffer(int fd, off_t size) : fd_(fd), size_(size) {}
  int error() const { return error_; }

  // False with error() set.
  bool Sync() {
    if (error_ == 0 && fdatasync(fd_) != 0 && errno != EINVAL && errno != EROFS) error_ = errno;
    synced_ = Clock::now();
    return error_ == 0;
  }

 protected:
  int_type overflow(int_type c) override {
    if (c != traits_type::eof()) text_.push_back(static_cast<char>(c));
    return error_ == 0 ? traits_type::not_eof(c) : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    text_.append(text, static_cast<size_t>(size));
    return error_ == 0 ? size : 0;
  }
  int sync() override {
    for (size_t done = 0; done < text_.size() && error_ == 0;) {
      const ssize_t n = write(fd_, text_.data() + done, text_.size() - done);
      if (n >= 0) done += static_cast<size_t>(n);
      if (n < 0 && errno != EINTR) error_ = errno;
    }
    if (error_ != 0) {
      // Half a line may stand there. If it cannot be cut off now, the next run does it.
      if (ftruncate(fd_, size_) == 0) lseek(fd_, size_, SEEK_SET);
      return -1;
    }
    size_ += static_cast<off_t>(text_.size());
    text_.clear();
    return MillisecondsSince(synced_) < kSyncEveryMs || Sync() ? 0 : -1;
  }

 private:
  const int fd_;
  off_t size_;  // of the whole lines in the file
  std::string text_;
  int error_ = 0;
  Clock::time_point synced_ = Clock::now();
};

Journal::Journal(std::string path) : path_(std::move(path)), stream_(nullptr) {}

Journal::~Journal() {
  if (fd_ >= 0) close(fd_);
}

Result<std::unique_ptr<Journal>> Journal::Open(const std::string& path) {
  std::unique_ptr<Journal> journal(new Journal(path));
  journal->fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (journal->fd_ < 0) return SystemError(path + ": cannot be written", errno);
  struct stat about;
  if (fstat(journal->fd_, &about) != 0) return SystemError(path + ": cannot be read", errno);
  if (!S_ISREG(about.st_mode)) {
    return Status(StatusCode::kInvalidArgument, path + ": expected a regular file, from which a run can go on");
  }
  if (flock(journal->fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Status(StatusCode::kInvalidArgument, path + ": another process is writing to it");
  }
  if (const Status loaded = journal->Load(); !loaded.ok()) return Status(loaded.code(), path + ": " + loaded.message());
  journal->finished_.Sort();
  return journal;
}

// False if it is not a line that --jsonl writes.
bool Journal::AddLine(std::string_view line) {
  LineHead head;
  nlohmann::json::sax_parse(line.begin(), line.end(), &head, nlohmann::json::input_format_t::json, false);
  if (!head.is_whole) return false;
  finished_.Add(FileNameFromText(head.file), head.page, std::max(head.page, head.pages));
  if (head.code.empty()) {
    ++num_read_;
  } else {
    ++failures_[head.code];
  }
  return true;
}

// Errors  without the path
Status Journal::Load() {
  constexpr size_t kBlock = 1 << 16;
  std::string text;    // from the first line that is not looked at yet
  off_t whole = 0;     // bytes of whole lines
  int64_t number = 0;  // of lines
  std::vector<char> block(kBlock);
  bool is_cut = false;
  while (!is_cut) {
    const ssize_t n = read(fd_, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("cannot be read", errno);
    if (n == 0) break;
    const size_t searched = text.size();
    text.append(block.data(), static_cast<size_t>(n));
    size_t begin = 0;
    for (size_t end = text.find('\n', searched); end != std::string::npos; end = text.find('\n', begin)) {
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      is_cut = line.find('\0') != std::string_view::npos;
      if (is_cut) break;
      ++number;
      if (!AddLine(line)) {
        return Status(StatusCode::kInvalidArgument, "line " + std::to_string(number) +
                                                        " was not written by `inkread read --jsonl`; nothing is added");
      }
      begin = end + 1;
      whole += static_cast<off_t>(line.size() + 1);
    }
    text.erase(0, begin);
  }
  if (!MayBeCutLine(text)) {
    return Status(StatusCode::kInvalidArgument,
                  "its last line was not written by `inkread read --jsonl`; nothing is added");
  }
  if (!text.empty() && ftruncate(fd_, whole) != 0) return SystemError("its last line cannot be cut off", errno);
  lseek(fd_, whole, SEEK_SET);
  buffer_ = std::make_unique<Buffer>(fd_, whole);
  stream_.rdbuf(buffer_.get());
  return Status();
}

Status Journal::Finish() {
  stream_.flush();
  if (buffer_->error() == 0 && stream_) buffer_->Sync();
  if (buffer_->error() == 0) return Status();
  return SystemError(path_ + ": cannot be written", buffer_->error());
}

}  // namespace inkread
