// The public functions: select the reader of a format and turn exceptions of the allocator into a Status.
#include <new>

#include "base/file_format.h"
#include "codec/formats.h"
#include "inkread/codec.h"

namespace inkread {
namespace {

Result<codec::Raster> ReadPage(ImageKind kind, std::span<const uint8_t> bytes, const std::vector<uint64_t>& tiff_pages,
                               int page, const DecodeOptions& options) {
  switch (kind) {
    case ImageKind::kJpeg:
      return codec::ReadJpeg(bytes, options);
    case ImageKind::kPng:
      return codec::ReadPng(bytes, options);
    case ImageKind::kWebp:
      return codec::ReadWebp(bytes, options);
    case ImageKind::kTiff:
      return codec::ReadTiff(bytes, tiff_pages[static_cast<size_t>(page)], options);
    case ImageKind::kBmp:
      return codec::ReadBmp(bytes, options);
    case ImageKind::kGif:
      return codec::ReadGif(bytes, options);
    case ImageKind::kJpeg2000:
      return codec::ReadJpeg2000(bytes, options);
    default:
      return Internal("decoding: no reader for ", ImageKindName(kind));
  }
}

}  // namespace

Result<ImageFile> ImageFile::Open(std::span<const uint8_t> bytes) try {
  if (bytes.empty()) return InvalidArgument("the file is empty");
  const ImageKind kind = SniffImage(bytes);
  if (kind == ImageKind::kNone) {
    const std::string_view format = FileFormatName(bytes);
    return CorruptImage(
        "not in an image format that is read: expected JPEG, PNG, WebP, TIFF, BMP, GIF or JPEG 2000, found ",
        format.empty() ? "another format" : format);
  }
  if (!CanDecode(kind)) {
    return Unsupported(ImageKindName(kind),
                       " images are not decoded; convert the file to JPEG, PNG, WebP, TIFF, BMP, GIF or JPEG 2000");
  }
  ImageFile file(kind, bytes);
  if (kind == ImageKind::kTiff) {
    INKREAD_ASSIGN_OR_RETURN(file.tiff_pages_, codec::ListTiffPages(bytes));
  }
  return file;
} catch (const std::bad_alloc&) {
  return OutOfMemory("no memory to open an image of ", bytes.size(), " bytes");
}

Result<DecodedImage> ImageFile::Decode(int page, const DecodeOptions& options) const try {
  if (page < 0 || page >= num_pages()) {
    return InvalidArgument(ImageKindName(kind_), ": page ", page, " was requested, the file has ", num_pages());
  }
  if (options.alpha != AlphaMode::kContrast && options.alpha != AlphaMode::kDrop) {
    return InvalidArgument("DecodeOptions::alpha is ", static_cast<int>(options.alpha),
                           ", which is not a value of AlphaMode");
  }
  INKREAD_ASSIGN_OR_RETURN(codec::Raster raster, ReadPage(kind_, bytes_, tiff_pages_, page, options));
  return codec::Finish(std::move(raster), options);
} catch (const std::bad_alloc&) {
  return OutOfMemory(ImageKindName(kind_), ": no memory for the pixels of page ", page);
}

Result<DecodedImage> DecodeImage(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  INKREAD_ASSIGN_OR_RETURN(ImageFile file, ImageFile::Open(bytes));
  return file.Decode(0, options);
}

}  // namespace inkread
