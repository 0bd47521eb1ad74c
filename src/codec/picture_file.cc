// The public functions: chooses the reader of a format, and keeps exceptions of the allocator inside.
#include <new>

#include "codec/formats.h"
#include "inkread/codec.h"

namespace inkread {
namespace {

Result<codec::Raster> ReadPage(PictureKind kind, std::span<const uint8_t> bytes,
                               const std::vector<uint64_t>& tiff_pages, int page, const DecodeOptions& options) {
  switch (kind) {
    case PictureKind::kJpeg:
      return codec::ReadJpeg(bytes, options);
    case PictureKind::kPng:
      return codec::ReadPng(bytes, options);
    case PictureKind::kWebp:
      return codec::ReadWebp(bytes, options);
    case PictureKind::kTiff:
      return codec::ReadTiff(bytes, tiff_pages[static_cast<size_t>(page)], options);
    case PictureKind::kBmp:
      return codec::ReadBmp(bytes, options);
    case PictureKind::kGif:
      return codec::ReadGif(bytes, options);
    default:
      return Internal("decoding: no reader for ", PictureKindName(kind));
  }
}

}  // namespace

Result<PictureFile> PictureFile::Open(std::span<const uint8_t> bytes) try {
  if (bytes.empty()) return InvalidArgument("the file is empty");
  const PictureKind kind = SniffPicture(bytes);
  if (kind == PictureKind::kNone) {
    return CorruptImage("no picture: expected a JPEG, PNG, WebP, TIFF, BMP or GIF file, got ", bytes.size(),
                        " bytes that begin like none of them");
  }
  if (kind > PictureKind::kGif) {
    return Unsupported(PictureKindName(kind),
                       " pictures are not decoded; convert the file to JPEG, PNG, WebP, TIFF, BMP or GIF");
  }
  PictureFile file(kind, bytes);
  if (kind == PictureKind::kTiff) {
    INKREAD_ASSIGN_OR_RETURN(file.tiff_pages_, codec::ListTiffPages(bytes));
  }
  return file;
} catch (const std::bad_alloc&) {
  return OutOfMemory("no memory to open a picture of ", bytes.size(), " bytes");
}

Result<DecodedImage> PictureFile::Decode(int page, const DecodeOptions& options) const try {
  if (page < 0 || page >= num_pages()) {
    return InvalidArgument(PictureKindName(kind_), ": page ", page, " asked for, the file has ", num_pages());
  }
  INKREAD_ASSIGN_OR_RETURN(codec::Raster raster, ReadPage(kind_, bytes_, tiff_pages_, page, options));
  return codec::Finish(std::move(raster), options);
} catch (const std::bad_alloc&) {
  return OutOfMemory(PictureKindName(kind_), ": no memory for the pixels of page ", page);
}

Result<DecodedImage> DecodePicture(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  INKREAD_ASSIGN_OR_RETURN(PictureFile file, PictureFile::Open(bytes));
  return file.Decode(0, options);
}

}  // namespace inkread
