// Searchable PDF.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <qpdf/Pl_Flate.hh>
#include <qpdf/Pl_OStream.hh>
#include <qpdf/Pl_StdioFile.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFWriter.hh>
#include <stdexcept>
#include <string>

#include "formats/pdf_font.h"
#include "formats/pdf_text.h"
#include "formats/srgb_profile.h"
#include "inkread/formats.h"

namespace inkread {
namespace {

using File = std::shared_ptr<std::FILE>;

// A part of the temporary file, as the data of a stream.
class FilePart : public QPDFObjectHandle::StreamDataProvider {
 public:
  FilePart(File file, long begin, long end) : file_(std::move(file)), begin_(begin), end_(end) {}

  void provideStreamData(QPDFObjGen const&, Pipeline* pipeline) override {
    if (std::fseek(file_.get(), begin_, SEEK_SET) != 0) throw std::runtime_error("the temporary file cannot be read");
    std::array<unsigned char, 65536> buffer;
    for (long left = end_ - begin_; left > 0;) {
      const size_t wanted = std::min<size_t>(buffer.size(), static_cast<size_t>(left));
      if (std::fread(buffer.data(), 1, wanted, file_.get()) != wanted) {
        throw std::runtime_error("the temporary file cannot be read");
      }
      pipeline->write(buffer.data(), wanted);
      left -= static_cast<long>(wanted);
    }
    pipeline->finish();
  }

 private:
  File file_;
  long begin_, end_;
};

// The matrix that puts the unit square of an image as stored upright onto a page of `w` x `h` px whose y grows
// downwards, by its EXIF orientation.
std::array<int, 6> Placed(int orientation, int w, int h) {
  switch (orientation) {
    case 2:
      return {-w, 0, 0, -h, w, h};
    case 3:
      return {-w, 0, 0, h, w, 0};
    case 4:
      return {w, 0, 0, h, 0, 0};
    case 5:
      return {0, h, -w, 0, w, 0};
    case 6:
      return {0, h, w, 0, 0, 0};
    case 7:
      return {0, -h, w, 0, 0, h};
    case 8:
      return {0, -h, -w, 0, w, h};
    default:
      return {w, 0, 0, -h, 0, h};
  }
}

constexpr char kMetadata[] =
    "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
    "<rdf:Description rdf:about=\"\" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\">"
    "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>\n"
    "</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"w\"?>\n";

class PdfWriter : public PageWriter {
 public:
  explicit PdfWriter(std::ostream* out)
      : out_(*out), file_(std::tmpfile(), [](std::FILE* f) {
          if (f) std::fclose(f);
        }) {
    if (file_ == nullptr) out_.setstate(std::ios::badbit);
    pdf_.emptyPDF();
    fonts_ = std::make_unique<PdfFonts>(&pdf_);
  }

  void Write(const Page& page) override {
    if (!page.error.ok() || page.image == nullptr || !out_) return;
    try {
      AddPage(page);
    } catch (const std::exception&) {
      out_.setstate(std::ios::badbit);
    }
  }

  void End() override {
    if (!out_) return;
    try {
      Finish();
    } catch (const std::exception&) {
      out_.setstate(std::ios::badbit);
    }
  }

 private:
  void AddPage(const Page& page) {
    constexpr double kDefaultDpi = 300, kMinDpi = 50, kMaxDpi = 2400, kPointsPerInch = 72, kMaxPoints = 14400;
    const int width = page.image->width_px, height = page.image->height_px;
    double dpi = page.image->dpi;
    int orientation = 1;
    QPDFObjectHandle image;
    if (const Result<JpegHeader> jpeg = ReadJpegHeader(page.jpeg); jpeg.ok()) {
      const bool is_turned = jpeg->orientation >= 5;
      const bool fits = (is_turned ? jpeg->height_px : jpeg->width_px) == width &&
                        (is_turned ? jpeg->width_px : jpeg->height_px) == height;
      if (jpeg->is_common && fits) {
        orientation = jpeg->orientation;
        image = ImageOf(jpeg->width_px, jpeg->height_px, jpeg->channels == 1 ? "/DeviceGray" : "/DeviceRGB", 8,
                        "/DCTDecode", [&](Pipeline* to) { to->write(page.jpeg.data(), page.jpeg.size()); });
      }
    }
    if (!image.isInitialized()) image = LosslessImage(*page.image);
    if (!(dpi >= kMinDpi && dpi <= kMaxDpi)) dpi = kDefaultDpi;
    const double scale = std::min(kPointsPerInch / dpi, kMaxPoints / std::max(width, height));

    std::string content = PdfNumber(scale) + " 0 0 " + PdfNumber(-scale) + " 0 " + PdfNumber(height * scale) + " cm q ";
    for (const int value : Placed(orientation, width, height)) content += std::to_string(value) + ' ';
    content += "cm /Im Do Q\n" + InvisibleText(page.reading, scale, fonts_.get());

    QPDFObjectHandle object =
        QPDFObjectHandle::parse("<< /Type /Page /Resources << /XObject << >> >> /MediaBox [0 0 " +
                                PdfNumber(width * scale) + ' ' + PdfNumber(height * scale) + "] >>");
    object.getKey("/Resources").getKey("/XObject").replaceKey("/Im", image);
    object.getKey("/Resources").replaceKey("/Font", fonts_->dictionary());
    object.replaceKey("/Contents", Compressed([&](Pipeline* to) {
                        to->write(reinterpret_cast<const unsigned char*>(content.data()), content.size());
                      }));
    pdf_.addPage(pdf_.makeIndirectObject(object), false);
  }

