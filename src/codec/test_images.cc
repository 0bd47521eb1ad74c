// The writers abort on failure.
#include "codec/test_images.h"

// jpeglib.h needs FILE and size_t to be declared before it.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
// clang-format on
#include <gif_lib.h>
#include <png.h>
#include <tiffio.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/status.h"

namespace inkread::test {
namespace {

// Byte by byte, because g++ 12 gives a false warning for insert() on short vectors.
void Append(const uint8_t* data, size_t size, Bytes* out) {
  for (size_t i = 0; i < size; ++i) out->push_back(data[i]);
}

void Put16(uint32_t v, bool little, Bytes* out) {
  for (int i = 0; i < 2; ++i) out->push_back(static_cast<uint8_t>(v >> 8 * (little ? i : 1 - i)));
}
void Put32(uint32_t v, bool little, Bytes* out) {
  for (int i = 0; i < 4; ++i) out->push_back(static_cast<uint8_t>(v >> 8 * (little ? i : 3 - i)));
}

}  // namespace

Bytes Samples(int width, int height, int channels) {
  Bytes samples;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c) {
        samples.push_back(static_cast<uint8_t>(16 + c * 25 + x * 100 / width + y * 60 / height));
      }
    }
  }
  return samples;
}

Bytes ExifBlock(int orientation, bool little, int type) {
  Bytes exif;
  const char* order = little ? "II" : "MM";
  Append(reinterpret_cast<const uint8_t*>(order), 2, &exif);
  Put16(42, little, &exif);
  Put32(8, little, &exif);
  Put16(2, little, &exif);
  Put16(0x0100, little, &exif);  // another tag before it
  Put16(3, little, &exif);
  Put32(1, little, &exif);
  Put32(0, little, &exif);
  Put16(0x0112, little, &exif);
  Put16(static_cast<uint32_t>(type), little, &exif);
  Put32(1, little, &exif);
  const auto value = static_cast<uint32_t>(orientation);
  if (type == 4 || type == 9) {
    Put32(value, little, &exif);
  } else if (type == 3 || type == 8) {
    Put16(value, little, &exif);
    Put16(0, little, &exif);
  } else {  // one byte, or a type that has no place for the value here
    exif.insert(exif.end(), {static_cast<uint8_t>(value), 0, 0, 0});
  }
  Put32(0, little, &exif);
  return exif;
}

Bytes WriteJpeg(const JpegSpec& spec, const Bytes& samples) {
  jpeg_compress_struct info;
  jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);  // exits on error
  jpeg_create_compress(&info);
  unsigned char* memory = nullptr;
  unsigned long size = 0;  // NOLINT: libjpeg's type
  jpeg_mem_dest(&info, &memory, &size);
  info.image_width = static_cast<JDIMENSION>(spec.width);
  info.image_height = static_cast<JDIMENSION>(spec.height);
  const bool four = spec.colour == JpegColour::kCmyk || spec.colour == JpegColour::kYcck;
  info.input_components = four ? 4 : spec.colour == JpegColour::kGrey ? 1 : 3;
  info.in_color_space = four ? JCS_CMYK : spec.colour == JpegColour::kGrey ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&info);
  if (spec.colour == JpegColour::kRgb) jpeg_set_colorspace(&info, JCS_RGB);
  if (spec.colour == JpegColour::kYcck) jpeg_set_colorspace(&info, JCS_YCCK);
  if (!spec.adobe_marker) info.write_Adobe_marker = FALSE;
  jpeg_set_quality(&info, spec.quality, TRUE);
  if (spec.progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  if (!spec.exif.empty()) {
    Bytes app1 = {'E', 'x', 'i', 'f', 0, 0};
    Append(spec.exif.data(), spec.exif.size(), &app1);
    jpeg_write_marker(&info, JPEG_APP0 + 1, app1.data(), static_cast<unsigned>(app1.size()));
  }
  const size_t row_bytes = static_cast<size_t>(spec.width) * info.input_components;
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = const_cast<uint8_t*>(samples.data()) + info.next_scanline * row_bytes;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  Bytes bytes(memory, memory + size);
  std::free(memory);
  return bytes;
}

