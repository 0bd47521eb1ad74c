// Writes images for tests, with the libraries that the readers use or byte by byte.
#ifndef INKREAD_CODEC_TEST_IMAGES_H_
#define INKREAD_CODEC_TEST_IMAGES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "inkread/codec.h"

namespace inkread::test {

using Bytes = std::vector<uint8_t>;

// width * height * channels samples, smooth, with different values in each channel and corner.
Bytes Samples(int width, int height, int channels);

// An EXIF block that contains the orientation tag only.
//
// type  as TIFF numbers them: 1 BYTE, 3 SHORT, 4 LONG and so on
Bytes ExifBlock(int orientation, bool little_endian, int type = 3);

enum class JpegColour { kGrey, kYcc, kRgb, kCmyk, kYcck };
struct JpegSpec {
  int width = 16;
  int height = 16;
  JpegColour colour = JpegColour::kYcc;
  bool progressive = false;
  bool adobe_marker = true;  // used with four channels
  Bytes exif;                // empty: none
  int quality = 100;
};
// samples   interleaved, in the channels of the colour type: grey, RGB, or CMYK as stored
Bytes WriteJpeg(const JpegSpec& spec, const Bytes& samples);

struct PngSpec {
  int width = 16;
  int height = 16;
  int depth = 8;
  int colour_type = 2;  // as in PNG: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA
  bool interlaced = false;
  Bytes palette;        // RGB triples
  Bytes palette_alpha;  // tRNS of a palette
  int clear_grey = -1;  // tRNS of a grey image, -1: none
  Bytes exif;
};
// rows      packed as in PNG
Bytes WritePng(const PngSpec& spec, const Bytes& rows);

struct TiffPage {
  int width = 16;
  int height = 16;
  int bits = 8;
  int channels = 3;
  int photometric = 2;  // as in libtiff: 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 CMYK
  int compression = 1;  // 1 none, 5 LZW
  int rows_per_strip = 4;
  int tile = 0;  // side of a tile in px, 0: strips
  int orientation = 1;
  int alpha_kind = -1;  // ExtraSamples: 1 associated, 2 unassociated; -1: none
  uint32_t subfile_type = 0;
  Bytes samples;  // packed rows; 16-bit samples in the machine's byte order
};
Bytes WriteTiff(const std::vector<TiffPage>& pages);

// One BGRA frame.
Bytes WriteWebp(int width, int height, const Bytes& bgra, bool lossless, const Bytes& exif);
// Frames of equal size, at an offset on a canvas.
Bytes WriteAnimatedWebp(int canvas_width, int canvas_height, int left, int top, int width, int height,
                        const std::vector<Bytes>& frames_bgra);

struct Jpeg2000Spec {
  int width = 16;
  int height = 16;
  int channels = 3;  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
  int bits = 8;      // of each sample, up to 16
  bool lossless = true;
  bool jp2 = true;   // false: the code stream alone
  bool ycc = false;  // the first three are YCC, the last two of them with a sample for 2 x 2 px
};
// samples   interleaved, as Samples() makes them; scaled up or down to `bits`
Bytes WriteJpeg2000(const Jpeg2000Spec& spec, const Bytes& samples);

struct GifFrame {
  int left = 0;
  int top = 0;
  int width = 8;
  int height = 8;
  bool interlaced = false;
  int clear_index = -1;
  Bytes indices;
};
// palette   RGB triples; their number is a power of two
Bytes WriteGif(int width, int height, const Bytes& palette, const std::vector<GifFrame>& frames);

struct BmpSpec {
  int width = 0;
  int height = 0;  // px; negative: rows from top to bottom
  int bits = 24;
  uint32_t compression = 0;
  int header_bytes = 40;
  std::vector<uint32_t> masks;  // red, green, blue, and alpha if there is one
  Bytes palette;                // entries as stored
  Bytes data;
};
Bytes WriteBmp(const BmpSpec& spec);

}  // namespace inkread::test

#endif  // INKREAD_CODEC_TEST_IMAGES_H_
