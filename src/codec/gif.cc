// Reads the first frame of a GIF with giflib. Later frames are counted but not decoded.
#include <gif_lib.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "codec/formats.h"

namespace inkread::codec {
namespace {

struct Source {
  std::span<const uint8_t> bytes;
  size_t offset = 0;
};

int Read(GifFileType* gif, GifByteType* out, int size) {
  auto* s = static_cast<Source*>(gif->UserData);
  const size_t n = std::min(static_cast<size_t>(size), s->bytes.size() - s->offset);
  if (n > 0) std::memcpy(out, s->bytes.data() + s->offset, n);
  s->offset += n;
  return static_cast<int>(n);
}

struct GifCloser {
  void operator()(GifFileType* gif) const {
    int ignored;
    DGifCloseFile(gif, &ignored);
  }
};

const char* Why(int error) {
  const char* text = GifErrorString(error);
  return text != nullptr ? text : "the file ends";
}

// Reads the blocks of an extension. The graphics control block before a frame names its transparent colour.
bool ReadExtension(GifFileType* gif, int* clear_index) {
  int code = 0;
  GifByteType* block = nullptr;
  if (DGifGetExtension(gif, &code, &block) == GIF_ERROR) return false;
  while (block != nullptr) {
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
      *clear_index = control.TransparentColor;  // NO_TRANSPARENT_COLOR is -1
    }
    if (DGifGetExtensionNext(gif, &block) == GIF_ERROR) return false;
  }
  return true;
}

// Skips the data of a frame.
bool SkipFrame(GifFileType* gif) {
  int code_size = 0;
  GifByteType* block = nullptr;
  if (DGifGetCode(gif, &code_size, &block) == GIF_ERROR) return false;
  while (block != nullptr) {
    if (DGifGetCodeNext(gif, &block) == GIF_ERROR) return false;
  }
  return true;
}

// Row order of an interlaced frame: 8n, 8n + 4, 4n + 2, 2n + 1.
std::vector<int> RowOrder(int height, bool interlaced) {
  std::vector<int> order;
  order.reserve(static_cast<size_t>(height));
  if (!interlaced) {
    for (int y = 0; y < height; ++y) order.push_back(y);
    return order;
  }
  constexpr struct { int first, step; } kPasses[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
  for (const auto& pass : kPasses) {
    for (int y = pass.first; y < height; y += pass.step) order.push_back(y);
  }
  return order;
}

// Draws the frame whose descriptor was just read onto a transparent canvas. Returns the number of rows read.
int ReadFrame(GifFileType* gif, const ColorMapObject& colours, int clear_index, Raster* raster) {
  const GifImageDesc& frame = gif->Image;
  std::vector<GifPixelType> line(static_cast<size_t>(frame.Width));
  const size_t pixel = static_cast<size_t>(raster->channels);
  int rows = 0;
  for (int y : RowOrder(frame.Height, frame.Interlace)) {
    if (DGifGetLine(gif, line.data(), frame.Width) == GIF_ERROR) break;
    ++rows;
    uint8_t* out = raster->row(frame.Top + y) + frame.Left * pixel;
    for (const GifPixelType index : line) {
      if (index < colours.ColorCount) {
        const GifColorType& colour = colours.Colors[index];
        out[0] = colour.Blue;
        out[1] = colour.Green;
        out[2] = colour.Red;
      }
      if (pixel == 4) out[3] = index == clear_index ? 0 : 255;
      out += pixel;
    }
  }
  return rows;
}

// Counts the frames from here on; stops without an error at the end of the file.
int CountFrames(GifFileType* gif) {
  int num_frames = 0;
  GifRecordType record;
  while (DGifGetRecordType(gif, &record) == GIF_OK && record != TERMINATE_RECORD_TYPE) {
    int ignored = 0;
    if (record == IMAGE_DESC_RECORD_TYPE) {
      if (DGifGetImageHeader(gif) == GIF_ERROR || !SkipFrame(gif)) break;
      ++num_frames;
    } else if (record == EXTENSION_RECORD_TYPE && !ReadExtension(gif, &ignored)) {
      break;
    }
  }
  return num_frames;
}

}  // namespace

Result<Raster> ReadGif(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  Source source{bytes, 0};
  int error = 0;
  const std::unique_ptr<GifFileType, GifCloser> gif(DGifOpen(&source, Read, &error));
  if (gif == nullptr) return CorruptImage("GIF header: ", Why(error));
  int clear_index = NO_TRANSPARENT_COLOR;
  GifRecordType record = UNDEFINED_RECORD_TYPE;
  while (record != IMAGE_DESC_RECORD_TYPE) {
    if (DGifGetRecordType(gif.get(), &record) == GIF_ERROR ||
        (record == EXTENSION_RECORD_TYPE && !ReadExtension(gif.get(), &clear_index))) {
      return CorruptImage("GIF: truncated or damaged before its first frame (", Why(gif->Error), ")");
    }
    if (record == TERMINATE_RECORD_TYPE) return CorruptImage("GIF: no frame in the file");
  }
  if (DGifGetImageHeader(gif.get()) == GIF_ERROR) return CorruptImage("GIF, frame 1: ", Why(gif->Error));
  const GifImageDesc& frame = gif->Image;
  // As in browsers, a first frame larger than the screen enlarges the screen.
  const int64_t width = std::max(int64_t{gif->SWidth}, int64_t{frame.Left} + frame.Width);
  const int64_t height = std::max(int64_t{gif->SHeight}, int64_t{frame.Top} + frame.Height);
  INKREAD_RETURN_IF_ERROR(CheckSize("GIF", width, height, options.max_pixels));
  if (frame.Width < 1 || frame.Height < 1) {
    return CorruptImage("GIF, frame 1: ", frame.Width, " x ", frame.Height, " px");
  }
  const ColorMapObject* colours = frame.ColorMap != nullptr ? frame.ColorMap : gif->SColorMap;
  if (colours == nullptr) return CorruptImage("GIF: no colour table");
  const bool covers = frame.Width == width && frame.Height == height;
  const bool alpha = options.alpha != AlphaMode::kDrop && (clear_index != NO_TRANSPARENT_COLOR || !covers);
  Raster raster;
  Allocate(static_cast<int>(width), static_cast<int>(height), alpha ? 4 : 3, alpha ? 0 : 255, &raster);
  const int rows = ReadFrame(gif.get(), *colours, clear_index, &raster);
  if (rows == 0) return CorruptImage("GIF: truncated or damaged before its first row (", Why(gif->Error), ")");
  if (rows < frame.Height) {
    raster.warnings.push_back(StrCat("GIF: truncated or damaged after ", rows, " of ", frame.Height, " rows (",
                                     Why(gif->Error), "); the rest is blank"));
  } else if (const int more = CountFrames(gif.get()); more > 0) {
    raster.warnings.push_back(StrCat("GIF: an animation of ", 1 + more, " frames; the first is read"));
  }
  return raster;
}

}  // namespace inkread::codec
