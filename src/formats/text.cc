// Plain text and tab-separated values.
#include <cstdio>

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

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '\t':
        escaped += "\\t";
        break;
      case '\n':
        escaped += "\\n";
        break;
      case '\r':
        escaped += "\\r";
        break;
      case '\\':
        escaped += "\\\\";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Fixed(float value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6f", static_cast<double>(value));
  return text;
}

class TsvWriter : public PageWriter {
 public:
  explicit TsvWriter(std::ostream* out) : out_(*out) {
    out_ << "file\tpage\tline\ttext\tscore\tdet_score\tx1\ty1\tx2\ty2\tx3\ty3\tx4\ty4\n";
  }

  void Write(const Page& page) override {
    if (!page.error.ok()) return;
    int number = 0;
    for (const Line& line : page.reading.lines) {
      out_ << Escaped(page.file) << '\t' << page.page << '\t' << ++number << '\t' << Escaped(line.text) << '\t'
           << Fixed(line.score) << '\t' << Fixed(line.det_score);
      for (const Point& p : line.quad) out_ << '\t' << p.x << '\t' << p.y;
      out_ << '\n';
    }
    out_.flush();
  }

 private:
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<PageWriter> MakeTextWriter(bool headed, std::ostream* out) {
  return std::make_unique<TextWriter>(headed, out);
}
std::unique_ptr<PageWriter> MakeTsvWriter(std::ostream* out) { return std::make_unique<TsvWriter>(out); }

}  // namespace inkread
