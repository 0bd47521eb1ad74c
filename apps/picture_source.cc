#include "apps/picture_source.h"

#include "apps/clock.h"

namespace inkread {

PictureSource::PictureSource(std::vector<Input> inputs, const DecodeOptions& options)
    : inputs_(std::move(inputs)), options_(options) {}

// Opens the next file when none is open.
Result<DecodedImage> PictureSource::DecodeNextPage() {
  if (!file_.has_value()) {
    const Input& input = inputs_[next_input_];
    if (!input.error.ok()) return input.error;
    Result<std::vector<uint8_t>> bytes = ReadBytes(input);
    if (!bytes.ok()) return bytes.status();
    bytes_ = std::move(*bytes);
    Result<PictureFile> file = PictureFile::Open(bytes_);
    if (!file.ok()) return file.status();
    file_ = std::move(*file);
    next_page_ = 0;
  }
  return file_->Decode(next_page_, options_);
}

std::optional<Picture> PictureSource::Next() {
  if (next_input_ >= inputs_.size()) return std::nullopt;
  const auto start = Clock::now();
  Picture picture;
  picture.input = next_input_;
  picture.file = inputs_[next_input_].path;
  picture.image = DecodeNextPage();
  if (file_.has_value()) {
    picture.page = ++next_page_;
    picture.pages = file_->num_pages();
  }
  if (!file_.has_value() || next_page_ >= file_->num_pages()) {
    file_.reset();
    bytes_.clear();
    ++next_input_;
  }
  picture.load_ms = MillisecondsSince(start);
  return picture;
}

}  // namespace inkread
