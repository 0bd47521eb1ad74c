// The writers of all formats.
#include "inkread/formats.h"

namespace inkread {

bool IsByWord(OutputFormat format) {
  return format == OutputFormat::kTsv || format == OutputFormat::kHocr || format == OutputFormat::kAlto ||
         format == OutputFormat::kPdf;
}

std::unique_ptr<PageWriter> MakePageWriter(OutputFormat format, const RunInfo& info, bool headed, std::ostream* out) {
  switch (format) {
    case OutputFormat::kText:
      return MakeTextWriter(headed, out);
    case OutputFormat::kLayout:
      return MakeLayoutWriter(headed, out);
    case OutputFormat::kJson:
      return MakeJsonWriter(info, out);
    case OutputFormat::kJsonLines:
      return MakeJsonLinesWriter(info, out);
    case OutputFormat::kTsv:
      return MakeTsvWriter(out);
    case OutputFormat::kHocr:
      return MakeHocrWriter(info, out);
    case OutputFormat::kAlto:
      return MakeAltoWriter(info, out);
    case OutputFormat::kPdf:
      return MakePdfWriter(out);
  }
  return nullptr;
}

}  // namespace inkread
