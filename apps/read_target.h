// Where `inkread read` writes, and in which formats.
#ifndef INKREAD_APPS_READ_TARGET_H_
#define INKREAD_APPS_READ_TARGET_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "apps/journal.h"
#include "apps/output_file.h"
#include "inkread/formats.h"

namespace inkread {

// The files of these formats: `out_path` itself for one, and for several `out_path` with an ending for each, such as
// scan.json and scan.pdf. One empty path is standard output.
std::vector<std::string> PathsOf(const std::vector<OutputFormat>& formats, const std::string& out_path);

// Standard output or files that are written whole, or one that a run goes on with.
class ReadTarget {
 public:
  // formats  at least one
  // resume   the only format is kJsonLines, and the run goes on with the file
  // Errors   those of OutputFile::Open and Journal::Open
  static Result<std::unique_ptr<ReadTarget>> Open(std::vector<OutputFormat> formats, const std::string& out_path,
                                                  bool resume);

  // Writes every format. `headed` as for MakeTextWriter. If `layer_of` is the path of a PDF, the PDF that is written is
  // that one with a text layer.
  std::unique_ptr<PageWriter> MakeWriter(const RunInfo& info, bool headed, const std::string& layer_of);
  std::vector<const std::ostream*> streams() const;
  Journal* journal() const { return journal_.get(); }  // null unless the run may go on with it

  // Completes the files. The first that fails is the error; the others are completed all the same.
  Status Finish();

 private:
  std::vector<OutputFormat> formats_;
  std::unique_ptr<Journal> journal_;
  std::vector<std::unique_ptr<OutputFile>> files_;  // by format, without a journal
};

}  // namespace inkread

#endif  // INKREAD_APPS_READ_TARGET_H_
