// Writes JPEG 2000 with OpenJPEG.
#include <algorithm>
#include <cstring>
#include <memory>

#include "base/status.h"
#include "codec/openjpeg_handles.h"
#include "codec/test_images.h"

namespace inkread::test {
namespace {

struct Sink {
  Bytes bytes;
  size_t offset = 0;
};

OPJ_SIZE_T Write(void* data, OPJ_SIZE_T size, void* user) {
  auto* sink = static_cast<Sink*>(user);
  if (sink->offset + size > sink->bytes.size()) sink->bytes.resize(sink->offset + size);
  std::memcpy(sink->bytes.data() + sink->offset, data, size);
  sink->offset += size;
  return size;
}
OPJ_OFF_T Skip(OPJ_OFF_T size, void* user) {
  static_cast<Sink*>(user)->offset += static_cast<size_t>(size);
  return size;
}
OPJ_BOOL Seek(OPJ_OFF_T offset, void* user) {
  static_cast<Sink*>(user)->offset = static_cast<size_t>(offset);
  return OPJ_TRUE;
}

}  // namespace

Bytes WriteJpeg2000(const Jpeg2000Spec& spec, const Bytes& samples) {
  std::vector<opj_image_cmptparm_t> parts(static_cast<size_t>(spec.channels));
  for (size_t c = 0; c < parts.size(); ++c) {
    const uint32_t step = spec.ycc && (c == 1 || c == 2) ? 2 : 1;
    parts[c] = {};
    parts[c].dx = parts[c].dy = step;
    parts[c].w = (static_cast<uint32_t>(spec.width) + step - 1) / step;
    parts[c].h = (static_cast<uint32_t>(spec.height) + step - 1) / step;
    parts[c].prec = static_cast<uint32_t>(spec.bits);
  }
  const OPJ_COLOR_SPACE space = spec.channels <= 2 ? OPJ_CLRSPC_GRAY : spec.ycc ? OPJ_CLRSPC_SYCC : OPJ_CLRSPC_SRGB;
  const std::unique_ptr<opj_image_t, codec::ImageDeleter> image(
      opj_image_create(static_cast<uint32_t>(spec.channels), parts.data(), space));
  INKREAD_CHECK(image != nullptr);
  image->x1 = static_cast<uint32_t>(spec.width);
  image->y1 = static_cast<uint32_t>(spec.height);
  for (size_t c = 0; c < parts.size(); ++c) {
    opj_image_comp_t& comp = image->comps[c];
    comp.alpha = spec.channels % 2 == 0 && c + 1 == parts.size() ? 1 : 0;
    for (uint32_t y = 0; y < comp.h; ++y) {
      for (uint32_t x = 0; x < comp.w; ++x) {
        const size_t pixel = size_t{y} * comp.dy * static_cast<size_t>(spec.width) + size_t{x} * comp.dx;
        const int value = samples[pixel * parts.size() + c];
        comp.data[size_t{y} * comp.w + x] = spec.bits >= 8 ? value << (spec.bits - 8) : value >> (8 - spec.bits);
      }
    }
  }
  opj_cparameters_t parameters;
  opj_set_default_encoder_parameters(&parameters);
  parameters.tcp_numlayers = 1;
  parameters.cp_disto_alloc = 1;
  parameters.tcp_rates[0] = spec.lossless ? 0 : 8;
  parameters.irreversible = spec.lossless ? 0 : 1;
  parameters.tcp_mct = spec.channels >= 3 && !spec.ycc ? 1 : 0;
  parameters.numresolution = std::min(spec.width, spec.height) >= 32 ? 6 : 2;
  const std::unique_ptr<opj_codec_t, codec::CodecDeleter> codec(
      opj_create_compress(spec.jp2 ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K));
  const std::unique_ptr<opj_stream_t, codec::StreamDeleter> stream(opj_stream_default_create(OPJ_FALSE));
  INKREAD_CHECK(codec != nullptr && stream != nullptr);
  Sink sink;
  opj_stream_set_user_data(stream.get(), &sink, nullptr);
  opj_stream_set_write_function(stream.get(), Write);
  opj_stream_set_skip_function(stream.get(), Skip);
  opj_stream_set_seek_function(stream.get(), Seek);
  INKREAD_CHECK(opj_setup_encoder(codec.get(), &parameters, image.get()));
  INKREAD_CHECK(opj_start_compress(codec.get(), image.get(), stream.get()));
  INKREAD_CHECK(opj_encode(codec.get(), stream.get()));
  INKREAD_CHECK(opj_end_compress(codec.get(), stream.get()));
  return sink.bytes;
}

}  // namespace inkread::test
