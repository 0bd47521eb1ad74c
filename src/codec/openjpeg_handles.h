// Owners of OpenJPEG's objects, for the reader and for the images of tests.
#ifndef INKREAD_CODEC_OPENJPEG_HANDLES_H_
#define INKREAD_CODEC_OPENJPEG_HANDLES_H_

#include <openjpeg.h>

#include <memory>

namespace inkread::codec {

// The types of codec and stream are the same to a compiler.
struct CodecDeleter {
  void operator()(opj_codec_t* codec) const { opj_destroy_codec(codec); }
};
struct StreamDeleter {
  void operator()(opj_stream_t* stream) const { opj_stream_destroy(stream); }
};
struct ImageDeleter {
  void operator()(opj_image_t* image) const { opj_image_destroy(image); }
};

}  // namespace inkread::codec

#endif  // INKREAD_CODEC_OPENJPEG_HANDLES_H_
