// Plain text, as lines or in the page's layout.
#include "formats/layout.h"
#include "inkread/formats.h"

namespace inkread {
namespace {

std::string LinesOf(const Reading& reading) {
  std::string text;
  for (const Line& line : reading.lines) {
    if (!line.text.empty()) text.append(line.text).append("\n");
  }
  return text;
}

class TextWriter : public PageWriter {
 public:
  TextWriter(bool headed, std::string (*text_of)(const Reading&), std::ostream* out)
      : headed_(headed), text_of_(text_of), out_(*out) {}

  void Write(const Page& page) override {
    if (!page.error.ok()) return;
    if (headed_) {
      if (!first_) out_ << '\n';
      out_ << "==> " << page.file;
      if (page.pages > 1) out_ << " (page " << page.page << " of " << page.pages << ')';
      out_ << " <==\n";
    }
    first_ = false;
    out_ << text_of_(page.reading) << std::flush;
  }

 private:
  bool headed_;
  std::string (*text_of_)(const Reading&);
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<PageWriter> MakeTextWriter(bool headed, std::ostream* out) {
  return std::make_unique<TextWriter>(headed, LinesOf, out);
}

std::unique_ptr<PageWriter> MakeLayoutWriter(bool headed, std::ostream* out) {
  return std::make_unique<TextWriter>(headed, LayoutText, out);
}

}  // namespace inkread
