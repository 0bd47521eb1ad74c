// Plain text.
#include "inkread/formats.h"

namespace inkread {
namespace {

class TextWriter : public PageWriter {
 public:
  TextWriter(bool headed, std::ostream* out) : headed_(headed), out_(*out) {}

  void Write(const Page& page) override {
    if (!page.error.ok()) return;
    if (headed_) {
      if (!first_) out_ << '\n';
      out_ << "==> " << page.file;
      if (page.pages > 1) out_ << " (page " << page.page << " of " << page.pages << ')';
      out_ << " <==\n";
    }
    first_ = false;
    for (const Line& line : page.reading.lines) {
      if (!line.text.empty()) out_ << line.text << '\n';
    }
    out_.flush();
  }

 private:
  bool headed_;
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<PageWriter> MakeTextWriter(bool headed, std::ostream* out) {
  return std::make_unique<TextWriter>(headed, out);
}

}  // namespace inkread
