// The font of the invisible text in a PDF.
#ifndef INKREAD_FORMATS_PDF_FONT_H_
#define INKREAD_FORMATS_PDF_FONT_H_

#include <cstdint>
#include <map>
#include <qpdf/QPDF.hh>
#include <string>
#include <string_view>
#include <vector>

namespace inkread {

// Type 3 fonts whose glyphs are empty and kGlyphWidth x 1 large. A font has at most 255 codes, so there are as many
// fonts as the document's characters need; every page refers to all of them.
class PdfFonts {
 public:
  // Half an em: from it poppler, which has no other measure of a Type 3 font, guesses the size that it shows.
  static constexpr double kGlyphWidth = 0.5;

  explicit PdfFonts(QPDF* pdf);

  // The operators that show the text, which is UTF-8: "/F0 1 Tf <01> Tj". Sets the number of characters.
  std::string Show(std::string_view text, int* num_characters);

  // The dictionary that pages name as their fonts.
  QPDFObjectHandle dictionary() const { return dictionary_; }

  // Makes the fonts, once all text is shown.
  void Finish();

 private:
  QPDF* pdf_;
  QPDFObjectHandle dictionary_;
  std::map<int32_t, int> number_of_;  // code point -> its place in characters_
  std::vector<int32_t> characters_;
};

}  // namespace inkread

#endif  // INKREAD_FORMATS_PDF_FONT_H_
