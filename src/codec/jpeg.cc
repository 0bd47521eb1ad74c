// Reads JPEG with libjpeg-turbo and its defaults (accurate integer DCT, fancy upsampling), which give OpenCV's pixels.
// jpeglib.h needs FILE and size_t to be declared before it.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include <csetjmp>
#include <cstring>

#include "codec/formats.h"

namespace inkread::codec {
namespace {

// Limits the passes of a progressive file, each of which costs a pass over all pixels. Real files have about ten.
constexpr int kMaxScans = 200;

// All state that must survive a longjmp. The functions that call setjmp have no objects of their own.
struct JpegReader {
  jpeg_decompress_struct info;
  jpeg_error_mgr errors;
  jpeg_progress_mgr progress;
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX] = "";
  char first_warning[JMSG_LENGTH_MAX] = "";
  bool is_truncated = false;  // the data ended before the end marker
  bool lacks_data = false;    // the data ended, or a marker came, before the last block of a pass
  bool too_many_scans = false;
  int num_rows_read = 0;  // number of rows returned by then
  bool created = false;
  Raster raster;
  std::vector<uint8_t> cmyk_row;

  JpegReader() = default;
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;
  ~JpegReader() {
    if (created) jpeg_destroy_decompress(&info);
  }
};

[[noreturn]] void OnError(j_common_ptr info) {
  auto* reader = static_cast<JpegReader*>(info->client_data);
  info->err->format_message(info, reader->message);
  std::longjmp(reader->jump, 1);
}

void OnMessage(j_common_ptr info, int level) {
  if (level >= 0) return;  // a trace, not a warning
  auto* reader = static_cast<JpegReader*>(info->client_data);
  if (info->err->num_warnings++ == 0) info->err->format_message(info, reader->first_warning);
  if (info->err->msg_code == JWRN_HIT_MARKER) reader->lacks_data = true;
  if (info->err->msg_code == JWRN_JPEG_EOF && !reader->is_truncated) {
    reader->is_truncated = true;
    reader->num_rows_read = static_cast<int>(reader->info.output_scanline);
  }
}

void OnProgress(j_common_ptr info) {
  auto* reader = static_cast<JpegReader*>(info->client_data);
  if (reader->info.input_scan_number <= kMaxScans) return;
  reader->too_many_scans = true;
  std::longjmp(reader->jump, 1);
}

bool ReadHeader(std::span<const uint8_t> bytes, JpegReader* r) {
  r->info.err = jpeg_std_error(&r->errors);
  r->errors.error_exit = OnError;
  r->errors.emit_message = OnMessage;
  r->info.client_data = r;
  if (setjmp(r->jump)) return false;
  jpeg_create_decompress(&r->info);  // keeps err and client_data
  r->created = true;
  r->progress.progress_monitor = OnProgress;
  r->info.progress = &r->progress;
  jpeg_mem_src(&r->info, bytes.data(), bytes.size());
  jpeg_save_markers(&r->info, JPEG_APP0 + 1, 0xFFFF);
  jpeg_read_header(&r->info, TRUE);
  return true;
}

// Converts CMYK with OpenCV's arithmetic. Files with the Adobe marker store 255 - ink.
void CmykToBgr(const uint8_t* cmyk, bool inverted, int width, uint8_t* bgr) {
  const int flip = inverted ? 0 : 255;
  for (int x = 0; x < width; ++x, cmyk += 4, bgr += 3) {
    const int k = cmyk[3] ^ flip;
    for (int c = 0; c < 3; ++c) bgr[2 - c] = static_cast<uint8_t>(k - ((255 - (cmyk[c] ^ flip)) * k >> 8));
  }
}

// Reads every row of the image into memory that is already allocated.
bool ReadRows(JpegReader* r) {
  if (setjmp(r->jump)) return false;
  jpeg_start_decompress(&r->info);
  const bool inverted = r->info.saw_Adobe_marker;
  while (r->info.output_scanline < r->info.output_height) {
    uint8_t* out = r->raster.row(static_cast<int>(r->info.output_scanline));
    JSAMPROW row = r->cmyk_row.empty() ? out : r->cmyk_row.data();
    jpeg_read_scanlines(&r->info, &row, 1);
    if (!r->cmyk_row.empty()) CmykToBgr(row, inverted, r->raster.width_px, out);
  }
  return true;
}

Status JpegFailure(const JpegReader& r) {
  if (r.too_many_scans) return CorruptImage("JPEG: more than ", kMaxScans, " passes over the image");
  switch (r.errors.msg_code) {
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_ARITH_NOTIMPL:
    case JERR_SOF_UNSUPPORTED:
    case JERR_NOT_COMPILED:
      return Unsupported("JPEG: ", r.message);
    case JERR_OUT_OF_MEMORY:
      return OutOfMemory("JPEG: ", r.message);
    case JERR_NO_IMAGE:
      if (r.is_truncated) return CorruptImage("JPEG: truncated before the image data");
      return CorruptImage("JPEG: ", r.message);
    default:
      return CorruptImage("JPEG: ", r.message);
  }
}

// The first APP1 segment with EXIF (others may contain XMP).
int Orientation(const jpeg_decompress_struct& info) {
  for (const jpeg_marker_struct* m = info.marker_list; m != nullptr; m = m->next) {
    if (m->marker == JPEG_APP0 + 1 && m->data_length >= 6 && std::memcmp(m->data, "Exif\0\0", 6) == 0) {
      return ExifOrientation({m->data, m->data_length});
    }
  }
  return 1;
}

}  // namespace

