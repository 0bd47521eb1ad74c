// What was read, written down: text, JSON, tables, and the image with its lines drawn on it.
//
//   auto writer = inkread::MakeJsonLinesWriter({}, &std::cout);
//   inkread::Page page;
//   page.file = "photo.jpg";
//   page.reading = *std::move(reading);
//   writer->Write(page);
//   writer->End();
//
// The functions work on readings in memory and need no engine. docs/formats.md describes each format.
#ifndef INKREAD_FORMATS_H_
#define INKREAD_FORMATS_H_

#include "inkread/config.h"
// The standard's headers come second, so that an older C++ meets the line above first.
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inkread/codec.h"
#include "inkread/ocr.h"
#include "inkread/status.h"

namespace inkread {

// One page of one file, read or failed.
struct Page {
  std::string file;  // any bytes
  int page = 1;      // from 1
  int pages = 1;     // of the file
  Status error;
  Reading reading;                    // when error.ok()
  std::vector<std::string> warnings;  // of the file and of the reading
  double load_ms = 0;                 // wall-clock milliseconds to load and decode the image
  // For the PDF only, during Write: the pixels that were read, and the file that they are from where it is a JPEG.
  const DecodedImage* image = nullptr;
  std::span<const uint8_t> jpeg;
};

// What documents say about the engine, and which parts of lines were asked for.
struct RunInfo {
  std::string version;
  ModelSize size = ModelSize::kSmall;
  Precision precision = Precision::kPrecise;
  ReadOptions read;
  bool times = true;  // whether images have `ms` in JSON; without it the same images give the same bytes
};

// Writes pages to a stream, each as soon as it is there, so that a long run can be followed and needs no memory for old
// pages. The stream must outlive the writer. Whether writing failed is the stream's state.
class PageWriter {
 public:
  virtual ~PageWriter() = default;
  virtual void Write(const Page& page) = 0;
  // Completes the document; nothing is written after it.
  virtual void End() {}
  // Whether the format has a place for errors and warnings.
  virtual bool carries_warnings() const { return false; }
};

enum class OutputFormat { kText, kLayout, kJson, kJsonLines, kTsv, kHocr, kAlto, kPdf };

// Whether the format has words as its smallest part, so that pages should be read with ReadOptions::words.
INKREAD_API bool IsByWord(OutputFormat format);

// The writer of a format, of those below.
//
// headed   as for MakeTextWriter; of no concern to other formats than text
// Returns  null for a value that is no OutputFormat
INKREAD_API std::unique_ptr<PageWriter> MakePageWriter(OutputFormat format, const RunInfo& info, bool headed,
                                                       std::ostream* out);

// The text of each line, without lines whose text is empty. With `headed`, a line with the name of the file (and the
// page) comes before each page.
INKREAD_API std::unique_ptr<PageWriter> MakeTextWriter(bool headed, std::ostream* out);

// The same with lines where they stand on the page, for a typeface whose characters are equally wide: lines beside each
// other share a row, and large gaps are empty rows. The page is upright, whichever way it lies in the image.
INKREAD_API std::unique_ptr<PageWriter> MakeLayoutWriter(bool headed, std::ostream* out);

// The table of `tesseract ... tsv`: a head line, then rows for the page (level 1), blocks (2), paragraphs (3), lines
// (4) and words (5). Each line is a block and a paragraph of its own. page_num counts the pages that were handed over,
// failed ones too; conf is the score in percent, -1 above words. Lines without words (ReadOptions::words) are one word
// each; so they are in hOCR and ALTO.
INKREAD_API std::unique_ptr<PageWriter> MakeTsvWriter(std::ostream* out);

// hOCR 1.2: ocr_page, ocr_line with its angle, ocrx_word with its confidence in percent.
INKREAD_API std::unique_ptr<PageWriter> MakeHocrWriter(const RunInfo& info, std::ostream* out);

// ALTO 4.4, in pixels, each line a block of its own; lines and words also with their corners. The document has a place
// for one file name only: that of the first page that was read.
INKREAD_API std::unique_ptr<PageWriter> MakeAltoWriter(const RunInfo& info, std::ostream* out);

// A PDF, written to the rules of PDF/A-2b, with a page for each image and its text over it, word by word, invisible but
// there to be searched, selected and copied. A grey or YCbCr JPEG goes in as it is, with the orientation that its EXIF
// tag asks for; other images without loss, black and white ones with 1 bit a pixel. Pages are as large as the image's
// resolution says if that is 50 to 2400 dpi, else as at 300 dpi. Failed pages and those without an image are left out.
// Images and text go to a temporary file until End() writes the document, so memory does not grow with the images. An
// error of either file sets the stream's badbit.
INKREAD_API std::unique_ptr<PageWriter> MakePdfWriter(std::ostream* out);

// The PDF at `path` with the same text over the pages that were read, which are pages of it (Document). Everything else
// stays: other pages, images, outlines, attachments, forms. The file is read until End() returns. An error, of the file
// too, sets the stream's badbit.
INKREAD_API std::unique_ptr<PageWriter> MakePdfLayerWriter(const std::string& path, std::ostream* out);

// One document: {"schema": 1, "engine": {...}, "images": [...]}. FileNameText says how a name that is not UTF-8 is
// written.
INKREAD_API std::unique_ptr<PageWriter> MakeJsonWriter(const RunInfo& info, std::ostream* out);

// One element of `images` on each line.
INKREAD_API std::unique_ptr<PageWriter> MakeJsonLinesWriter(const RunInfo& info, std::ostream* out);

// The name of a file, which is any bytes, as UTF-8. Each byte that is not part of UTF-8 becomes U+FFFD and two digits
// in upper case: byte E9 the three characters "\uFFFDE9". So do the three bytes of a U+FFFD in the name itself, so that
// different names stay different and every name can be had back.
INKREAD_API std::string FileNameText(std::string_view name);

enum class OverlayFormat { kPng, kJpeg };

// Draws the quads of the lines, and of their words and characters where they have any, as outlines, and at each top
// left corner of a line its number in reading order, from 1. Outlines are wider on larger images, and have a white border
// where they would not stand out from the ground.
//
// Returns  a file in the size of the image
// Errors   as EncodePng or EncodeJpeg; kInvalidArgument (format out of range)
INKREAD_API Result<std::vector<uint8_t>> DrawOverlay(const DecodedImage& image, std::span<const Line> lines,
                                                     OverlayFormat format = OverlayFormat::kPng);

}  // namespace inkread

#endif  // INKREAD_FORMATS_H_
