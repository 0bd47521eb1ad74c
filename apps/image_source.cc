#include "apps/image_source.h"

#include "apps/clock.h"

namespace inkread {

ImageSource::ImageSource(std::vector<Input> inputs, const DecodeOptions& options, bool keep_jpeg)
    : inputs_(std::move(inputs)), options_(options), keep_jpeg_(keep_jpeg) {}

// Opens the next file first where none is open.
Result<DecodedImage> ImageSource::DecodeNextPage() {
  if (!file_.has_value()) {
    const Input& input = inputs_[next_input_];
    if (!input.error.ok()) return input.error;
    Result<FileBytes> bytes = ReadImageBytes(input, MaxBytesRead(options_.max_pixels));
    if (!bytes.ok()) return bytes.status();
    bytes_ = std::move(*bytes);
    Result<ImageFile> file = ImageFile::Open(bytes_.bytes());
    if (!file.ok()) return file.status();
    file_ = std::move(*file);
    next_page_ = 0;
  }
  return file_->Decode(next_page_, options_);
}

std::optional<LoadedImage> ImageSource::Next() {
  if (next_input_ >= inputs_.size()) return std::nullopt;
  const auto start = Clock::now();
  LoadedImage loaded;
  loaded.input = next_input_;
  loaded.file = inputs_[next_input_].path;
  loaded.decoded = DecodeNextPage();
  if (keep_jpeg_ && file_.has_value() && file_->kind() == ImageKind::kJpeg) {
    loaded.jpeg.assign(bytes_.bytes().begin(), bytes_.bytes().end());
  }
  if (file_.has_value()) {
    loaded.page = ++next_page_;
    loaded.pages = file_->num_pages();
  }
  if (!file_.has_value() || next_page_ >= file_->num_pages()) {
    file_.reset();
    bytes_ = FileBytes();
    ++next_input_;
  }
  loaded.load_ms = MillisecondsSince(start);
  return loaded;
}

}  // namespace inkread