Result<Raster> ReadJpeg(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  JpegReader r;
  if (!ReadHeader(bytes, &r)) return JpegFailure(r);
  INKREAD_RETURN_IF_ERROR(CheckSize("JPEG", r.info.image_width, r.info.image_height, options.max_pixels));
  const int width = static_cast<int>(r.info.image_width);
  const int height = static_cast<int>(r.info.image_height);
  const bool grey = r.info.num_components == 1;
  r.info.out_color_space = grey ? JCS_GRAYSCALE : r.info.num_components == 4 ? JCS_CMYK : JCS_EXT_BGR;
  Allocate(width, height, grey ? 1 : 3, 255, &r.raster);
  if (r.info.num_components == 4) r.cmyk_row.resize(static_cast<size_t>(width) * 4);
  r.raster.orientation = Orientation(r.info);
  if (r.info.density_unit == 1) r.raster.dpi = r.info.X_density;
  if (r.info.density_unit == 2) r.raster.dpi = r.info.X_density * kCentimetresPerInch;

  const bool complete = ReadRows(&r);
  const int rows_read = static_cast<int>(r.info.output_scanline);
  if (!complete && rows_read == 0) return JpegFailure(r);
  // Of a file with one pass, as most are, only the end marker is missing.
  if (complete && r.is_truncated && !r.lacks_data && !jpeg_has_multiple_scans(&r.info)) return std::move(r.raster);
  // libjpeg returns rows up to two rows of blocks late. If more rows were returned, at least the first ones are
  // decoded.
  const int block_rows = 2 * r.info.max_v_samp_factor * DCTSIZE;
  if (r.is_truncated && r.num_rows_read == 0 && !r.info.progressive_mode && height > block_rows) {
    return CorruptImage("JPEG: truncated before row ", block_rows, " of ", height);
  }
  if (!complete) {
    r.raster.warnings.push_back(StrCat("JPEG: damaged at row ", rows_read, " of ", height, " (", r.message, ")"));
  } else if (r.is_truncated && r.info.progressive_mode) {
    r.raster.warnings.push_back("JPEG: truncated within its progressive passes; details or the lower part are missing");
  } else if (r.is_truncated) {
    r.raster.warnings.push_back(
        StrCat("JPEG: truncated near row ", r.num_rows_read, " of ", height, "; the rest is blank"));
  } else if (r.errors.num_warnings > 0) {
    r.raster.warnings.push_back(StrCat("JPEG: damaged data (", r.first_warning, ")"));
  }
  return std::move(r.raster);
}

}  // namespace inkread::codec

namespace inkread {

Result<JpegHeader> ReadJpegHeader(std::span<const uint8_t> bytes) {
  codec::JpegReader r;
  if (!codec::ReadHeader(bytes, &r)) return codec::JpegFailure(r);
  JpegHeader header;
  header.width_px = static_cast<int>(r.info.image_width);
  header.height_px = static_cast<int>(r.info.image_height);
  header.channels = r.info.num_components;
  header.orientation = codec::Orientation(r.info);
  const J_COLOR_SPACE space = r.info.jpeg_color_space;
  header.is_common = !r.info.arith_code && (space == JCS_GRAYSCALE || space == JCS_YCbCr);
  return header;
}

}  // namespace inkread