Bytes WritePng(const PngSpec& spec, const Bytes& rows) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  Bytes bytes;
  png_set_write_fn(
      png, &bytes,
      [](png_structp p, png_bytep data, size_t size) { Append(data, size, static_cast<Bytes*>(png_get_io_ptr(p))); },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(spec.width), static_cast<png_uint_32>(spec.height), spec.depth,
               spec.colour_type, spec.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_gAMA(png, info, 1.0);  // must be ignored
  if (!spec.palette.empty()) {
    png_set_PLTE(png, info, reinterpret_cast<png_const_colorp>(spec.palette.data()),
                 static_cast<int>(spec.palette.size() / 3));
  }
  if (!spec.palette_alpha.empty()) {
    png_set_tRNS(png, info, spec.palette_alpha.data(), static_cast<int>(spec.palette_alpha.size()), nullptr);
  }
  if (spec.clear_grey >= 0) {
    png_color_16 clear = {};
    clear.gray = static_cast<png_uint_16>(spec.clear_grey);
    png_set_tRNS(png, info, nullptr, 0, &clear);
  }
  if (!spec.exif.empty()) {
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(spec.exif.size()), const_cast<png_bytep>(spec.exif.data()));
  }
  png_write_info(png, info);
  const size_t row_bytes = rows.size() / static_cast<size_t>(spec.height);
  std::vector<png_bytep> pointers;
  for (int y = 0; y < spec.height; ++y) {
    pointers.push_back(const_cast<png_bytep>(rows.data()) + static_cast<size_t>(y) * row_bytes);
  }
  png_write_image(png, pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

namespace {

struct TiffSink {
  Bytes bytes;
  uint64_t offset = 0;
};

tmsize_t TiffRead(thandle_t h, void* out, tmsize_t size) {
  auto* s = static_cast<TiffSink*>(h);
  const size_t left = s->offset < s->bytes.size() ? s->bytes.size() - s->offset : 0;
  const size_t n = std::min(left, static_cast<size_t>(size));
  if (n > 0) std::memcpy(out, s->bytes.data() + s->offset, n);
  s->offset += n;
  return static_cast<tmsize_t>(n);
}
tmsize_t TiffWrite(thandle_t h, void* data, tmsize_t size) {
  auto* s = static_cast<TiffSink*>(h);
  const size_t end = s->offset + static_cast<size_t>(size);
  if (s->bytes.size() < end) s->bytes.resize(end);
  std::memcpy(s->bytes.data() + s->offset, data, static_cast<size_t>(size));
  s->offset = end;
  return size;
}
toff_t TiffSeek(thandle_t h, toff_t offset, int whence) {
  auto* s = static_cast<TiffSink*>(h);
  s->offset = offset + (whence == SEEK_CUR ? s->offset : whence == SEEK_END ? s->bytes.size() : 0);
  return s->offset;
}

void WriteTiffPage(TIFF* tiff, const TiffPage& page) {
  TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, page.subfile_type);
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, page.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, page.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, page.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, page.channels);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, page.photometric);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, page.compression);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, page.orientation);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  if (page.alpha_kind >= 0) {
    const uint16_t kind = static_cast<uint16_t>(page.alpha_kind);
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
  }
  if (page.photometric == PHOTOMETRIC_PALETTE) {
    std::vector<uint16_t> ramp;
    for (int i = 0; i < 1 << page.bits; ++i) ramp.push_back(static_cast<uint16_t>(i * 257));
    std::vector<uint16_t> down(ramp.rbegin(), ramp.rend());
    TIFFSetField(tiff, TIFFTAG_COLORMAP, ramp.data(), down.data(), ramp.data());
  }
  const size_t row_bytes = page.samples.size() / static_cast<size_t>(page.height);
  if (page.tile == 0) {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, page.rows_per_strip);
    for (int y = 0; y < page.height; ++y) {
      Bytes row(page.samples.begin() + static_cast<ptrdiff_t>(y * row_bytes),
                page.samples.begin() + static_cast<ptrdiff_t>((y + 1) * row_bytes));
      INKREAD_CHECK(TIFFWriteScanline(tiff, row.data(), static_cast<uint32_t>(y), 0) == 1);
    }
    return;
  }
  TIFFSetField(tiff, TIFFTAG_TILEWIDTH, page.tile);
  TIFFSetField(tiff, TIFFTAG_TILELENGTH, page.tile);
  const size_t pixel = static_cast<size_t>(page.channels) * page.bits / 8;
  for (int y0 = 0; y0 < page.height; y0 += page.tile) {
    for (int x0 = 0; x0 < page.width; x0 += page.tile) {
      Bytes tile(static_cast<size_t>(page.tile) * page.tile * pixel);
      for (int y = y0; y < std::min(y0 + page.tile, page.height); ++y) {
        const size_t n = static_cast<size_t>(std::min(page.tile, page.width - x0)) * pixel;
        std::memcpy(tile.data() + static_cast<size_t>(y - y0) * page.tile * pixel,
                    page.samples.data() + y * row_bytes + x0 * pixel, n);
      }
      INKREAD_CHECK(TIFFWriteTile(tiff, tile.data(), static_cast<uint32_t>(x0), static_cast<uint32_t>(y0), 0, 0) > 0);
    }
  }
}

}  // namespace

