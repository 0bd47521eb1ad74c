// Reads JPEG 2000 with OpenJPEG: JP2 files and bare code streams; grey, RGB and YCC, with alpha.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "codec/formats.h"
#include "codec/openjpeg_handles.h"

namespace inkread::codec {
namespace {

struct Source {
  std::span<const uint8_t> bytes;
  size_t offset = 0;
};

OPJ_SIZE_T Read(void* out, OPJ_SIZE_T size, void* user) {
  auto* s = static_cast<Source*>(user);
  const size_t n = std::min<size_t>(size, s->bytes.size() - s->offset);
  if (n == 0) return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(out, s->bytes.data() + s->offset, n);
  s->offset += n;
  return n;
}
OPJ_OFF_T Skip(OPJ_OFF_T size, void* user) {
  auto* s = static_cast<Source*>(user);
  if (size < 0) return -1;
  s->offset += std::min<size_t>(static_cast<size_t>(size), s->bytes.size() - s->offset);
  return size;
}
OPJ_BOOL Seek(OPJ_OFF_T offset, void* user) {
  auto* s = static_cast<Source*>(user);
  if (offset < 0 || static_cast<uint64_t>(offset) > s->bytes.size()) return OPJ_FALSE;
  s->offset = static_cast<size_t>(offset);
  return OPJ_TRUE;
}

// Keeps the first message, without its newline. OpenJPEG is C: nothing may be thrown through it.
struct FirstMessage {
  char text[200] = "";
};
void Keep(const char* message, void* user) {
  auto* first = static_cast<FirstMessage*>(user);
  if (first->text[0] != '\0') return;
  const size_t n = std::min(std::strcspn(message, "\r\n"), sizeof(first->text) - 1);
  std::memcpy(first->text, message, n);
}
void Ignore(const char*, void*) {}

// One component as 8-bit samples on the grid of the image.
class Plane {
 public:
  explicit Plane(const opj_image_comp_t& comp) : comp_(comp), offset_(comp.sgnd ? 1 << (comp.prec - 1) : 0) {}

  // Pixel (x, y) of the image; a component that has fewer samples repeats them. Bits below the eighth are left out, and
  // fewer than eight are spread over 0 to 255.
  int At(int x, int y) const {
    const size_t cx = std::min<size_t>(static_cast<size_t>(x) / comp_.dx, comp_.w - 1);
    const size_t cy = std::min<size_t>(static_cast<size_t>(y) / comp_.dy, comp_.h - 1);
    const int max = static_cast<int>((int64_t{1} << comp_.prec) - 1);
    const int value = std::clamp(comp_.data[cy * comp_.w + cx] + offset_, 0, max);
    return comp_.prec >= 8 ? value >> (comp_.prec - 8) : value * 255 / max;
  }

