#include "apps/read_target.h"

#include <algorithm>
#include <utility>

namespace inkread {
namespace {

const char* EndingOf(OutputFormat format) {
  switch (format) {
    case OutputFormat::kText:
      return ".txt";
    case OutputFormat::kLayout:
      return ".layout.txt";
    case OutputFormat::kJson:
      return ".json";
    case OutputFormat::kJsonLines:
      return ".jsonl";
    case OutputFormat::kTsv:
      return ".tsv";
    case OutputFormat::kHocr:
      return ".hocr";
    case OutputFormat::kAlto:
      return ".xml";
    case OutputFormat::kPdf:
      return ".pdf";
  }
  return "";
}

std::unique_ptr<PageWriter> MakeOne(OutputFormat format, const RunInfo& info, bool headed, const std::string& layer_of,
                                    std::ostream* out) {
  if (format == OutputFormat::kPdf && !layer_of.empty()) return MakePdfLayerWriter(layer_of, out);
  return MakePageWriter(format, info, headed, out);
}

// Hands each page to several writers.
class SeveralWriters : public PageWriter {
 public:
  explicit SeveralWriters(std::vector<std::unique_ptr<PageWriter>> writers) : writers_(std::move(writers)) {}
  void Write(const Page& page) override {
    for (const auto& writer : writers_) writer->Write(page);
  }
  void End() override {
    for (const auto& writer : writers_) writer->End();
  }
  bool carries_warnings() const override {
    return std::all_of(writers_.begin(), writers_.end(), [](const auto& writer) { return writer->carries_warnings(); });
  }

 private:
  std::vector<std::unique_ptr<PageWriter>> writers_;
};

}  // namespace

std::vector<std::string> PathsOf(const std::vector<OutputFormat>& formats, const std::string& out_path) {
  if (formats.size() == 1) return {out_path};
  std::vector<std::string> paths;
  for (const OutputFormat format : formats) paths.push_back(out_path + EndingOf(format));
  return paths;
}

Result<std::unique_ptr<ReadTarget>> ReadTarget::Open(std::vector<OutputFormat> formats, const std::string& out_path,
                                                     bool resume) {
  auto target = std::make_unique<ReadTarget>();
  target->formats_ = std::move(formats);
  if (resume) {
    Result<std::unique_ptr<Journal>> journal = Journal::Open(out_path);
    if (!journal.ok()) return journal.status();
    target->journal_ = std::move(*journal);
    return target;
  }
  for (const std::string& path : PathsOf(target->formats_, out_path)) {
    Result<std::unique_ptr<OutputFile>> file = OutputFile::Open(path);
    if (!file.ok()) return file.status();
    target->files_.push_back(std::move(*file));
  }
  return target;
}

std::unique_ptr<PageWriter> ReadTarget::MakeWriter(const RunInfo& info, bool headed, const std::string& layer_of) {
  if (journal_ != nullptr) return MakeOne(formats_[0], info, headed, layer_of, &journal_->stream());
  std::vector<std::unique_ptr<PageWriter>> writers;
  for (size_t i = 0; i < files_.size(); ++i)
    writers.push_back(MakeOne(formats_[i], info, headed, layer_of, &files_[i]->stream()));
  if (writers.size() == 1) return std::move(writers[0]);
  return std::make_unique<SeveralWriters>(std::move(writers));
}

std::vector<const std::ostream*> ReadTarget::streams() const {
  if (journal_ != nullptr) return {&journal_->stream()};
  std::vector<const std::ostream*> streams;
  for (const auto& file : files_) streams.push_back(&file->stream());
  return streams;
}

Status ReadTarget::Finish() {
  if (journal_ != nullptr) {
    const Status finished = journal_->Finish();
    if (finished.ok()) return finished;
    return Status(finished.code(), finished.message() + "; its lines are whole, and --resume goes on with it");
  }
  Status first;
  for (const auto& file : files_) {
    const Status committed = file->Commit();
    if (first.ok()) first = committed;
  }
  return first;
}

}  // namespace inkread
