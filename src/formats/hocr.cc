// hOCR 1.2: XHTML with the place of each line and word in its title.
#include <cmath>
#include <numbers>
#include <string>

#include "formats/placed_words.h"
#include "formats/xml.h"
#include "inkread/formats.h"

namespace inkread {
namespace {

// Degrees by which the line is turned counter-clockwise, [0, 360), rounded to tenths.
double TextAngle(const Line& line) {
  const double dx = line.quad[1].x - line.quad[0].x;
  const double dy = line.quad[1].y - line.quad[0].y;
  const double tenths = std::round(std::atan2(-dy, dx) * 1800 / std::numbers::pi);
  return std::fmod(tenths + 3600, 3600) / 10;
}

class HocrWriter : public PageWriter {
 public:
  HocrWriter(const RunInfo& info, std::ostream* out) : out_(*out) {
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" "
            "\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n"
            "<html xmlns=\"http://www.w3.org/1999/xhtml\">\n"
            "<head>\n"
            "<title></title>\n"
            "<meta http-equiv=\"Content-Type\" content=\"text/html;charset=utf-8\"/>\n"
            "<meta name=\"ocr-system\" content=\"inkread "
         << XmlText(info.version)
         << "\"/>\n"
            "<meta name=\"ocr-capabilities\" content=\"ocr_page ocr_line ocrx_word ocrp_wconf\"/>\n"
            "</head>\n"
            "<body>\n";
  }

  void Write(const Page& page) override {
    ++page_;
    if (!page.error.ok()) return;
    const Reading& reading = page.reading;
    out_ << "<div class='ocr_page' id='page_" << page_ << "' title='image \"" << XmlText(FileNameText(page.file))
         << "\"; ";
    PutBox({0, 0, reading.width_px, reading.height_px});
    out_ << "; ppageno " << page.page - 1 << "'>\n";
    int line_number = 0, word_number = 0;
    for (const Line& line : reading.lines) {
      const std::vector<PlacedWord> words = PlacedWords(line);
      if (words.empty()) continue;
      out_ << "<span class='ocr_line' id='line_" << page_ << '_' << ++line_number << "' title='";
      PutBox(BoundsOf(line.quad));
      if (const double angle = TextAngle(line); angle != 0) out_ << "; textangle " << angle;
      out_ << "'>";
      for (const PlacedWord& placed : words) {
        if (placed.space_before) out_ << ' ';
        out_ << "<span class='ocrx_word' id='word_" << page_ << '_' << ++word_number << "' title='";
        PutBox(BoundsOf(placed.word.quad));
        out_ << "; x_wconf " << std::lround(100 * placed.word.score) << "'>" << XmlText(placed.word.text) << "</span>";
      }
      out_ << "</span><br/>\n";
    }
    out_ << "</div>\n" << std::flush;
  }

  void End() override { out_ << "</body>\n</html>\n"; }

 private:
  void PutBox(const Bounds& box) {
    out_ << "bbox " << box.left << ' ' << box.top << ' ' << box.right << ' ' << box.bottom;
  }

  std::ostream& out_;
  int page_ = 0;
};

}  // namespace

std::unique_ptr<PageWriter> MakeHocrWriter(const RunInfo& info, std::ostream* out) {
  return std::make_unique<HocrWriter>(info, out);
}

}  // namespace inkread
