// PDFs that are made here: which pages are read from their image, which are drawn, and what is said of bad ones.
#include "inkread/document.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include "base/mapped_file.h"
#include "codec/test_images.h"

namespace inkread {
namespace {

// A PDF in the making.
class PdfMaker {
 public:
  PdfMaker() { pdf_.emptyPDF(); }

  // A page of `box` points with these contents and one image /Im, whose dictionary is that of `image`.
  void AddPage(const std::string& contents, const std::string& image_dict = "", const std::string& image_data = "",
               const std::string& extra = "", const std::string& box = "[0 0 40 30]") {
    QPDFObjectHandle page = QPDFObjectHandle::parse("<< /Type /Page /MediaBox " + box +
                                                    " /Resources << /Font << /F << /Type /Font /Subtype /Type1 " +
                                                    "/BaseFont /Helvetica >> >> >> " + extra + " >>");
    page.replaceKey("/Contents", QPDFObjectHandle::newStream(&pdf_, contents));
    if (!image_dict.empty()) {
      QPDFObjectHandle image = QPDFObjectHandle::newStream(&pdf_, "");
      image.replaceDict(QPDFObjectHandle::parse("<< /Type /XObject /Subtype /Image " + image_dict + " >>"));
      QPDFObjectHandle dict = image.getDict();
      image.replaceStreamData(image_data, dict.getKey("/Filter"), QPDFObjectHandle::newNull());
      page.getKey("/Resources")
          .replaceKey("/XObject", QPDFObjectHandle::newDictionary({{"/Im", pdf_.makeIndirectObject(image)}}));
    }
    QPDFPageDocumentHelper(pdf_).addPage(QPDFPageObjectHelper(pdf_.makeIndirectObject(page)), false);
  }

  std::vector<uint8_t> Bytes(const std::string& password = "") {
    QPDFWriter writer(pdf_);
    writer.setOutputMemory();
    writer.setStreamDataMode(qpdf_s_preserve);
    if (!password.empty())
      writer.setR6EncryptionParameters(password.c_str(), "owner", true, true, true, true, true, true, qpdf_r3p_full,
                                       true);
    writer.write();
    const auto buffer = writer.getBufferSharedPointer();
    return {buffer->getBuffer(), buffer->getBuffer() + buffer->getSize()};
  }

