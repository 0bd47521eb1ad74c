// What a page of a PDF draws, as far as it tells whether the page is a single image and whether it has text.
#ifndef INKREAD_DOCUMENT_PDF_CONTENT_H_
#define INKREAD_DOCUMENT_PDF_CONTENT_H_

#include <optional>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFMatrix.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <string>

namespace inkread {

struct PageContent {
  // Of the only image that is drawn, if nothing else is visible: its name among the page's resources, and where its unit
  // square goes.
  std::optional<std::string> sole_image;
  QPDFMatrix place;
  bool has_text = false;  // visible or not
};

// Reads the page's content stream, and the forms that it draws. May throw what libqpdf throws. A page with more than a
// few megabytes of drawing is not read to its end: it has no sole image then.
PageContent ReadPageContent(QPDF& pdf, QPDFPageObjectHelper& page);

// The data of a stream after its filters. Empty if it has more than `max_bytes`, or a filter that libqpdf lacks.
std::optional<std::string> StreamData(QPDFObjectHandle stream, size_t max_bytes);

}  // namespace inkread

#endif  // INKREAD_DOCUMENT_PDF_CONTENT_H_
