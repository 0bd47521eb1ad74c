// The pages of an existing PDF with their text over them.
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <memory>
#include <qpdf/Pl_OStream.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/pdf_font.h"
#include "formats/pdf_text.h"
#include "inkread/formats.h"

namespace inkread {
namespace {

// The matrix from px of the page as a viewer shows it, `width` x `height` with y downwards, to the page's own space.
std::array<double, 6> PageFromView(QPDFPageObjectHelper& page, int width, int height) {
  QPDFObjectHandle box = page.getCropBox();
  if (!box.isRectangle()) throw std::runtime_error("the page has no size");
  const QPDFObjectHandle::Rectangle r = box.getArrayAsRectangle();
  const double left = std::min(r.llx, r.urx), right = std::max(r.llx, r.urx);
  const double bottom = std::min(r.lly, r.ury), top = std::max(r.lly, r.ury);
  QPDFObjectHandle rotate = page.getAttribute("/Rotate", false);
  const int degrees = rotate.isInteger() ? ((rotate.getIntValueAsInt() % 360) + 360) % 360 : 0;
  const double x = (right - left) / width, y = (top - bottom) / height;                // upright
  const double x_turned = (top - bottom) / width, y_turned = (right - left) / height;  // by a quarter
  switch (degrees) {
    case 90:
      return {0, x_turned, y_turned, 0, left, bottom};
    case 180:
      return {-x, 0, 0, y, right, bottom};
    case 270:
      return {0, -x_turned, -y_turned, 0, right, top};
    default:
      return {x, 0, 0, -y, left, top};
  }
}

class PdfLayerWriter : public PageWriter {
 public:
  PdfLayerWriter(const std::string& path, std::ostream* out) : out_(*out) {
    try {
      pdf_.setSuppressWarnings(true);
      pdf_.processFile(path.c_str());
      pages_ = QPDFPageDocumentHelper(pdf_).getAllPages();
      fonts_ = std::make_unique<PdfFonts>(&pdf_);
    } catch (const std::exception&) {
      out_.setstate(std::ios::badbit);
    }
  }

  void Write(const Page& page) override {
    if (!out_ || !page.error.ok() || page.page > static_cast<int>(pages_.size())) return;
    try {
      AddText(page.reading, pages_[static_cast<size_t>(page.page) - 1]);
    } catch (const std::exception&) {
      out_.setstate(std::ios::badbit);
    }
  }

  void End() override {
    if (!out_) return;
    try {
      fonts_->Finish();
      Pl_OStream to_out("output", out_);
      QPDFWriter writer(pdf_);
      writer.setOutputPipeline(&to_out);
      writer.setDeterministicID(!pdf_.isEncrypted());  // which would need the encrypted bytes first
      writer.write();
    } catch (const std::exception&) {
      out_.setstate(std::ios::badbit);
    }
  }

 private:
  // A form of its own holds the text and its fonts, so that no name of the page's is touched. It comes before what the
  // page draws, which may leave another matrix.
  void AddText(const Reading& reading, QPDFPageObjectHelper& page) {
    if (reading.lines.empty()) return;
    const std::array<double, 6> matrix = PageFromView(page, reading.width_px, reading.height_px);
    const double points_per_px = std::max(std::abs(matrix[0]), std::abs(matrix[1]));
    QPDFObjectHandle form = QPDFObjectHandle::newStream(&pdf_, InvisibleText(reading, points_per_px, fonts_.get()));
    QPDFObjectHandle about = form.getDict();
    about.replaceKey("/Type", QPDFObjectHandle::newName("/XObject"));
    about.replaceKey("/Subtype", QPDFObjectHandle::newName("/Form"));
    about.replaceKey("/BBox", QPDFObjectHandle::parse("[0 0 " + std::to_string(reading.width_px) + ' ' +
                                                      std::to_string(reading.height_px) + ']'));
    QPDFObjectHandle numbers = QPDFObjectHandle::newArray();
    for (const double number : matrix) numbers.appendItem(QPDFObjectHandle::newReal(PdfNumber(number)));
    about.replaceKey("/Matrix", numbers);
    about.replaceKey("/Resources", QPDFObjectHandle::newDictionary({{"/Font", fonts_->dictionary()}}));

    QPDFObjectHandle resources = page.getAttribute("/Resources", true);
    if (!resources.isDictionary()) {
      resources = QPDFObjectHandle::newDictionary();
      page.getObjectHandle().replaceKey("/Resources", resources);
    }
    int suffix = 1;
    const std::string name = resources.getUniqueResourceName("/Text", suffix);
    resources.mergeResources(QPDFObjectHandle::parse("<< /XObject << >> >>"));
    QPDFObjectHandle objects = resources.getKey("/XObject").shallowCopy();  // other pages may share it
    objects.replaceKey(name, form);
    resources.replaceKey("/XObject", objects);
    page.addPageContents(QPDFObjectHandle::newStream(&pdf_, "q " + name + " Do Q\n"), true);
  }

  std::ostream& out_;
  QPDF pdf_;
  std::vector<QPDFPageObjectHelper> pages_;
  std::unique_ptr<PdfFonts> fonts_;
};

}  // namespace

std::unique_ptr<PageWriter> MakePdfLayerWriter(const std::string& path, std::ostream* out) {
  return std::make_unique<PdfLayerWriter>(path, out);
}

}  // namespace inkread
