#include "formats/pdf_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "formats/placed_words.h"

namespace inkread {

std::string PdfNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.5f", value);
  return text;
}

namespace {

// Whether text along these px is askew enough that pdftotext takes its characters for several words: they may rise by
// half a point.
bool RisesTooFar(Point along, double points_per_px) {
  constexpr double kMaxRisePoints = 0.4;
  return std::min(std::abs(along.x), std::abs(along.y)) * points_per_px > kMaxRisePoints;
}

// Shows text whose first character's square begins at `origin`, has the side `along` and then, upwards, the side `up`.
void ShowAt(Point origin, Point along, Point up, const std::string& text, double points_per_px, PdfFonts* fonts,
            std::string* content) {
  int count = 0;
  using Glyphs = PdfFonts::Glyphs;
  const Glyphs kind = RisesTooFar(along, points_per_px) ? Glyphs::kWhole : Glyphs::kCharacters;
  const std::string shown = fonts->Show(text, kind, &count);
  if (count == 0) return;
  const double glyphs = count * PdfFonts::kGlyphWidth;
  *content += PdfNumber(along.x / glyphs) + ' ' + PdfNumber(along.y / glyphs) + ' ' + std::to_string(up.x) + ' ' +
              std::to_string(up.y) + ' ' + std::to_string(origin.x) + ' ' + std::to_string(origin.y) + " Tm " + shown +
              '\n';
}

Point Difference(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }

// As the recogniser does, a line that is much higher than wide is taken as written downwards.
bool IsVertical(const Line& line) {
  const auto squared = [](Point p) { return static_cast<double>(p.x) * p.x + static_cast<double>(p.y) * p.y; };
  return squared(Difference(line.quad[3], line.quad[0])) >= 1.5 * 1.5 * squared(Difference(line.quad[1], line.quad[0]));
}

void ShowLine(const Line& line, double points_per_px, PdfFonts* fonts, std::string* content) {
  const std::vector<PlacedWord> words = PlacedWords(line);
  const bool vertical = IsVertical(line);
  // Corners of a word: where its text begins and ends, at the foot of the letters, and its beginning at their head.
  const size_t begin = vertical ? 0 : 3, end = vertical ? 3 : 2, head = vertical ? 1 : 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::array<Point, 4>& quad = words[i].word.quad;
    const Point up = Difference(quad[head], quad[begin]);
    ShowAt(quad[begin], Difference(quad[end], quad[begin]), up, words[i].word.text, points_per_px, fonts, content);
    if (i + 1 == words.size() || !words[i + 1].space_before) continue;
    ShowAt(quad[end], Difference(words[i + 1].word.quad[begin], quad[end]), up, " ", points_per_px, fonts, content);
  }
}

}  // namespace

std::string InvisibleText(const Reading& reading, double points_per_px, PdfFonts* fonts) {
  std::string content = "BT 3 Tr\n";
  for (const Line& line : reading.lines) ShowLine(line, points_per_px, fonts, &content);
  return content + "ET\n";
}

}  // namespace inkread
