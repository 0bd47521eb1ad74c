// The formats in which `inkread read` prints what it read.
#ifndef INKREAD_APPS_OUTPUT_H_
#define INKREAD_APPS_OUTPUT_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "inkread/ocr.h"

namespace inkread {

// One page of one file, read or failed.
struct Entry {
  std::string file;
  int page = 1;  // from 1
  int pages = 1;
  Status error;
  Reading reading;                    // when error.ok()
  std::vector<std::string> warnings;  // of the file and of the reading
  double load_ms = 0;
};

// What the JSON document says about the engine, and which parts of lines were asked for.
struct RunInfo {
  std::string version;
  ModelSize size = ModelSize::kSmall;
  Precision precision = Precision::kPrecise;
  ReadOptions read;
  bool times = true;  // whether images have `ms`; without it the same images give the same bytes
};

// Each entry is written as soon as it is there, so that a long run can be followed and needs no memory for old entries.
class Output {
 public:
  virtual ~Output() = default;
  virtual void Write(const Entry& entry) = 0;
  virtual void End() {}
  // Whether the format has a place for errors and warnings. They go to standard error otherwise.
  virtual bool carries_warnings() const { return false; }
};

// The text of each line, without lines whose text is empty. With `headed`, a line with the name of the file (and the
// page) comes before each entry.
std::unique_ptr<Output> MakeTextOutput(bool headed, std::ostream* out);

// A head line, then one row for each text line: file, page, line number, text, scores, corners. Tab, newline, carriage
// return and backslash within a field are written as \t, \n, \r and \\.
std::unique_ptr<Output> MakeTsvOutput(std::ostream* out);

// One document: {"schema": 1, "engine": {...}, "images": [...]}. FileNameText says how a name that is not UTF-8 is
// written.
std::unique_ptr<Output> MakeJsonOutput(const RunInfo& info, std::ostream* out);

// One element of `images` on each line.
std::unique_ptr<Output> MakeJsonLinesOutput(const RunInfo& info, std::ostream* out);

}  // namespace inkread

#endif  // INKREAD_APPS_OUTPUT_H_