 private:
  QPDF pdf_;
};

constexpr char kCover[] = "q 40 0 0 30 0 0 cm /Im Do Q";
constexpr char kRgb[] = "/Width 4 /Height 3 /BitsPerComponent 8 /ColorSpace /DeviceRGB";

// Twelve pixels of different colours, RGB.
std::string RgbPixels() {
  std::string pixels;
  for (int i = 0; i < 36; ++i) pixels += static_cast<char>(i * 7);
  return pixels;
}

std::unique_ptr<Document> Open(const std::vector<uint8_t>& bytes) {
  Result<std::unique_ptr<Document>> document = Document::Open(bytes);
  EXPECT_TRUE(document.ok()) << document.status().message();
  return document.ok() ? std::move(document).value() : nullptr;
}

Status ErrorOf(const std::vector<uint8_t>& bytes) { return Document::Open(bytes).status(); }

bool HasPdftoppm() { return std::system("pdftoppm -v > /dev/null 2>&1") == 0; }
#define SKIP_WITHOUT_PDFTOPPM() \
  if (!HasPdftoppm()) GTEST_SKIP() << "pdftoppm is not installed (Debian: poppler-utils)"

TEST(DocumentTest, APageThatIsAnImageIsThatImage) {
  PdfMaker maker;
  maker.AddPage(kCover, kRgb, RgbPixels());
  const auto bytes = maker.Bytes();
  const auto document = Open(bytes);
  ASSERT_NE(document, nullptr);
  EXPECT_TRUE(document->is_pdf());
  ASSERT_EQ(document->num_pages(), 1);
  const Result<DecodedImage> image = document->Decode(0);
  ASSERT_TRUE(image.ok()) << image.status().message();
  ASSERT_EQ(image->width_px, 4);
  ASSERT_EQ(image->height_px, 3);
  const std::string rgb = RgbPixels();
  for (size_t i = 0; i < 36; i += 3) {
    for (size_t c = 0; c < 3; ++c) EXPECT_EQ(image->pixels[i + c], static_cast<uint8_t>(rgb[i + 2 - c])) << i;
  }
}

TEST(DocumentTest, AJpegIsTakenAsItIs) {
  test::JpegSpec spec;
  spec.exif = test::ExifBlock(6, true);  // which viewers of PDFs do not look at
  const test::Bytes jpeg = test::WriteJpeg(spec, test::Samples(spec.width, spec.height, 3));
  DecodeOptions as_stored;
  as_stored.apply_exif_rotation = false;
  const Result<DecodedImage> expected = DecodeImage(jpeg, as_stored);
  ASSERT_TRUE(expected.ok());
  PdfMaker maker;
  const std::string size =
      "/Width " + std::to_string(expected->width_px) + " /Height " + std::to_string(expected->height_px);
  maker.AddPage(kCover, size + " /BitsPerComponent 8 /Filter /DCTDecode /ColorSpace /DeviceRGB",
                {jpeg.begin(), jpeg.end()});
  const auto bytes = maker.Bytes();
  const Result<DecodedImage> image = Open(bytes)->Decode(0);
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_EQ(image->pixels, expected->pixels);
}

TEST(DocumentTest, OneBitAndGreyAreUnpacked) {
  PdfMaker maker;
  maker.AddPage(kCover, "/Width 10 /Height 2 /BitsPerComponent 1 /ColorSpace /DeviceGray",
                std::string("\xAA\x80\x00\x40", 4));
  maker.AddPage(kCover, "/Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace [ /CalGray << >> ]", "\x01\x02\x03\x04");
  const auto bytes = maker.Bytes();
  const auto document = Open(bytes);
  Result<DecodedImage> image = document->Decode(0);
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_EQ(image->format, PixelFormat::kGray8);
  EXPECT_EQ(image->pixels, (std::vector<uint8_t>{255, 0, 255, 0, 255, 0, 255, 0, 255, 0,  //
                                                 0,   0, 0,   0, 0,   0, 0,   0, 0,   255}));
  image = document->Decode(1);
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_EQ(image->pixels, (std::vector<uint8_t>{1, 2, 3, 4}));
}

TEST(DocumentTest, RotateTurnsThePageClockwise) {
  PdfMaker maker;
  for (const int degrees : {90, 180, 270, -90, 450}) {
    maker.AddPage(kCover, "/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", "\x10\x20",
                  "/Rotate " + std::to_string(degrees));
  }
  const auto bytes = maker.Bytes();
  const auto document = Open(bytes);
  const auto first_bytes_of = [&](int page) {
    const Result<DecodedImage> image = document->Decode(page);
    EXPECT_TRUE(image.ok()) << image.status().message();
    return std::tuple(image->width_px, image->height_px, image->pixels[0], image->pixels[3]);
  };
  EXPECT_EQ(first_bytes_of(0), std::tuple(1, 2, 0x10, 0x20));
  EXPECT_EQ(first_bytes_of(1), std::tuple(2, 1, 0x20, 0x10));
  EXPECT_EQ(first_bytes_of(2), std::tuple(1, 2, 0x20, 0x10));
  EXPECT_EQ(first_bytes_of(3), first_bytes_of(2));
  EXPECT_EQ(first_bytes_of(4), first_bytes_of(0));
}

// Each of these would look different if its image were taken as it is. Drawn at 72 dpi they are 40 x 30.
TEST(DocumentTest, APageThatIsMoreThanAnImageIsDrawn) {
  SKIP_WITHOUT_PDFTOPPM();
  PdfMaker maker;
  const std::string rgb = RgbPixels();
  maker.AddPage("q 20 0 0 30 0 0 cm /Im Do Q", kRgb, rgb);                                       // half of the page
  maker.AddPage("q 40 0 0 -30 0 30 cm /Im Do Q", kRgb, rgb);                                     // upside down
  maker.AddPage("q -40 0 0 30 40 0 cm /Im Do Q", kRgb, rgb);                                     // mirrored
  maker.AddPage(std::string(kCover) + " BT /F 9 Tf 5 5 Td (text) Tj ET", kRgb, rgb);             // visible text
  maker.AddPage(std::string(kCover) + " 1 0 0 rg 0 0 9 9 re f", kRgb, rgb);                      // a path
  maker.AddPage(std::string("0 0 9 9 re W n ") + kCover, kRgb, rgb);                             // clipped
  maker.AddPage(std::string(kCover) + " " + kCover, kRgb, rgb);                                  // twice
  maker.AddPage(kCover, std::string(kRgb) + " /Decode [1 0 1 0 1 0]", rgb);                      // negative
  maker.AddPage(kCover, "/Width 4 /Height 3 /BitsPerComponent 8 /ColorSpace /DeviceCMYK", rgb);  // other colours
  maker.AddPage("BT /F 12 Tf 5 5 Td (text) Tj ET");                                              // no image
  const auto bytes = maker.Bytes();
  const auto document = Open(bytes);
  DocumentOptions options;
  options.dpi = 72;
  for (int page = 0; page < document->num_pages(); ++page) {
    const Result<DecodedImage> image = document->Decode(page, options);
    ASSERT_TRUE(image.ok()) << page << ": " << image.status().message();
    EXPECT_EQ(image->width_px, 40) << page;
    EXPECT_EQ(image->height_px, 30) << page;
  }
}

TEST(DocumentTest, ImagesThatAreNotDecodedHereAreDrawnPixelByPixel) {
  SKIP_WITHOUT_PDFTOPPM();
  PdfMaker maker;
  maker.AddPage(kCover, "/Width 80 /Height 60 /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 1 <000000FFFFFF>]",
                std::string(4800, '\1'));
  const auto bytes = maker.Bytes();
  const Result<DecodedImage> image = Open(bytes)->Decode(0);
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_EQ(image->width_px, 80);
  EXPECT_EQ(image->height_px, 60);
  EXPECT_EQ(image->pixels[0], 255);
}

TEST(DocumentTest, PagesAreDrawnAt200DpiAndPostersSmaller) {
  SKIP_WITHOUT_PDFTOPPM();
  PdfMaker maker;
  maker.AddPage("BT /F 12 Tf 5 5 Td (text) Tj ET", "", "", "", "[0 0 36 72]");
  maker.AddPage("BT /F 12 Tf 5 5 Td (text) Tj ET", "", "", "", "[0 0 7200 7200]");
  const auto bytes = maker.Bytes();
  const auto document = Open(bytes);
  Result<DecodedImage> image = document->Decode(0);
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_EQ(image->width_px, 100);
  EXPECT_EQ(image->height_px, 200);
  DocumentOptions options;
  options.decode.max_pixels = 250'000;
  image = document->Decode(1, options);
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_NEAR(image->width_px, 500, 8);  // whose dpi is found in steps
  options.dpi = 72;
  EXPECT_EQ(document->Decode(1, options).status().code(), StatusCode::kInvalidArgument);
  options.decode.max_pixels = 11;
  PdfMaker large;
  large.AddPage(kCover, kRgb, RgbPixels());
  const auto large_bytes = large.Bytes();
  EXPECT_NE(Open(large_bytes)->Decode(0, options).status().message().find("4 x 3 = 12 pixels"), std::string::npos);
}

TEST(DocumentTest, TellsPagesWithText) {
  PdfMaker maker;
  maker.AddPage(kCover, kRgb, RgbPixels());
  maker.AddPage(std::string(kCover) + " BT 3 Tr /F 9 Tf 5 5 Td (text) Tj ET", kRgb, RgbPixels());
  maker.AddPage("BT /F 9 Tf 5 5 Td [(t) 3 (ext)] TJ ET");
  const auto bytes = maker.Bytes();
  const auto document = Open(bytes);
  EXPECT_FALSE(document->HasText(0));
  EXPECT_TRUE(document->HasText(1));
  EXPECT_TRUE(document->HasText(2));
  EXPECT_FALSE(document->HasText(3));
  // Invisible text under a scan does not keep it from being read as the image that it is.
  EXPECT_EQ(document->Decode(1)->width_px, 4);
}

TEST(DocumentTest, BadFilesAreRefusedWithTheReason) {
  PdfMaker maker;
  maker.AddPage(kCover, kRgb, RgbPixels());
  EXPECT_EQ(ErrorOf(maker.Bytes("secret")).message(), "PDF: needs a password");
  const std::string text = "%PDF-1.7\nand nothing else";
  EXPECT_EQ(ErrorOf({text.begin(), text.end()}).code(), StatusCode::kCorruptImage);
  PdfMaker empty;
  EXPECT_EQ(ErrorOf(empty.Bytes()).message(), "PDF: has no pages");
  std::vector<uint8_t> bytes = maker.Bytes();
  EXPECT_EQ(Open(bytes)->Decode(1).status().message(), "PDF: page 1 was requested, the file has 1");
  // A loop in the tree of pages.
  const std::string loop =
      "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Count 1/Kids[2 0 R]>>\nendobj\n"
      "trailer\n<</Root 1 0 R>>\n";
  EXPECT_EQ(ErrorOf({loop.begin(), loop.end()}).code(), StatusCode::kCorruptImage);
}

// A page whose stream unpacks to far more than its image needs is not unpacked; the other pages are read.
TEST(DocumentTest, ABadPageLeavesTheOthers) {
  SKIP_WITHOUT_PDFTOPPM();
  PdfMaker maker;
  maker.AddPage(kCover, kRgb, std::string(size_t{64} << 20, '\0'));
  maker.AddPage(std::string(size_t{9} << 20, ' ') + kCover, kRgb, RgbPixels());
  maker.AddPage(kCover, kRgb, "short");
  maker.AddPage(kCover, kRgb, RgbPixels());
  maker.AddPage("", "", "", "", "[0 0 0 0]");
  const auto bytes = maker.Bytes();
  const auto document = Open(bytes);
  for (const int page : {0, 1, 2, 3}) {
    const Result<DecodedImage> image = document->Decode(page);
    EXPECT_TRUE(image.ok()) << page << ": " << image.status().message();
  }
  EXPECT_EQ(document->Decode(3)->width_px, 4);
}

TEST(DocumentTest, ImagesAreDocumentsToo) {
  const Result<MappedFile> file = MappedFile::Open(INKREAD_SOURCE_DIR "/samples/receipt.png");
  ASSERT_TRUE(file.ok());
  const Result<std::unique_ptr<Document>> document = Document::Open(file->bytes());
  ASSERT_TRUE(document.ok());
  EXPECT_FALSE((*document)->is_pdf());
  EXPECT_EQ((*document)->num_pages(), 1);
  EXPECT_FALSE((*document)->HasText(0));
  EXPECT_EQ((*document)->Decode(0)->pixels, DecodeImage(file->bytes())->pixels);
}

}  // namespace
}  // namespace inkread