Bytes WriteTiff(const std::vector<TiffPage>& pages) {
  TiffSink sink;
  TIFF* tiff = TIFFClientOpen(
      "test", "w", &sink, TiffRead, TiffWrite, TiffSeek, [](thandle_t) { return 0; },
      [](thandle_t h) -> toff_t { return static_cast<TiffSink*>(h)->bytes.size(); }, nullptr, nullptr);
  INKREAD_CHECK(tiff != nullptr);
  for (const TiffPage& page : pages) {
    WriteTiffPage(tiff, page);
    INKREAD_CHECK(TIFFWriteDirectory(tiff) == 1);
  }
  TIFFClose(tiff);
  return sink.bytes;
}

namespace {

Bytes EncodeWebp(int width, int height, const Bytes& bgra, bool lossless) {
  uint8_t* memory = nullptr;
  const size_t size = lossless ? WebPEncodeLosslessBGRA(bgra.data(), width, height, width * 4, &memory)
                               : WebPEncodeBGRA(bgra.data(), width, height, width * 4, 95, &memory);
  INKREAD_CHECK(size > 0);
  Bytes bytes(memory, memory + size);
  WebPFree(memory);
  return bytes;
}

Bytes Assemble(WebPMux* mux) {
  WebPData out = {};
  INKREAD_CHECK(WebPMuxAssemble(mux, &out) == WEBP_MUX_OK);
  Bytes bytes(out.bytes, out.bytes + out.size);
  WebPDataClear(&out);
  WebPMuxDelete(mux);
  return bytes;
}

}  // namespace

Bytes WriteWebp(int width, int height, const Bytes& bgra, bool lossless, const Bytes& exif) {
  const Bytes frame = EncodeWebp(width, height, bgra, lossless);
  if (exif.empty()) return frame;
  WebPMux* mux = WebPMuxNew();
  const WebPData image = {frame.data(), frame.size()};
  const WebPData chunk = {exif.data(), exif.size()};
  INKREAD_CHECK(WebPMuxSetImage(mux, &image, 1) == WEBP_MUX_OK);
  INKREAD_CHECK(WebPMuxSetChunk(mux, "EXIF", &chunk, 1) == WEBP_MUX_OK);
  return Assemble(mux);
}

