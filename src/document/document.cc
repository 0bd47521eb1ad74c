#include "inkread/document.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "document/pdf_file.h"

namespace inkread {

bool LooksLikePdf(std::span<const uint8_t> first_bytes) {
  const std::string_view text(reinterpret_cast<const char*>(first_bytes.data()),
                              std::min<size_t>(first_bytes.size(), 1024));
  return text.find("%PDF-") != std::string_view::npos;
}

struct Document::Impl {
  std::unique_ptr<PdfFile> pdf;
  std::optional<ImageFile> image;  // without a pdf
};

Document::Document(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Document::~Document() = default;

Result<std::unique_ptr<Document>> Document::Open(std::span<const uint8_t> bytes, const std::string& path) {
  return WithoutExceptions([&]() -> Result<std::unique_ptr<Document>> {
    auto impl = std::make_unique<Impl>();
    if (SniffImage(bytes) == ImageKind::kNone && LooksLikePdf(bytes)) {
      INKREAD_ASSIGN_OR_RETURN(impl->pdf, PdfFile::Open(bytes, path));
    } else {
      INKREAD_ASSIGN_OR_RETURN(impl->image, ImageFile::Open(bytes));
    }
    return std::unique_ptr<Document>(new Document(std::move(impl)));
  });
}

bool Document::is_pdf() const { return impl_->pdf != nullptr; }

int Document::num_pages() const { return is_pdf() ? impl_->pdf->num_pages() : impl_->image->num_pages(); }

Result<DecodedImage> Document::Decode(int page, const DocumentOptions& options) {
  if (!is_pdf()) return impl_->image->Decode(page, options.decode);
  if (page < 0 || page >= num_pages())
    return InvalidArgument("PDF: page ", page, " was requested, the file has ", num_pages());
  return WithoutExceptions([&] { return impl_->pdf->Decode(page, options); });
}

bool Document::HasText(int page) { return is_pdf() && page >= 0 && page < num_pages() && impl_->pdf->HasText(page); }

}  // namespace inkread