  // A stream whose data `write` puts into the temporary file.
  template <typename Write>
  QPDFObjectHandle StreamOf(const std::string& filter, const Write& write) {
    if (std::fseek(file_.get(), 0, SEEK_END) != 0) throw std::runtime_error("the temporary file cannot be written");
    const long begin = std::ftell(file_.get());
    Pl_StdioFile to_file("temporary file", file_.get());
    write(&to_file);
    to_file.finish();
    QPDFObjectHandle stream = pdf_.newStream();
    stream.replaceStreamData(std::make_shared<FilePart>(file_, begin, std::ftell(file_.get())),
                             QPDFObjectHandle::newName(filter), QPDFObjectHandle::newNull());
    return stream;
  }

  template <typename Write>
  QPDFObjectHandle Compressed(const Write& write) {
    return StreamOf("/FlateDecode", [&](Pipeline* to) {
      Pl_Flate flate("compressed", to, Pl_Flate::a_deflate);
      write(&flate);
      flate.finish();
    });
  }

  template <typename Write>
  QPDFObjectHandle ImageOf(int width, int height, const char* space, int bits, const std::string& filter,
                           const Write& write) {
    QPDFObjectHandle stream = filter == "/FlateDecode" ? Compressed(write) : StreamOf(filter, write);
    QPDFObjectHandle about = stream.getDict();
    about.replaceKey("/Type", QPDFObjectHandle::newName("/XObject"));
    about.replaceKey("/Subtype", QPDFObjectHandle::newName("/Image"));
    about.replaceKey("/Width", QPDFObjectHandle::newInteger(width));
    about.replaceKey("/Height", QPDFObjectHandle::newInteger(height));
    about.replaceKey("/ColorSpace", QPDFObjectHandle::newName(space));
    about.replaceKey("/BitsPerComponent", QPDFObjectHandle::newInteger(bits));
    return stream;
  }

  QPDFObjectHandle LosslessImage(const DecodedImage& image) {
    const int width = image.width_px, height = image.height_px;
    const bool grey = image.format == PixelFormat::kGray8;
    const bool black_and_white =
        grey && std::all_of(image.pixels.begin(), image.pixels.end(), [](uint8_t v) { return v == 0 || v == 255; });
    const auto write = [&](Pipeline* to) {
      std::vector<unsigned char> row;
      for (int y = 0; y < height; ++y) {
        const uint8_t* pixels = image.pixels.data() + y * image.stride_bytes;
        if (black_and_white) {
          row.assign((static_cast<size_t>(width) + 7) / 8, 0);
          for (int x = 0; x < width; ++x) row[x / 8] |= (pixels[x] & 1) << (7 - x % 8);
        } else {
          row.assign(pixels, pixels + static_cast<ptrdiff_t>(width) * (grey ? 1 : 3));
          for (size_t x = 0; !grey && x < row.size(); x += 3) std::swap(row[x], row[x + 2]);  // BGR to RGB
        }
        to->write(row.data(), row.size());
      }
    };
    return ImageOf(width, height, grey ? "/DeviceGray" : "/DeviceRGB", black_and_white ? 1 : 8, "/FlateDecode", write);
  }

  void Finish() {
    fonts_->Finish();
    QPDFObjectHandle root = pdf_.getRoot();
    QPDFObjectHandle metadata = pdf_.newStream(kMetadata);
    metadata.getDict().replaceKey("/Type", QPDFObjectHandle::newName("/Metadata"));
    metadata.getDict().replaceKey("/Subtype", QPDFObjectHandle::newName("/XML"));
    root.replaceKey("/Metadata", metadata);
    QPDFObjectHandle profile = pdf_.newStream(SrgbProfile());
    profile.getDict().replaceKey("/N", QPDFObjectHandle::newInteger(3));
    QPDFObjectHandle intent = QPDFObjectHandle::parse(
        "<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) /Info (sRGB) >>");
    intent.replaceKey("/DestOutputProfile", profile);
    root.replaceKey("/OutputIntents", QPDFObjectHandle::newArray({intent}));

    Pl_OStream to_out("output", out_);
    QPDFWriter writer(pdf_);
    writer.setOutputPipeline(&to_out);
    writer.setMinimumPDFVersion("1.7");
    writer.setObjectStreamMode(qpdf_o_generate);
    writer.setDeterministicID(true);
    writer.write();
  }

  std::ostream& out_;
  File file_;
  QPDF pdf_;
  std::unique_ptr<PdfFonts> fonts_;
};

}  // namespace

std::unique_ptr<PageWriter> MakePdfWriter(std::ostream* out) { return std::make_unique<PdfWriter>(out); }

}  // namespace inkread
