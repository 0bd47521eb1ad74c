// JSON lines that are their own journal: a file that a run goes on with where an earlier one ended, however it ended.
#ifndef INKREAD_APPS_JOURNAL_H_
#define INKREAD_APPS_JOURNAL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "inkread/status.h"

namespace inkread {

// The pages that stand in a journal already. A file that is named twice is read twice, so files are counted. A name
// takes its length and 9 bytes.
class FinishedPages {
 public:
  // page  from 1
  void Add(std::string_view file, int page, int pages);

  // After the last Add and before the first Take.
  void Sort();

  // What to do with the next file of this name.
  struct Left {
    bool nothing = false;             // every page is finished
    std::vector<bool> page_finished;  // by page, from 0; empty: none is. Pages beyond its end are not finished
  };
  Left Take(const std::string& file);

  size_t num_files() const { return starts_.size(); }

 private:
  struct Partial {
    std::vector<bool> page_finished;
    int num_finished = 0;
  };
  std::string_view Name(size_t start) const { return names_.data() + start; }

  std::string names_;  // of files that are finished, each with a zero behind it
  std::vector<size_t> starts_;
  std::vector<bool> taken_;                              // of starts_
  std::multimap<std::string, Partial> partly_finished_;  // few: a run that was killed leaves at most one a worker
};

// The file. One process at a time writes to it.
//
// A line stands in the file as soon as it is flushed, so that ending the process by any means loses none that was
// written. The system is asked to put it on the disk (fdatasync) every five seconds and at the end, so that a machine
// that loses power loses at most what was read in the last five seconds; the next run reads that again.
class Journal {
 public:
  // Opens or makes the file, and cuts a last line that is not whole.
  //
  // Errors  kNotFound, kPermissionDenied (the system's reason), kInvalidArgument (a line is not one that
  //         `inkread read --jsonl` writes; another process is writing to the file); the message begins with the path
  static Result<std::unique_ptr<Journal>> Open(const std::string& path);

  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  // What stood in the file when it was opened.
  FinishedPages* finished() { return &finished_; }
  int64_t num_read() const { return num_read_; }
  const std::map<std::string, int64_t>& failures() const { return failures_; }  // pages by the code of their error

  // For whole lines, each followed by std::flush. If one cannot be written, what stands of it is cut off and the stream
  // fails.
  std::ostream& stream() { return stream_; }

  // Puts everything on the disk.
  //
  // Errors  kNotFound (a line could not be written: the system's reason)
  Status Finish();

 private:
  class Buffer;

  explicit Journal(std::string path);
  Status Load();
  bool AddLine(std::string_view line);

  const std::string path_;
  int fd_ = -1;
  FinishedPages finished_;
  int64_t num_read_ = 0;
  std::map<std::string, int64_t> failures_;
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_;
};

}  // namespace inkread

#endif  // INKREAD_APPS_JOURNAL_H_
