// Decodes the images of a list of inputs, one page after another.
#ifndef INKREAD_APPS_IMAGE_SOURCE_H_
#define INKREAD_APPS_IMAGE_SOURCE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/file_bytes.h"
#include "apps/inputs.h"
#include "apps/page_ranges.h"
#include "inkread/document.h"

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

struct LoadOptions {
  DocumentOptions document;
  PageRanges pages;
  bool passes_text = false;  // over pages of PDFs that have a text layer
  bool keeps_jpeg = false;   // fills in LoadedImage::jpeg
};

// For use by one thread at a time.
class ImageSource {
 public:
  ImageSource(std::vector<Input> inputs, const LoadOptions& options);

  // Returns the next page of the current file, or the first page of the next file; nothing at the end. A file that
  // cannot be read, or has no page to be read, gives one LoadedImage with its error.
  std::optional<LoadedImage> Next();

  // Passes over pages of the current file, by page from 0, where none of it has been decoded yet.
  void SkipPages(std::vector<bool> skipped) { skipped_ = std::move(skipped); }

  // Whether Next has nothing left.
  bool AtEnd() const { return next_input_ >= inputs_.size(); }

 private:
  bool IsWanted(int page);
  void PassUnwantedPages();
  Result<DecodedImage> DecodeNextPage();

  std::vector<Input> inputs_;
  LoadOptions options_;
  size_t next_input_ = 0;
  int next_page_ = 0;          // of the open file, from 0
  std::vector<bool> skipped_;  // pages of the current file
  FileBytes bytes_;
  std::unique_ptr<Document> file_;  // the current file, while it has pages left
};

}  // namespace inkread

#endif  // INKREAD_APPS_IMAGE_SOURCE_H_
