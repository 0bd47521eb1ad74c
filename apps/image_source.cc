#include "apps/image_source.h"

#include "apps/clock.h"

namespace inkread {

ImageSource::ImageSource(std::vector<Input> inputs, const LoadOptions& options)
    : inputs_(std::move(inputs)), options_(options) {}

bool ImageSource::IsWanted(int page) {
  const size_t i = static_cast<size_t>(page);
  if (i < skipped_.size() && skipped_[i]) return false;
  return options_.pages.Has(page + 1) && !(options_.passes_text && file_->HasText(page));
}

void ImageSource::PassUnwantedPages() {
  while (next_page_ < file_->num_pages() && !IsWanted(next_page_)) ++next_page_;
}

// Opens the next file first where none is open.
Result<DecodedImage> ImageSource::DecodeNextPage() {
  if (file_ == nullptr) {
    const Input& input = inputs_[next_input_];
    if (!input.error.ok()) return input.error;
    Result<FileBytes> bytes = ReadImageBytes(input, MaxBytesRead(options_.document.decode.max_pixels));
    if (!bytes.ok()) return bytes.status();
    bytes_ = std::move(*bytes);
    Result<std::unique_ptr<Document>> file = Document::Open(bytes_.bytes(), input.is_stdin ? "" : input.path);
    if (!file.ok()) return file.status();
    file_ = std::move(*file);
    next_page_ = 0;
    PassUnwantedPages();
    if (next_page_ == file_->num_pages()) {
      std::string why = "none of its " + std::to_string(next_page_) + " pages is to be read:";
      if (!options_.pages.text().empty()) why += " --pages " + options_.pages.text();
      if (options_.passes_text) why += " pages with text are passed over";
      return Status(StatusCode::kInvalidArgument, std::move(why));
    }
  }
  return file_->Decode(next_page_, options_.document);
}

std::optional<LoadedImage> ImageSource::Next() {
  if (next_input_ >= inputs_.size()) return std::nullopt;
  const auto start = Clock::now();
  LoadedImage loaded;
  loaded.input = next_input_;
  loaded.file = inputs_[next_input_].path;
  loaded.decoded = DecodeNextPage();
  if (options_.keeps_jpeg && file_ != nullptr && SniffImage(bytes_.bytes()) == ImageKind::kJpeg)
    loaded.jpeg.assign(bytes_.bytes().begin(), bytes_.bytes().end());
  if (file_ != nullptr && next_page_ < file_->num_pages()) {
    loaded.page = ++next_page_;
    loaded.pages = file_->num_pages();
    PassUnwantedPages();
  }
  if (file_ == nullptr || next_page_ >= file_->num_pages()) {
    file_.reset();
    bytes_ = FileBytes();
    skipped_.clear();
    ++next_input_;
  }
  loaded.load_ms = MillisecondsSince(start);
  return loaded;
}

}  // namespace inkread
