// Writes the corpus of image_fuzz: one small image for each path through the decoders.
#include <cstdio>
#include <fstream>
#include <string>

#include "codec/test_images.h"

using namespace inkread::test;

namespace {

struct Folder {
  std::string path;
  void Put(const char* name, const Bytes& bytes) const {
    std::ofstream(path + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
};

void PutJpeg(const Folder& folder) {
  JpegSpec j;
  j.width = 19;
  j.height = 17;
  j.quality = 40;
  j.exif = ExifBlock(6, true);
  folder.Put("ycc_exif.jpg", WriteJpeg(j, Samples(19, 17, 3)));
  j.progressive = true;
  folder.Put("progressive.jpg", WriteJpeg(j, Samples(19, 17, 3)));
  JpegSpec g;
  g.colour = JpegColour::kGrey;
  g.quality = 50;
  folder.Put("grey.jpg", WriteJpeg(g, Samples(16, 16, 1)));
  JpegSpec k;
  k.colour = JpegColour::kYcck;
  k.quality = 50;
  folder.Put("ycck.jpg", WriteJpeg(k, Samples(16, 16, 4)));
}

void PutPng(const Folder& folder) {
  PngSpec p;
  p.width = 9;
  p.height = 9;
  p.exif = ExifBlock(5, false);
  folder.Put("rgb_exif.png", WritePng(p, Samples(9, 9, 3)));
  p.interlaced = true;
  p.colour_type = 6;
  p.depth = 16;
  folder.Put("rgba16_interlaced.png", WritePng(p, Samples(9, 9, 8)));
  PngSpec q;
  q.width = 9;
  q.height = 5;
  q.colour_type = 3;
  q.depth = 2;
  q.palette = {1, 2, 3, 4, 5, 6, 7, 8, 9, 200, 201, 202};
  q.palette_alpha = {0, 100};
  folder.Put("palette_clear.png", WritePng(q, Samples(3, 5, 1)));
  PngSpec o;
  o.width = 9;
  o.height = 5;
  o.colour_type = 0;
  o.depth = 1;
  folder.Put("one_bit.png", WritePng(o, Samples(2, 5, 1)));
}

void PutWebp(const Folder& folder) {
  folder.Put("lossless_alpha.webp", WriteWebp(11, 7, Samples(11, 7, 4), true, ExifBlock(3, true)));
  folder.Put("lossy_alpha.webp", WriteWebp(11, 7, Samples(11, 7, 4), false, {}));
  folder.Put("animated.webp", WriteAnimatedWebp(12, 10, 2, 4, 6, 5, {Samples(6, 5, 4), Samples(6, 5, 4)}));
}

void PutTiff(const Folder& folder) {
  TiffPage t;
  t.width = 9;
  t.height = 7;
  t.samples = Samples(9, 7, 3);
  TiffPage u = t;
  u.compression = 5;
  u.tile = 16;
  TiffPage v = t;
  v.channels = 1;
  v.photometric = 3;
  v.bits = 4;
  v.samples = Samples(5, 7, 1);
  folder.Put("pages.tif", WriteTiff({t, u}));
  folder.Put("palette.tif", WriteTiff({v}));
  TiffPage w = t;
  w.channels = 4;
  w.alpha_kind = 2;
  w.bits = 16;
  w.orientation = 7;
  w.samples = Samples(9, 7, 8);
  folder.Put("rgba16.tif", WriteTiff({w}));
  TiffPage c = t;
  c.channels = 4;
  c.photometric = 5;
  c.samples = Samples(9, 7, 4);
  folder.Put("cmyk.tif", WriteTiff({c}));
}

void PutGif(const Folder& folder) {
  GifFrame f;
  f.left = 1;
  f.clear_index = 2;
  f.interlaced = true;
  f.indices = Bytes(64, 1);
  GifFrame h = f;
  h.interlaced = false;
  folder.Put("two_frames.gif", WriteGif(9, 9, {0, 0, 0, 255, 255, 255, 9, 9, 9, 8, 8, 8}, {f, h}));
}

void PutBmp(const Folder& folder) {
  const Bytes pal = {0, 0, 0, 0, 255, 255, 255, 0, 10, 20, 30, 0, 40, 50, 60, 0};
  folder.Put("rle8.bmp", WriteBmp({4, 2, 8, 1, 40, {}, pal, {3, 2, 0, 0, 0, 3, 3, 1, 3, 0, 0, 2, 1, 0, 0, 1}}));
  folder.Put("rle4.bmp", WriteBmp({4, 1, 4, 2, 40, {}, pal, {4, 0x23, 0, 1}}));
  folder.Put("masks_alpha.bmp",
             WriteBmp({2, -2, 32, 3, 56, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}, {}, Samples(2, 2, 4)}));
  folder.Put("four_bits.bmp", WriteBmp({9, 3, 4, 0, 40, {}, pal, Samples(8, 3, 1)}));
}

void PutJpeg2000(const Folder& folder) {
  folder.Put("rgb.jp2", WriteJpeg2000({9, 7}, Samples(9, 7, 3)));
  Jpeg2000Spec y{9, 7, 4};
  y.ycc = true;
  y.lossless = false;
  folder.Put("ycc_alpha.jp2", WriteJpeg2000(y, Samples(9, 7, 4)));
  Jpeg2000Spec g{9, 7, 1, 12};
  g.jp2 = false;
  folder.Put("grey12.j2k", WriteJpeg2000(g, Samples(9, 7, 1)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  const Folder folder{argv[1]};
  PutJpeg(folder);
  PutPng(folder);
  PutWebp(folder);
  PutTiff(folder);
  PutGif(folder);
  PutBmp(folder);
  PutJpeg2000(folder);
  folder.Put("no_image.txt", {'T', 'h', 'i', 's', ' ', 'i', 's', ' ', 'n', 'o', 'n', 'e'});
  return 0;
}