 private:
  const opj_image_comp_t& comp_;
  int offset_;
};

uint8_t Clamped(double value) { return static_cast<uint8_t>(std::clamp(value + 0.5, 0.0, 255.0)); }

// Full-range YCC of Rec. 601.
void StoreYcc(int y, int cb, int cr, uint8_t* bgr) {
  bgr[0] = Clamped(y + 1.772 * (cb - 128));
  bgr[1] = Clamped(y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128));
  bgr[2] = Clamped(y + 1.402 * (cr - 128));
}

// What can be told before any sample is unpacked. A palette gives more components than are stored.
Status CheckHeader(const opj_image_t& image, const DecodeOptions& options) {
  const int64_t width = int64_t{image.x1} - image.x0;
  const int64_t height = int64_t{image.y1} - image.y0;
  INKREAD_RETURN_IF_ERROR(CheckSize("JPEG 2000", width, height, options.max_pixels));
  if (image.numcomps < 1 || image.numcomps > 4) {
    return Unsupported("JPEG 2000: ", image.numcomps, " components; expected 1 to 4 (grey, RGB or YCC, with alpha)");
  }
  for (uint32_t c = 0; c < image.numcomps; ++c) {
    const opj_image_comp_t& comp = image.comps[c];
    if (comp.dx < 1 || comp.dy < 1 || comp.prec < 1 || comp.prec > 31) {
      return Unsupported("JPEG 2000: component ", c, " has ", comp.prec, " bits and a sample for ", comp.dx, " x ",
                         comp.dy, " px");
    }
  }
  return Status();
}

Result<Raster> ToRaster(const opj_image_t& image, const DecodeOptions& options) {
  if (image.color_space == OPJ_CLRSPC_CMYK) return Unsupported("JPEG 2000: CMYK is not decoded");
  const int width = static_cast<int>(image.x1 - image.x0);
  const int height = static_cast<int>(image.y1 - image.y0);
  std::vector<Plane> planes;
  for (uint32_t c = 0; c < image.numcomps; ++c) {
    const opj_image_comp_t& comp = image.comps[c];
    if (comp.data == nullptr || comp.w < 1 || comp.h < 1) return CorruptImage("JPEG 2000: component ", c, " is empty");
    planes.emplace_back(comp);
  }
  // A bare code stream does not say which component is alpha: two are grey and alpha then, four RGB and alpha.
  const bool has_alpha = planes.size() % 2 == 0;
  const bool grey = planes.size() <= 2;
  const bool ycc = !grey && (image.color_space == OPJ_CLRSPC_SYCC || image.color_space == OPJ_CLRSPC_EYCC ||
                             (image.color_space != OPJ_CLRSPC_SRGB && image.comps[1].dx > 1));
  const bool alpha = has_alpha && options.alpha != AlphaMode::kDrop;
  Raster raster;
  Allocate(width, height, alpha ? 4 : grey ? 1 : 3, 255, &raster);
  for (int y = 0; y < height; ++y) {
    uint8_t* out = raster.row(y);
    for (int x = 0; x < width; ++x, out += raster.channels) {
      if (ycc) {
        StoreYcc(planes[0].At(x, y), planes[1].At(x, y), planes[2].At(x, y), out);
      } else {
        const int colours = raster.channels == 1 ? 1 : 3;
        for (int c = 0; c < colours; ++c) {
          out[c] = static_cast<uint8_t>(planes[grey ? 0 : static_cast<size_t>(2 - c)].At(x, y));
        }
      }
      if (alpha) out[3] = static_cast<uint8_t>(planes.back().At(x, y));
    }
  }
  return raster;
}

}  // namespace

Result<Raster> ReadJpeg2000(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  const bool is_bare = bytes.size() >= 2 && bytes[0] == 0xFF && bytes[1] == 0x4F;
  const std::unique_ptr<opj_codec_t, CodecDeleter> codec(
      opj_create_decompress(is_bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2));
  const std::unique_ptr<opj_stream_t, StreamDeleter> stream(opj_stream_default_create(OPJ_TRUE));
  if (codec == nullptr || stream == nullptr) return OutOfMemory("JPEG 2000: no memory for the decoder");
  FirstMessage error, warning;
  opj_set_error_handler(codec.get(), Keep, &error);
  opj_set_warning_handler(codec.get(), Keep, &warning);
  opj_set_info_handler(codec.get(), Ignore, nullptr);
  Source source{bytes};
  opj_stream_set_user_data(stream.get(), &source, nullptr);
  opj_stream_set_user_data_length(stream.get(), bytes.size());
  opj_stream_set_read_function(stream.get(), Read);
  opj_stream_set_skip_function(stream.get(), Skip);
  opj_stream_set_seek_function(stream.get(), Seek);

  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  if (!opj_setup_decoder(codec.get(), &parameters)) return Internal("JPEG 2000: the decoder refuses its parameters");
  opj_decoder_set_strict_mode(codec.get(), OPJ_FALSE);  // a cut file gives its beginning, with a warning
  opj_image_t* opened = nullptr;
  const bool has_header = opj_read_header(stream.get(), codec.get(), &opened);
  const std::unique_ptr<opj_image_t, ImageDeleter> image(opened);
  if (!has_header || image == nullptr) return CorruptImage("JPEG 2000 header: truncated or damaged (", error.text, ")");
  INKREAD_RETURN_IF_ERROR(CheckHeader(*image, options));

  const bool decoded = opj_decode(codec.get(), stream.get(), image.get());
  if (!decoded) return CorruptImage("JPEG 2000: truncated or damaged (", error.text, ")");
  const bool ended = opj_end_decompress(codec.get(), stream.get());
  INKREAD_RETURN_IF_ERROR(CheckHeader(*image, options));  // a palette has been applied
  INKREAD_ASSIGN_OR_RETURN(Raster raster, ToRaster(*image, options));
  if (!ended || error.text[0] != '\0' || warning.text[0] != '\0') {
    const char* why = error.text[0] != '\0' ? error.text : warning.text;
    raster.warnings.push_back(StrCat("JPEG 2000: truncated or damaged (", why, "); a part is blank or blurred"));
  }
  return raster;
}

}  // namespace inkread::codec
