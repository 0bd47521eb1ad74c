// Writes JPEG with libjpeg-turbo, which takes rows of BGR and RGB as they are.
// jpeglib.h needs FILE and size_t to be declared before it.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include <csetjmp>
#include <cstdlib>

#include "codec/formats.h"

namespace inkread {
namespace {

// All state that must survive a longjmp. The function that calls setjmp has no objects of its own.
struct JpegWriter {
  jpeg_compress_struct info;
  jpeg_error_mgr errors;
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX] = "";
  bool created = false;
  unsigned char* bytes = nullptr;  // by malloc
  unsigned long size = 0;          // NOLINT: libjpeg's type

  JpegWriter() = default;
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;
  ~JpegWriter() {
    if (created) jpeg_destroy_compress(&info);
    std::free(bytes);
  }
};

[[noreturn]] void OnError(j_common_ptr info) {
  auto* writer = static_cast<JpegWriter*>(info->client_data);
  info->err->format_message(info, writer->message);
  std::longjmp(writer->jump, 1);
}

J_COLOR_SPACE ColourOf(PixelFormat format) {
  switch (format) {
    case PixelFormat::kGray8:
      return JCS_GRAYSCALE;
    case PixelFormat::kBgr24:
      return JCS_EXT_BGR;
    case PixelFormat::kRgb24:
      return JCS_EXT_RGB;
    case PixelFormat::kBgra32:
      return JCS_EXT_BGRX;
    case PixelFormat::kRgba32:
      return JCS_EXT_RGBX;
  }
  return JCS_UNKNOWN;
}

bool WriteAll(const ImageView& image, int quality, JpegWriter* w) {
  w->info.err = jpeg_std_error(&w->errors);
  w->errors.error_exit = OnError;
  w->info.client_data = w;
  if (setjmp(w->jump)) return false;
  jpeg_create_compress(&w->info);  // keeps err and client_data
  w->created = true;
  jpeg_mem_dest(&w->info, &w->bytes, &w->size);
  w->info.image_width = static_cast<JDIMENSION>(image.width_px);
  w->info.image_height = static_cast<JDIMENSION>(image.height_px);
  w->info.in_color_space = ColourOf(image.format);
  w->info.input_components = BytesPerPixel(image.format);
  jpeg_set_defaults(&w->info);
  jpeg_set_quality(&w->info, quality, TRUE);
  jpeg_start_compress(&w->info, TRUE);
  while (w->info.next_scanline < w->info.image_height) {
    // libjpeg reads the row only.
    JSAMPROW row =
        const_cast<JSAMPROW>(image.pixels + static_cast<ptrdiff_t>(w->info.next_scanline) * image.stride_bytes);
    jpeg_write_scanlines(&w->info, &row, 1);
  }
  jpeg_finish_compress(&w->info);
  return true;
}

}  // namespace

Result<std::vector<uint8_t>> EncodeJpeg(const ImageView& image, int quality) {
  INKREAD_RETURN_IF_ERROR(codec::CheckToWrite("JPEG", image));
  if (quality < 1 || quality > 100)
    return InvalidArgument("JPEG to write: expected a quality from 1 to 100, got ", quality);
  if (image.width_px > JPEG_MAX_DIMENSION || image.height_px > JPEG_MAX_DIMENSION) {
    return InvalidArgument("JPEG to write: expected sides of at most ", int{JPEG_MAX_DIMENSION}, " px, got ",
                           image.width_px, " x ", image.height_px);
  }
  JpegWriter writer;
  if (!WriteAll(image, quality, &writer)) return OutOfMemory("JPEG to write: ", writer.message);
  return std::vector<uint8_t>(writer.bytes, writer.bytes + writer.size);
}

}  // namespace inkread
