// Plain text and tab-separated values.
#include <cstdio>

#include "apps/output.h"

namespace inkread {
namespace {

class TextOutput : public Output {
 public:
  TextOutput(bool headed, std::ostream* out) : headed_(headed), out_(*out) {}

  void Write(const Entry& entry) override {
    if (!entry.error.ok()) return;
    if (headed_) {
      if (!first_) out_ << '\n';
      out_ << "==> " << entry.file;
      if (entry.pages > 1) out_ << " (page " << entry.page << " of " << entry.pages << ')';
      out_ << " <==\n";
    }
    first_ = false;
    for (const Line& line : entry.reading.lines) {
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

class TsvOutput : public Output {
 public:
  explicit TsvOutput(std::ostream* out) : out_(*out) {
    out_ << "file\tpage\tline\ttext\tscore\tdet_score\tx1\ty1\tx2\ty2\tx3\ty3\tx4\ty4\n";
  }

  void Write(const Entry& entry) override {
    if (!entry.error.ok()) return;
    int number = 0;
    for (const Line& line : entry.reading.lines) {
      out_ << Escaped(entry.file) << '\t' << entry.page << '\t' << ++number << '\t' << Escaped(line.text) << '\t'
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

std::unique_ptr<Output> MakeTextOutput(bool headed, std::ostream* out) {
  return std::make_unique<TextOutput>(headed, out);
}
std::unique_ptr<Output> MakeTsvOutput(std::ostream* out) { return std::make_unique<TsvOutput>(out); }

}  // namespace inkread
