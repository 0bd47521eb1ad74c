#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/status.h"
#include "inkread/formats.h"

namespace inkread {
namespace {

using Bgr = std::array<uint8_t, 3>;

// Each has a contrast of at least 3.5 to white.
constexpr Bgr kOutline = {0, 0, 230};
constexpr Bgr kWord = {220, 110, 0};
constexpr Bgr kCharacter = {0, 140, 0};
constexpr Bgr kPlate = {0, 0, 200};
constexpr Bgr kWhite = {255, 255, 255};

constexpr int kGlyphWidth = 5;
constexpr int kGlyphHeight = 7;

// Rows from the top, bit 4 is the left column.
constexpr uint8_t kDigits[10][kGlyphHeight] = {
    {0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E}, {0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E},
    {0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F}, {0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E},
    {0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02}, {0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E},
    {0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E}, {0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08},
    {0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E}, {0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C}};

// Contrast, by the definition of W3C's WCAG 2.1, that parts of graphics should have at least.
constexpr double kMinContrast = 3;

// Relative luminance of WCAG 2.1.
double Luminance(const uint8_t* bgr) {
  static const std::array<double, 256> linear = [] {
    std::array<double, 256> values{};
    for (size_t i = 0; i < values.size(); ++i) {
      const double v = static_cast<double>(i) / 255;
      values[i] = v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    }
    return values;
  }();
  return 0.2126 * linear[bgr[2]] + 0.7152 * linear[bgr[1]] + 0.0722 * linear[bgr[0]];
}

double Contrast(const uint8_t* a, const uint8_t* b) {
  const auto [darker, lighter] = std::minmax({Luminance(a), Luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

// Pixels with clipping.
struct Canvas {
  int width;
  int height;
  std::vector<uint8_t> bgr;

  // x1, y1  not included
  // beside  null, or only where the pixel could hardly be told from this colour
  void FillRect(int x0, int y0, int x1, int y1, const Bgr& colour, const Bgr* beside = nullptr) {
    for (int y = std::max(y0, 0); y < std::min(y1, height); ++y) {
      for (int x = std::max(x0, 0); x < std::min(x1, width); ++x) {
        uint8_t* pixel = bgr.data() + (static_cast<ptrdiff_t>(y) * width + x) * 3;
        if (beside == nullptr || Contrast(pixel, beside->data()) < kMinContrast)
          std::copy(colour.begin(), colour.end(), pixel);
      }
    }
  }

  void Segment(Point a, Point b, int thick, const Bgr& colour, const Bgr* beside) {
    const int steps = std::max({std::abs(b.x - a.x), std::abs(b.y - a.y), 1});
    for (int i = 0; i <= steps; ++i) {
      const int x = a.x + static_cast<int>(std::lround(static_cast<double>(b.x - a.x) * i / steps));
      const int y = a.y + static_cast<int>(std::lround(static_cast<double>(b.y - a.y) * i / steps));
      FillRect(x - thick / 2, y - thick / 2, x - thick / 2 + thick, y - thick / 2 + thick, colour, beside);
    }
  }

  void Outline(const std::array<Point, 4>& quad, int thick, const Bgr& colour, const Bgr* beside = nullptr) {
    for (size_t i = 0; i < 4; ++i) Segment(quad[i], quad[(i + 1) % 4], thick, colour, beside);
  }
};

// Draws the number on a filled rectangle, above the corner where there is room and within the image where it fits.
void DrawNumber(int number, Point corner, int scale, Canvas* canvas) {
  const std::string digits = std::to_string(number);
  const int width = (static_cast<int>(digits.size()) * (kGlyphWidth + 1) + 1) * scale;
  const int height = (kGlyphHeight + 2) * scale;
  const int left = std::clamp(corner.x, 0, std::max(canvas->width - width, 0));
  const int top = std::clamp(corner.y - height, 0, std::max(canvas->height - height, 0));
  canvas->FillRect(left - scale, top - scale, left + width + scale, top + height + scale, kWhite, &kPlate);
  canvas->FillRect(left, top, left + width, top + height, kPlate);
  for (size_t i = 0; i < digits.size(); ++i) {
    for (int row = 0; row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphWidth; ++column) {
        if ((kDigits[digits[i] - '0'][row] >> (kGlyphWidth - 1 - column) & 1) == 0) continue;
        const int x = left + (1 + static_cast<int>(i) * (kGlyphWidth + 1) + column) * scale;
        const int y = top + (1 + row) * scale;
        canvas->FillRect(x, y, x + scale, y + scale, kWhite);
      }
    }
  }
}

}  // namespace

Result<std::vector<uint8_t>> DrawOverlay(const DecodedImage& image, std::span<const Line> lines, OverlayFormat format) {
  if (format != OverlayFormat::kPng && format != OverlayFormat::kJpeg)
    return InvalidArgument("overlay: format is ", static_cast<int>(format), ", which is not a value of OverlayFormat");
  Canvas canvas{image.width_px, image.height_px, {}};
  const bool grey = image.format == PixelFormat::kGray8;
  canvas.bgr.reserve(static_cast<size_t>(image.width_px) * image.height_px * 3);
  for (uint8_t value : image.pixels) canvas.bgr.insert(canvas.bgr.end(), grey ? 3 : 1, value);
  // Large enough to be readable when the whole image is shown on a screen.
  const int scale = std::clamp(std::max(image.width_px, image.height_px) / 700, 1, 8);
  const int thin = (scale + 1) / 2;
  // A white border where the ground could hardly be told from the outline: elsewhere it would only hide text. All
  // borders first, so that they cover no outline.
  for (const bool is_border : {true, false}) {
    const auto outline = [&](const std::array<Point, 4>& quad, int thick, const Bgr& colour) {
      if (is_border) {
        canvas.Outline(quad, thick + 2 * thin, kWhite, &colour);
      } else {
        canvas.Outline(quad, thick, colour);
      }
    };
    for (const Line& line : lines) {
      outline(line.quad, scale, kOutline);
      for (const Word& character : line.chars) outline(character.quad, thin, kCharacter);
      for (const Word& word : line.words) outline(word.quad, thin, kWord);
    }
  }
  int number = 0;
  for (const Line& line : lines) DrawNumber(++number, line.quad[0], scale, &canvas);
  const ImageView view = {canvas.bgr.data(), canvas.width, canvas.height, ptrdiff_t{canvas.width} * 3,
                          PixelFormat::kBgr24};
  return format == OverlayFormat::kJpeg ? EncodeJpeg(view) : EncodePng(view);
}

}  // namespace inkread
