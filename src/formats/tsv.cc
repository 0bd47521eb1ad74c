// Tables as tesseract writes them.
#include <algorithm>
#include <cstdio>
#include <string>

#include "formats/placed_words.h"
#include "inkread/formats.h"

namespace inkread {
namespace {

// A tab or a line's end would break the table; tesseract has no way to escape one.
std::string Cell(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

class TsvWriter : public PageWriter {
 public:
  explicit TsvWriter(std::ostream* out) : out_(*out) {
    out_ << "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n";
  }

  void Write(const Page& page) override {
    ++page_;
    if (!page.error.ok()) return;
    const Reading& reading = page.reading;
    Row(1, 0, 0, 0, {0, 0, reading.width_px, reading.height_px}, "-1", "");
    int block = 0;
    for (const Line& line : reading.lines) {
      const std::vector<PlacedWord> words = PlacedWords(line);
      if (words.empty()) continue;
      const Bounds box = BoundsOf(line.quad);
      ++block;
      Row(2, block, 0, 0, box, "-1", "");
      Row(3, block, 1, 0, box, "-1", "");
      Row(4, block, 1, 1, box, "-1", "");
      for (size_t i = 0; i < words.size(); ++i) {
        const Word& word = words[i].word;
        const std::string percent = std::to_string(100 * static_cast<double>(word.score));
        Row(5, block, 1, 1, BoundsOf(word.quad), percent, Cell(word.text), static_cast<int>(i) + 1);
      }
    }
    out_.flush();
  }

 private:
  void Row(int level, int block, int paragraph, int line, const Bounds& box, const std::string& percent,
           const std::string& text, int word = 0) {
    out_ << level << '\t' << page_ << '\t' << block << '\t' << paragraph << '\t' << line << '\t' << word << '\t'
         << box.left << '\t' << box.top << '\t' << box.width() << '\t' << box.height() << '\t' << percent << '\t'
         << text << '\n';
  }

  std::ostream& out_;
  int page_ = 0;
};

}  // namespace

std::unique_ptr<PageWriter> MakeTsvWriter(std::ostream* out) { return std::make_unique<TsvWriter>(out); }

}  // namespace inkread
