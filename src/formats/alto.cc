// ALTO 4.
#include <algorithm>
#include <string>

#include "formats/placed_words.h"
#include "formats/xml.h"
#include "inkread/formats.h"

namespace inkread {
namespace {

class AltoWriter : public PageWriter {
 public:
  AltoWriter(const RunInfo& info, std::ostream* out) : version_(info.version), out_(*out) {}

  void Write(const Page& page) override {
    ++page_;
    if (!page.error.ok()) return;
    Begin(page.file);
    const Reading& reading = page.reading;
    out_ << "<Page ID=\"page_" << page_ << "\" WIDTH=\"" << reading.width_px << "\" HEIGHT=\"" << reading.height_px
         << "\" PHYSICAL_IMG_NR=\"" << page_ << "\">\n<PrintSpace";
    PutBox({0, 0, reading.width_px, reading.height_px});
    out_ << ">\n";
    int line_number = 0, word_number = 0;
    for (const Line& line : reading.lines) {
      const std::vector<PlacedWord> words = PlacedWords(line);
      if (words.empty()) continue;
      ++line_number;
      out_ << "<TextBlock ID=\"block_" << page_ << '_' << line_number << '"';
      PutBox(BoundsOf(line.quad));
      out_ << ">\n<TextLine ID=\"line_" << page_ << '_' << line_number << '"';
      PutBox(BoundsOf(line.quad));
      out_ << ">\n";
      PutShape(line.quad);
      for (const PlacedWord& placed : words) {
        if (placed.space_before) out_ << "<SP/>\n";
        out_ << "<String ID=\"word_" << page_ << '_' << ++word_number << '"';
        PutBox(BoundsOf(placed.word.quad));
        out_ << " CONTENT=\"" << XmlText(placed.word.text) << "\" WC=\"" << std::clamp(placed.word.score, 0.f, 1.f)
             << "\">\n";
        PutShape(placed.word.quad);
        out_ << "</String>\n";
      }
      out_ << "</TextLine>\n</TextBlock>\n";
    }
    out_ << "</PrintSpace>\n</Page>\n" << std::flush;
  }

  void End() override {
    if (!begun_) {
      Begin("");
      PutEmptyPage();
    }
    out_ << "</Layout>\n</alto>\n";
  }

 private:
  void Begin(const std::string& file) {
    if (begun_) return;
    begun_ = true;
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<alto xmlns=\"http://www.loc.gov/standards/alto/ns-v4#\" "
            "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
            "xsi:schemaLocation=\"http://www.loc.gov/standards/alto/ns-v4# "
            "http://www.loc.gov/standards/alto/v4/alto-4-4.xsd\">\n"
            "<Description>\n<MeasurementUnit>pixel</MeasurementUnit>\n"
            "<sourceImageInformation><fileName>"
         << XmlText(FileNameText(file))
         << "</fileName></sourceImageInformation>\n"
            "<Processing ID=\"ocr\"><processingCategory>contentGeneration</processingCategory><processingSoftware>"
            "<softwareName>inkread</softwareName><softwareVersion>"
         << XmlText(version_) << "</softwareVersion></processingSoftware></Processing>\n</Description>\n<Layout>\n";
  }

  // A layout must have a page, also where none was read.
  void PutEmptyPage() { out_ << "<Page ID=\"page_0\" PHYSICAL_IMG_NR=\"0\" QUALITY=\"Missing\"/>\n"; }

  void PutBox(const Bounds& box) {
    out_ << " HPOS=\"" << box.left << "\" VPOS=\"" << box.top << "\" WIDTH=\"" << box.width() << "\" HEIGHT=\""
         << box.height() << '"';
  }

  void PutShape(const std::array<Point, 4>& quad) {
    out_ << "<Shape><Polygon POINTS=\"";
    for (size_t i = 0; i < quad.size(); ++i) out_ << (i == 0 ? "" : " ") << quad[i].x << ',' << quad[i].y;
    out_ << "\"/></Shape>\n";
  }

  std::string version_;
  std::ostream& out_;
  bool begun_ = false;  // by the first page that was read
  int page_ = 0;
};

}  // namespace

std::unique_ptr<PageWriter> MakeAltoWriter(const RunInfo& info, std::ostream* out) {
  return std::make_unique<AltoWriter>(info, out);
}

}  // namespace inkread
