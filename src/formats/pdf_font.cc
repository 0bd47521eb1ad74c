#include "formats/pdf_font.h"

#include <algorithm>
#include <cstdio>
#include <span>

#include "formats/code_points.h"

namespace inkread {
namespace {

constexpr int kCodesPerFont = 255;  // from 1

std::string Hex(int value, int digits) {
  char text[16];
  std::snprintf(text, sizeof(text), "%0*X", digits, static_cast<unsigned>(value));
  return text;
}

std::string Utf16Hex(std::u32string_view text) {
  std::string hex;
  for (const char32_t c : text) {
    const int value = static_cast<int>(c);
    hex += value < 0x10000 ? Hex(value, 4)
                           : Hex(0xD800 + ((value - 0x10000) >> 10), 4) + Hex(0xDC00 + ((value - 0x10000) & 0x3FF), 4);
  }
  return hex;
}

// glyphs  what those of the codes from 1 on stand for
std::string ToUnicode(std::span<const std::u32string> glyphs) {
  std::string map =
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
      "/CMapName /Adobe-Identity-UCS def /CMapType 2 def\n"
      "1 begincodespacerange <00> <FF> endcodespacerange\n";
  constexpr size_t kMaxInBlock = 100;
  for (size_t at = 0; at < glyphs.size(); at += kMaxInBlock) {
    const size_t end = std::min(at + kMaxInBlock, glyphs.size());
    map += std::to_string(end - at) + " beginbfchar\n";
    for (size_t i = at; i < end; ++i) {
      map.append("<").append(Hex(static_cast<int>(i) + 1, 2)).append("> <").append(Utf16Hex(glyphs[i]));
      map.append(">\n");
    }
    map += "endbfchar\n";
  }
  return map + "endcmap CMapName currentdict /CMap defineresource pop end end\n";
}

}  // namespace

PdfFonts::PdfFonts(QPDF* pdf) : pdf_(pdf), dictionary_(pdf->makeIndirectObject(QPDFObjectHandle::newDictionary())) {}

std::string PdfFonts::Show(std::string_view text, Glyphs glyphs, int* num_glyphs) {
  const std::u32string points = CodePointsOf(text);
  const size_t length = glyphs == Glyphs::kWhole ? std::max<size_t>(1, points.size()) : 1;
  std::string operators;
  int font = -1;
  *num_glyphs = 0;
  for (size_t at = 0; at < points.size(); at += length, ++*num_glyphs) {
    const std::u32string glyph = points.substr(at, length);
    const auto [entry, is_new] = number_of_.try_emplace(glyph, static_cast<int>(glyphs_.size()));
    if (is_new) glyphs_.push_back(glyph);
    if (entry->second / kCodesPerFont != font) {
      if (font >= 0) operators += "> Tj ";
      font = entry->second / kCodesPerFont;
      operators.append("/F").append(std::to_string(font)).append(" 1 Tf <");
    }
    operators += Hex(entry->second % kCodesPerFont + 1, 2);
  }
  if (font >= 0) operators += "> Tj";
  return operators;
}

void PdfFonts::Finish() {
  const std::span<const std::u32string> all(glyphs_);
  const QPDFObjectHandle glyph = pdf_->newStream("500 0 d0\n");
  // Ascent and descent tell viewers how high a selection is; some take a descent of 0 for none given.
  const QPDFObjectHandle descriptor = pdf_->makeIndirectObject(QPDFObjectHandle::parse(
      "<< /Type /FontDescriptor /FontName /Invisible /Flags 4 /FontBBox [0 0 500 1000] /ItalicAngle 0 /Ascent 1000 "
      "/Descent -1 /CapHeight 1000 /StemV 0 >>"));
  for (size_t at = 0; at < all.size(); at += kCodesPerFont) {
    const std::span<const std::u32string> glyphs = all.subspan(at, std::min<size_t>(kCodesPerFont, all.size() - at));
    const std::string last = std::to_string(glyphs.size());
    QPDFObjectHandle font = QPDFObjectHandle::parse(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 1 "
        "/LastChar " +
        last + " /Resources << >> /CharProcs << >> /Encoding << /Type /Encoding /Differences [1] >> /Widths [] >>");
    QPDFObjectHandle names = font.getKey("/Encoding").getKey("/Differences");
    for (size_t i = 1; i <= glyphs.size(); ++i) {
      const std::string name = "/g" + std::to_string(i);
      names.appendItem(QPDFObjectHandle::newName(name));
      font.getKey("/CharProcs").replaceKey(name, glyph);
      font.getKey("/Widths").appendItem(QPDFObjectHandle::newInteger(500));
    }
    font.replaceKey("/FontDescriptor", descriptor);
    font.replaceKey("/ToUnicode", pdf_->newStream(ToUnicode(glyphs)));
    dictionary_.replaceKey("/F" + std::to_string(at / kCodesPerFont), pdf_->makeIndirectObject(font));
  }
}

}  // namespace inkread