Bytes WriteAnimatedWebp(int canvas_width, int canvas_height, int left, int top, int width, int height,
                        const std::vector<Bytes>& frames_bgra) {
  WebPMux* mux = WebPMuxNew();
  for (const Bytes& bgra : frames_bgra) {
    const Bytes encoded = EncodeWebp(width, height, bgra, true);
    WebPMuxFrameInfo frame = {};
    frame.bitstream = {encoded.data(), encoded.size()};
    frame.x_offset = left;
    frame.y_offset = top;
    frame.duration = 100;
    frame.id = WEBP_CHUNK_ANMF;
    frame.dispose_method = WEBP_MUX_DISPOSE_NONE;
    frame.blend_method = WEBP_MUX_BLEND;
    INKREAD_CHECK(WebPMuxPushFrame(mux, &frame, 1) == WEBP_MUX_OK);
  }
  const WebPMuxAnimParams parameters = {0xFFFFFFFF, 0};
  INKREAD_CHECK(WebPMuxSetAnimationParams(mux, &parameters) == WEBP_MUX_OK);
  INKREAD_CHECK(WebPMuxSetCanvasSize(mux, canvas_width, canvas_height) == WEBP_MUX_OK);
  return Assemble(mux);
}

Bytes WriteGif(int width, int height, const Bytes& palette, const std::vector<GifFrame>& frames) {
  Bytes bytes;
  int error = 0;
  GifFileType* gif = EGifOpen(
      &bytes,
      [](GifFileType* g, const GifByteType* data, int size) {
        Append(data, static_cast<size_t>(size), static_cast<Bytes*>(g->UserData));
        return size;
      },
      &error);
  INKREAD_CHECK(gif != nullptr);
  std::vector<GifColorType> colours;
  for (size_t i = 0; i + 2 < palette.size(); i += 3) colours.push_back({palette[i], palette[i + 1], palette[i + 2]});
  ColorMapObject* map = GifMakeMapObject(static_cast<int>(colours.size()), colours.data());
  EGifSetGifVersion(gif, true);
  INKREAD_CHECK(EGifPutScreenDesc(gif, width, height, 8, 0, map) == GIF_OK);
  for (const GifFrame& frame : frames) {
    GraphicsControlBlock control = {};
    control.TransparentColor = frame.clear_index;
    GifByteType block[4];
    const size_t size = EGifGCBToExtension(&control, block);
    INKREAD_CHECK(EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(size), block) == GIF_OK);
    INKREAD_CHECK(EGifPutImageDesc(gif, frame.left, frame.top, frame.width, frame.height, frame.interlaced, nullptr) ==
                  GIF_OK);
    // Rows are passed in file order.
    INKREAD_CHECK(
        EGifPutLine(gif, const_cast<uint8_t*>(frame.indices.data()), static_cast<int>(frame.indices.size())) == GIF_OK);
  }
  GifFreeMapObject(map);
  EGifCloseFile(gif, &error);
  return bytes;
}

Bytes WriteBmp(const BmpSpec& spec) {
  const size_t masks_bytes = spec.header_bytes == 40 ? spec.masks.size() * 4 : 0;
  const size_t pixels_at = 14 + static_cast<size_t>(spec.header_bytes) + masks_bytes + spec.palette.size();
  Bytes b = {'B', 'M'};
  Put32(static_cast<uint32_t>(pixels_at + spec.data.size()), true, &b);
  Put32(0, true, &b);
  Put32(static_cast<uint32_t>(pixels_at), true, &b);
  Put32(static_cast<uint32_t>(spec.header_bytes), true, &b);
  if (spec.header_bytes == 12) {
    Put16(static_cast<uint32_t>(spec.width), true, &b);
    Put16(static_cast<uint32_t>(spec.height), true, &b);
    Put16(1, true, &b);
    Put16(static_cast<uint32_t>(spec.bits), true, &b);
  } else {
    Put32(static_cast<uint32_t>(spec.width), true, &b);
    Put32(static_cast<uint32_t>(spec.height), true, &b);
    Put16(1, true, &b);
    Put16(static_cast<uint32_t>(spec.bits), true, &b);
    Put32(spec.compression, true, &b);
    for (int i = 0; i < 3; ++i) Put32(0, true, &b);
    Put32(static_cast<uint32_t>(spec.palette.size() / 4), true, &b);
    Put32(0, true, &b);
  }
  for (uint32_t mask : spec.masks) Put32(mask, true, &b);
  b.resize(std::max(b.size(), pixels_at - spec.palette.size()));
  Append(spec.palette.data(), spec.palette.size(), &b);
  Append(spec.data.data(), spec.data.size(), &b);
  return b;
}

}  // namespace inkread::test
