// Files with pages, PDF among them: what codec.h is for images, for documents.
//
// Link inkread::document. A PDF's page that is one image is read from that image; any other is drawn by pdftoppm
// (Debian: poppler-utils), which runs as a process of its own with limits on its memory and time.
#ifndef INKREAD_DOCUMENT_H_
#define INKREAD_DOCUMENT_H_

#include "inkread/config.h"
// The standard's headers come second, so that an older C++ meets the line above first.
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "inkread/codec.h"
#include "inkread/status.h"

namespace inkread {

struct DocumentOptions {
  DecodeOptions decode;
  // Resolution at which pages of a PDF are drawn. 0: 200, or less for pages that would have more than 40 megapixels.
  double dpi = 0;
};

// True if the first bytes are those of a PDF: "%PDF-" within the first 1024.
INKREAD_API bool LooksLikePdf(std::span<const uint8_t> first_bytes);

// A document in memory, opened so that its pages are known.
//
// Threads  for use by one thread at a time
class Document {
 public:
  // bytes   of a PDF or an image file; must stay alive and unchanged as long as the object
  // path    of the file, if it has one: pages that are drawn need then not be copied to the other process
  // Errors  of ImageFile::Open; for a PDF kCorruptImage (its pages cannot be listed), kUnsupported (it needs a password)
  INKREAD_API static Result<std::unique_ptr<Document>> Open(std::span<const uint8_t> bytes,
                                                            const std::string& path = "");
  INKREAD_API ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  INKREAD_API bool is_pdf() const;
  INKREAD_API int num_pages() const;

  // page    from 0
  // Errors  of ImageFile::Decode; for a PDF also kNotFound (pdftoppm is not installed)
  INKREAD_API Result<DecodedImage> Decode(int page, const DocumentOptions& options = {});

  // Whether a page of a PDF has a text layer, visible or not. False for images.
  INKREAD_API bool HasText(int page);

 private:
  struct Impl;
  explicit Document(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace inkread

#endif  // INKREAD_DOCUMENT_H_
