// A PDF as a source of pages: libqpdf reads its objects, and pdftoppm draws the pages that are more than an image.
#ifndef INKREAD_DOCUMENT_PDF_FILE_H_
#define INKREAD_DOCUMENT_PDF_FILE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"
#include "inkread/document.h"

namespace inkread {

class PdfFile {
 public:
  // path    of the file whose bytes these are, for the process that draws its pages; empty: it gets a copy of the bytes
  // Errors  kCorruptImage (no PDF, or one whose pages cannot be listed; no pages), kUnsupported (needs a password),
  //         kOutOfMemory
  static Result<std::unique_ptr<PdfFile>> Open(std::span<const uint8_t> bytes, const std::string& path);
  virtual ~PdfFile() = default;

  virtual int num_pages() const = 0;
  // page    from 0
  // Errors  kCorruptImage, kUnsupported, kInvalidArgument (more than max_pixels), kNotFound (pdftoppm), kOutOfMemory
  virtual Result<DecodedImage> Decode(int page, const DocumentOptions& options) = 0;
  // Whether the page shows text, visible or not. False if that cannot be told.
  virtual bool HasText(int page) = 0;
};

}  // namespace inkread

#endif  // INKREAD_DOCUMENT_PDF_FILE_H_
