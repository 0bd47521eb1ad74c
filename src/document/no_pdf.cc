// In place of pdf_file.cc in a build without libqpdf.
#include "document/pdf_file.h"

namespace inkread {

Result<std::unique_ptr<PdfFile>> PdfFile::Open(std::span<const uint8_t>, const std::string&) {
  return Unsupported("PDF: this build has no libqpdf (Debian: libqpdf-dev)");
}

}  // namespace inkread
