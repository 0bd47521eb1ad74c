// Decodes the images of a list of inputs, one page after another.
#ifndef INKREAD_APPS_IMAGE_SOURCE_H_
#define INKREAD_APPS_IMAGE_SOURCE_H_

#include <optional>
#include <string>
#include <vector>

#include "apps/file_bytes.h"
#include "apps/inputs.h"
#include "inkread/codec.h"

namespace inkread {

// One page of a file, or the reason why it could not be decoded.
struct LoadedImage {
  std::string file;
  int page = 1;  // from 1
  int pages = 1;
  size_t input = 0;  // index into the list of inputs
  Result<DecodedImage> decoded = DecodedImage();
  std::vector<uint8_t> jpeg;  // the file, where it is a JPEG and that is asked for
  double load_ms = 0;         // reading and decoding the file
};

// For use by one thread at a time.
class ImageSource {
 public:
  // keep_jpeg  whether LoadedImage::jpeg is filled in
  ImageSource(std::vector<Input> inputs, const DecodeOptions& options, bool keep_jpeg = false);

  // Returns the next page of the current file, or the first page of the next file; nothing at the end. A file that
  // cannot be read gives one LoadedImage with its error.
  std::optional<LoadedImage> Next();

 private:
  Result<DecodedImage> DecodeNextPage();

  std::vector<Input> inputs_;
  DecodeOptions options_;
  bool keep_jpeg_;
  size_t next_input_ = 0;
  int next_page_ = 0;  // of the open file, from 0
  FileBytes bytes_;
  std::optional<ImageFile> file_;  // the current file, while it has pages left
};

}  // namespace inkread

#endif  // INKREAD_APPS_IMAGE_SOURCE_H_
