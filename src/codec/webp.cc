// Reads WebP with libwebp: lossy, lossless, with alpha; the first frame of an animation.
#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>

#include "codec/formats.h"

namespace inkread::codec {
namespace {

struct Deleter {
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
  void operator()(WebPIDecoder* decoder) const { WebPIDelete(decoder); }
};

// Releases the frame of an iterator.
struct FrameIterator : WebPIterator {
  FrameIterator() : WebPIterator() {}
  FrameIterator(const FrameIterator&) = delete;
  FrameIterator& operator=(const FrameIterator&) = delete;
  ~FrameIterator() { WebPDemuxReleaseIterator(this); }
};

int Orientation(const WebPDemuxer* demuxer) {
  WebPChunkIterator chunk = {};
  int orientation = 1;
  if (WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk))
    orientation = ExifOrientation({chunk.chunk.bytes, chunk.chunk.size});
  WebPDemuxReleaseChunkIterator(&chunk);
  return orientation;
}

// Decodes the frame to its position on the raster. Returns the number of rows read; all of them if `*status` is OK.
int DecodeFrame(const WebPIterator& frame, Raster* raster, VP8StatusCode* status) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) {
    *status = VP8_STATUS_INVALID_PARAM;
    return 0;
  }
  const size_t corner = frame.x_offset * static_cast<size_t>(raster->channels);
  config.output.colorspace = raster->channels == 4 ? MODE_BGRA : MODE_BGR;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = raster->row(frame.y_offset) + corner;
  config.output.u.RGBA.stride = static_cast<int>(raster->row_bytes());
  config.output.u.RGBA.size = raster->row_bytes() * static_cast<size_t>(raster->height_px - frame.y_offset) - corner;
  const std::unique_ptr<WebPIDecoder, Deleter> decoder(WebPIDecode(nullptr, 0, &config));
  if (decoder == nullptr) {
    *status = VP8_STATUS_OUT_OF_MEMORY;
    return 0;
  }
  *status = WebPIUpdate(decoder.get(), frame.fragment.bytes, frame.fragment.size);
  int last_row = 0;
  if (*status == VP8_STATUS_OK) return frame.height;
  if (WebPIDecGetRGB(decoder.get(), &last_row, nullptr, nullptr, nullptr) == nullptr) return 0;
  return last_row;
}

}  // namespace

Result<Raster> ReadWebp(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  const WebPData data = {bytes.data(), bytes.size()};
  WebPDemuxState state;
  const std::unique_ptr<WebPDemuxer, Deleter> demuxer(WebPDemuxPartial(&data, &state));
  if (demuxer == nullptr || state == WEBP_DEMUX_PARSE_ERROR) return CorruptImage("WebP header: truncated or damaged");
  const int64_t width = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH);
  const int64_t height = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT);
  if (state == WEBP_DEMUX_PARSING_HEADER) return CorruptImage("WebP: truncated within its header");
  INKREAD_RETURN_IF_ERROR(CheckSize("WebP", width, height, options.max_pixels));

  FrameIterator frame;
  if (!WebPDemuxGetFrame(demuxer.get(), 1, &frame)) return CorruptImage("WebP: no frame in the file");
  if (frame.x_offset < 0 || frame.y_offset < 0 || frame.width < 1 || frame.height < 1 ||
      frame.x_offset > width - frame.width || frame.y_offset > height - frame.height) {
    return CorruptImage("WebP: a frame of ", frame.width, " x ", frame.height, " px at ", frame.x_offset, ", ",
                        frame.y_offset, " does not fit the canvas of ", width, " x ", height);
  }
  const bool covers = frame.width == width && frame.height == height;
  const bool alpha = options.alpha != AlphaMode::kDrop && (frame.has_alpha || !covers);
  Raster raster;
  Allocate(static_cast<int>(width), static_cast<int>(height), alpha ? 4 : 3, alpha ? 0 : 255, &raster);
  VP8StatusCode status = VP8_STATUS_OK;
  const int rows = DecodeFrame(frame, &raster, &status);
  if (status == VP8_STATUS_OUT_OF_MEMORY) return OutOfMemory("WebP: no memory to decode ", width, " x ", height, " px");
  if (status != VP8_STATUS_OK) {
    const bool is_truncated = status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA;
    const char* what = is_truncated ? "truncated" : "damaged";
    if (rows == 0) return CorruptImage("WebP: ", what, " before the first row");
    raster.warnings.push_back(StrCat("WebP: ", what, " at row ", rows, " of ", frame.height, "; the rest is blank"));
  }
  const int num_frames = static_cast<int>(WebPDemuxGetI(demuxer.get(), WEBP_FF_FRAME_COUNT));
  if (num_frames > 1) {
    raster.warnings.push_back(StrCat("WebP: an animation of ", num_frames, " frames; the first is read"));
  }
  raster.orientation = Orientation(demuxer.get());
  return raster;
}

}  // namespace inkread::codec
