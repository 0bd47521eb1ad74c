// The font of the invisible text in a PDF.
#ifndef INKREAD_FORMATS_PDF_FONT_H_
#define INKREAD_FORMATS_PDF_FONT_H_

#include <map>
#include <qpdf/QPDF.hh>
#include <string>
#include <string_view>
#include <vector>

namespace inkread {

// Type 3 fonts whose glyphs are empty and kGlyphWidth x 1 large. A glyph stands for a character or for a whole word. A
// font has at most 255 codes, so there are as many fonts as the document's glyphs need; every page refers to all of
// them.
class PdfFonts {
 public:
  // Half an em: from it poppler, which has no other measure of a Type 3 font, guesses the size that it shows.
  static constexpr double kGlyphWidth = 0.5;

  explicit PdfFonts(QPDF* pdf);

  enum class Glyphs { kCharacters, kWhole };
  // The operators that show the text, which is UTF-8: "/F0 1 Tf <01> Tj". kWhole makes it a single glyph. Sets the number
  // of glyphs.
  std::string Show(std::string_view text, Glyphs glyphs, int* num_glyphs);

  // The dictionary that pages name as their fonts.
  QPDFObjectHandle dictionary() const { return dictionary_; }

  // Makes the fonts, once all text is shown.
  void Finish();

 private:
  QPDF* pdf_;
  QPDFObjectHandle dictionary_;
  std::map<std::u32string, int> number_of_;  // what a glyph stands for -> its place in glyphs_
  std::vector<std::u32string> glyphs_;
};

}  // namespace inkread

#endif  // INKREAD_FORMATS_PDF_FONT_H_
