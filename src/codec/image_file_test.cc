// Tests of all formats: sniffing, orientation, limits, damaged files.
#include <utility>

#include "codec/test_decode.h"

namespace inkread::test {
namespace {

Bytes Text(const std::string& text) { return Bytes(text.begin(), text.end()); }

TEST(SniffImageTest, GoesByContent) {
  EXPECT_EQ(SniffImage(WriteJpeg({}, Samples(16, 16, 3))), ImageKind::kJpeg);
  EXPECT_EQ(SniffImage(WritePng({}, Samples(16, 16, 3))), ImageKind::kPng);
  EXPECT_EQ(SniffImage(WriteWebp(4, 4, Samples(4, 4, 4), true, {})), ImageKind::kWebp);
  TiffPage page;
  page.samples = Samples(16, 16, 3);
  EXPECT_EQ(SniffImage(WriteTiff({page})), ImageKind::kTiff);
  EXPECT_EQ(SniffImage(WriteBmp({1, 1, 24, 0, 40, {}, {}, Bytes(4)})), ImageKind::kBmp);
  EXPECT_EQ(SniffImage(Text("\x01\x02\x03\x04"
                            "ftypheic....")),
            ImageKind::kHeif);
  for (const Bytes& none : {Bytes{}, Text("BMW is the name of a firm, not of an image"), Text("This is no image."),
                            Text("RIFF....WAVE"), Bytes{0xFF, 0xD8}, Text("GIF")}) {
    EXPECT_FALSE(LooksLikeImage(none));
  }
}

Bytes Ftyp(const std::string& brands) {
  return Text(std::string("\0\0\0", 3) + static_cast<char>(8 + brands.size()) + "ftyp" + brands);
}

TEST(SniffImageTest, ACompatibleBrandTellsTheCodingToo) {
  const std::string version(4, '\0');
  EXPECT_EQ(SniffImage(Ftyp("avif" + version + "mif1miaf")), ImageKind::kAvif);
  EXPECT_EQ(SniffImage(Ftyp("mif1" + version + "miafavif")), ImageKind::kAvif);
  EXPECT_EQ(SniffImage(Ftyp("mif1" + version + "heicmiaf")), ImageKind::kHeif);
  EXPECT_EQ(SniffImage(Ftyp("miaf" + version + "heic")), ImageKind::kHeif);
  EXPECT_EQ(SniffImage(Ftyp("mp42" + version + "isommp42")), ImageKind::kNone);
  EXPECT_EQ(SniffImage(Ftyp("isom" + std::string("avif") + "mp42")), ImageKind::kNone);  // a version is no brand
  EXPECT_EQ(SniffImage(Ftyp("isom" + version + "mp4")), ImageKind::kNone);
  Bytes followed = Ftyp("mp42" + version);
  for (const char c : std::string("avifavif")) followed.push_back(static_cast<uint8_t>(c));  // behind the box
  EXPECT_EQ(SniffImage(followed), ImageKind::kNone);
}

TEST(ImageFileTest, NamesTheFormatOfAFileThatIsNoImage) {
  const std::string zeros(1200, '\0');
  const std::pair<std::string, const char*> cases[] = {
      {"%PDF-1.7\n%\xE2\xE3", "a PDF document"},
      {"\r\n\x1B%-12345X@PJL\r\n%PDF-1.4", "a PDF document"},
      {"%!PS-Adobe-3.0 EPSF-3.0", "a PostScript file"},
      {"PK\3\4\x14", "a ZIP archive"},
      {"\x1F\x8B\x08", "gzip data"},
      {zeros.substr(0, 257) + "ustar", "a tar archive"},
      {zeros.substr(0, 128) + "DICM", "a DICOM file"},
      {"8BPS", "a Photoshop image"},
      {"P6\n2 2\n255\n", "a Netpbm image"},
      {"P.S. a letter", "text"},
      {"\xEF\xBB\xBF\n <!DOCTYPE HTML>", "an HTML page"},
      {"<?xml version='1.0'?>\n<!-- drawn -->\n<SVG xmlns='x'>", "an SVG drawing"},
      {"<?xml version='1.0'?><alto>", "an XML document"},
      {"scans/a.png\nscans/b.png\n", "text"},
      {"M\xFCller", "text"},
      {std::string("\xFF\xFEh\0", 4), "text in UTF-16"},
      {"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"},
      {std::string("\0\0\0\x18"
                   "ftypmp42",
                   12),
       "an MP4 or QuickTime file"},
      {zeros, "only zeros at the start"},
      {std::string("\1\2\3\0", 4), "another format"},
      {std::string(1, '\0') + "x", "another format"},
  };
  for (const auto& [start, name] : cases) {
    const Status status = MustFail(Text(start));
    EXPECT_EQ(status.code(), StatusCode::kCorruptImage) << name;
    const std::string says = std::string("expected JPEG, PNG, WebP, TIFF, BMP, GIF or JPEG 2000, found ") + name;
    EXPECT_TRUE(Contains(status.message(), says)) << status.message();
  }
}

TEST(ImageFileTest, NamesWhatIsWrongWithBytesThatAreNoImage) {
  EXPECT_EQ(MustFail({}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(MustFail({}).message(), "the file is empty");
  EXPECT_EQ(MustFail(Text("This is no image.")).code(), StatusCode::kCorruptImage);
  const Status heic =
      MustFail(Text("\x01\x02\x03\x04"
                    "ftypheic...."));
  EXPECT_EQ(heic.code(), StatusCode::kUnsupported);
  EXPECT_TRUE(Contains(heic.message(), "HEIF")) << heic.message();
}

// A 3 x 2 image as stored, and the expected positions of its red corner (stored top left) and of the blue pixel to the
// right of it.
TEST(ImageFileTest, TurnsByTheOrientationTagInEveryFormatThatHasOne) {
  struct Case {
    int orientation, red_x, red_y, blue_x, blue_y;
  };
  constexpr int kScale = 16;  // side of a block of equal pixels, so that JPEG does not mix the colours
  Bytes rgb;
  Bytes bgra;
  for (int y = 0; y < 2 * kScale; ++y) {
    for (int x = 0; x < 3 * kScale; ++x) {
      const bool red = y < kScale && x < kScale;
      const bool blue = y < kScale && x >= kScale && x < 2 * kScale;
      const uint8_t r = blue ? 0 : 255, g = red || blue ? 0 : 255, b = red ? 0 : 255;
      rgb.insert(rgb.end(), {r, g, b});
      bgra.insert(bgra.end(), {b, g, r, 255});
    }
  }
  for (const Case& c : {Case{1, 0, 0, 1, 0}, Case{2, 2, 0, 1, 0}, Case{3, 2, 1, 1, 1}, Case{4, 0, 1, 1, 1},
                        Case{5, 0, 0, 0, 1}, Case{6, 1, 0, 1, 1}, Case{7, 1, 2, 1, 1}, Case{8, 0, 2, 0, 1}}) {
    for (bool little : {true, false}) {
      const Bytes exif = ExifBlock(c.orientation, little);
      JpegSpec jpeg;
      jpeg.width = 3 * kScale;
      jpeg.height = 2 * kScale;
      jpeg.exif = exif;
      PngSpec png;
      png.width = jpeg.width;
      png.height = jpeg.height;
      png.exif = exif;
      TiffPage tiff;
      tiff.width = jpeg.width;
      tiff.height = jpeg.height;
      tiff.orientation = c.orientation;
      tiff.samples = rgb;
      for (const Bytes& bytes : {WriteJpeg(jpeg, rgb), WritePng(png, rgb),
                                 WriteWebp(jpeg.width, jpeg.height, bgra, true, exif), WriteTiff({tiff})}) {
        const char* kind = ImageKindName(SniffImage(bytes));
        const DecodedImage image = MustDecode(bytes);
        ASSERT_EQ(image.width_px, (c.orientation < 5 ? 3 : 2) * kScale) << kind << c.orientation;
        ASSERT_EQ(image.height_px, (c.orientation < 5 ? 2 : 3) * kScale) << kind << c.orientation;
        const Bgr red = PixelAt(image, c.red_x * kScale + kScale / 2, c.red_y * kScale + kScale / 2);
        EXPECT_TRUE(red[2] > 240 && red[0] < 15) << kind << c.orientation;
        const Bgr blue = PixelAt(image, c.blue_x * kScale + kScale / 2, c.blue_y * kScale + kScale / 2);
        EXPECT_TRUE(blue[0] > 240 && blue[2] < 15) << kind << c.orientation;
        DecodeOptions as_stored;
        as_stored.apply_exif_rotation = false;
        EXPECT_EQ(MustDecode(bytes, as_stored).width_px, 3 * kScale);
      }
    }
  }
}

TEST(ImageFileTest, TheOrientationMayHaveAnyIntegerType) {
  constexpr int kAscii = 2, kRational = 5;
  for (const int type : {1, 3, 4, 6, 8, 9, kAscii, kRational, 0, 7, 255}) {
    const bool is_integer = type == 1 || type == 3 || type == 4 || type == 6 || type == 8 || type == 9;
    for (const bool little : {true, false}) {
      for (const int value : {6, 0, 9, 255, 65542, -1}) {  // 65542: 6 in its low half
        const bool holds = type == 4 || type == 9 || (value >= 0 && value < 256);
        if (!holds) continue;
        const Bytes exif = ExifBlock(value, little, type);
        JpegSpec jpeg;
        jpeg.width = 16;
        jpeg.height = 8;
        jpeg.exif = exif;
        PngSpec png;
        png.width = 16;
        png.height = 8;
        png.exif = exif;
        const bool turns = is_integer && value == 6;
        for (const Bytes& bytes : {WriteJpeg(jpeg, Samples(16, 8, 3)), WritePng(png, Samples(16, 8, 3)),
                                   WriteWebp(16, 8, Samples(16, 8, 4), true, exif)}) {
          EXPECT_EQ(MustDecode(bytes).width_px, turns ? 8 : 16)
              << ImageKindName(SniffImage(bytes)) << " type " << type << " value " << value << " little " << little;
        }
      }
    }
  }
}

TEST(ImageFileTest, ATiffsOrientationMayBeALongToo) {
  TiffPage page;
  page.width = 16;
  page.height = 8;
  page.orientation = 6;
  page.samples = Samples(16, 8, 3);
  const Bytes tiff = WriteTiff({page});
  const Bytes as_short = {0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0};  // the entry, in this machine's byte order
  const Bytes as_long = {0x12, 0x01, 4, 0, 1, 0, 0, 0, 6, 0, 0, 0};
  const Bytes invalid = {0x12, 0x01, 3, 0, 1, 0, 0, 0, 9, 0, 0, 0};
  for (const auto& [entry, width] : {std::pair(as_short, 8), std::pair(as_long, 8), std::pair(invalid, 16)}) {
    Bytes changed = tiff;
    const auto at = std::search(changed.begin(), changed.end(), as_short.begin(), as_short.end());
    ASSERT_NE(at, changed.end());
    std::copy(entry.begin(), entry.end(), at);
    EXPECT_EQ(MustDecode(changed).width_px, width);
  }
}

TEST(ImageFileTest, ADamagedExifBlockIsIgnored) {
  const Bytes exif = ExifBlock(6, true);
  for (size_t size = 0; size < exif.size(); ++size) {
    JpegSpec spec;
    spec.width = 16;
    spec.height = 8;
    spec.exif = Prefix(exif, size);
    const DecodedImage image = MustDecode(WriteJpeg(spec, Samples(16, 8, 3)));
    EXPECT_TRUE(image.width_px == 16 || size >= 34) << size;  // from this size on the tag is complete
  }
}

TEST(ImageFileTest, ThePixelLimitHoldsForEveryFormat) {
  DecodeOptions options;
  options.max_pixels = 63;
  TiffPage tiff;
  tiff.width = 8;
  tiff.height = 8;
  tiff.samples = Samples(8, 8, 3);
  JpegSpec jpeg;
  jpeg.width = 8;
  jpeg.height = 8;
  PngSpec png;
  png.width = 8;
  png.height = 8;
  GifFrame frame;
  frame.indices = Bytes(64, 1);
  for (const Bytes& bytes :
       {WriteJpeg(jpeg, Samples(8, 8, 3)), WritePng(png, Samples(8, 8, 3)), WriteTiff({tiff}),
        WriteWebp(8, 8, Samples(8, 8, 4), true, {}), WriteBmp({8, 8, 24, 0, 40, {}, {}, Bytes(8 * 24)}),
        WriteGif(8, 8, {0, 0, 0, 255, 255, 255}, {frame})}) {
    options.max_pixels = 63;
    const Status status = MustFail(bytes, options);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_TRUE(Contains(status.message(), "8 x 8 px are more than the limit of 63 pixels")) << status.message();
    for (int64_t most : {int64_t{64}, INT64_MAX}) {
      options.max_pixels = most;
      EXPECT_EQ(MustDecode(bytes, options).width_px, 8);
    }
  }
}

}  // namespace
}  // namespace inkread::test
