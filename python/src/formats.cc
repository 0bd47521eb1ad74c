// inkread._formats: readings as documents, by the functions of inkread/formats.h.
#include "inkread/formats.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace inkread::python {
namespace {

std::array<Point, 4> QuadOf(nb::handle quad) {
  std::array<Point, 4> out;
  for (size_t i = 0; i < out.size(); ++i) out[i] = {nb::cast<int32_t>(quad[i][0]), nb::cast<int32_t>(quad[i][1])};
  return out;
}

// Of the named tuples of inkread/_results.py, whose fields are in this order.
std::vector<Word> WordsOf(nb::handle words) {
  std::vector<Word> out;
  for (nb::handle word : words) {
    Word& to = out.emplace_back();
    to.text = nb::cast<std::string>(word[0]);
    to.score = nb::cast<float>(word[1]);
    to.quad = QuadOf(word[2]);
  }
  return out;
}

std::vector<Line> LinesOf(nb::handle lines) {
  std::vector<Line> out;
  for (nb::handle line : lines) {
    Line& to = out.emplace_back();
    to.text = nb::cast<std::string>(line[0]);
    to.score = nb::cast<float>(line[1]);
    to.det_score = nb::cast<float>(line[2]);
    to.quad = QuadOf(line[3]);
    to.rotated_180 = nb::cast<bool>(line[4]);
    to.words = WordsOf(line[5]);
    to.chars = WordsOf(line[6]);
  }
  return out;
}

Page PageOf(nb::handle reading, const nb::bytes& file, int backend) {
  Page page;
  page.file = std::string(file.c_str(), file.size());
  page.page = nb::cast<int>(reading.attr("page")) + 1;
  page.pages = nb::cast<int>(reading.attr("num_pages"));
  for (nb::handle warning : reading.attr("warnings")) page.warnings.push_back(nb::cast<std::string>(warning));
  const nb::object ms = reading.attr("ms");
  page.load_ms = nb::cast<double>(ms.attr("load"));
  Reading& to = page.reading;
  to.width_px = nb::cast<int>(reading.attr("width_px"));
  to.height_px = nb::cast<int>(reading.attr("height_px"));
  to.lines = LinesOf(reading.attr("lines"));
  to.turned_deg = nb::cast<float>(reading.attr("turned_deg"));
  to.backend = static_cast<OcrBackend>(backend);
  to.dropped = nb::cast<int>(reading.attr("dropped"));
  to.ms.total = nb::cast<double>(ms.attr("total"));
  to.ms.detect_input = nb::cast<double>(ms.attr("detect_input"));
  to.ms.detect = nb::cast<double>(ms.attr("detect"));
  to.ms.boxes = nb::cast<double>(ms.attr("boxes"));
  to.ms.crop = nb::cast<double>(ms.attr("crop"));
  to.ms.recognise = nb::cast<double>(ms.attr("recognise"));
  to.ms.decode = nb::cast<double>(ms.attr("decode"));
  return page;
}

std::string Write(nb::handle reading, const std::string& format, const nb::bytes& file, int backend, bool words,
                  bool chars) {
  RunInfo info;
  info.version = VersionString();
  info.read.words = words;
  info.read.chars = chars;
  std::ostringstream out;
  std::unique_ptr<PageWriter> writer;
  if (format == "json") writer = MakeJsonLinesWriter(info, &out);
  if (format == "tsv") writer = MakeTsvWriter(&out);
  if (format == "hocr") writer = MakeHocrWriter(info, &out);
  if (format == "alto") writer = MakeAltoWriter(info, &out);
  if (writer == nullptr) throw nb::value_error("expected one of the formats json, tsv, hocr and alto");
  writer->Write(PageOf(reading, file, backend));
  writer->End();
  return std::move(out).str();
}

}  // namespace

NB_MODULE(_formats, module) {
  module.def("write", &Write, "reading"_a, "format"_a, "file"_a, "backend"_a, "words"_a, "chars"_a,
             nb::sig("def write(reading: object, format: str, file: bytes, backend: int, words: bool, chars: bool) -> "
                     "str"));
}

}  // namespace inkread::python
