// The text of a page as operators of a PDF.
#ifndef INKREAD_FORMATS_PDF_TEXT_H_
#define INKREAD_FORMATS_PDF_TEXT_H_

#include <string>

#include "formats/pdf_font.h"
#include "inkread/ocr.h"

namespace inkread {

// A number as PDFs have it: no exponent.
std::string PdfNumber(double value);

// The words of the page, each at its place, invisible but there to be searched, selected and copied. Coordinates are px
// of the image, y downwards, of which one takes points_per_px on the page.
std::string InvisibleText(const Reading& reading, double points_per_px, PdfFonts* fonts);

}  // namespace inkread

#endif  // INKREAD_FORMATS_PDF_TEXT_H_
