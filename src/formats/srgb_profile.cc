#include "formats/srgb_profile.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace inkread {
namespace {

void Put(uint32_t value, int bytes, std::string* out) {
  for (int i = bytes - 1; i >= 0; --i) *out += static_cast<char>(value >> 8 * i & 255);
}

std::string Xyz(std::initializer_list<double> values) {
  std::string tag("XYZ \0\0\0\0", 8);
  for (const double v : values) Put(static_cast<uint32_t>(std::lround(v * 65536)), 4, &tag);  // s15Fixed16
  return tag;
}

std::string Curve() {
  constexpr int kPoints = 1024;
  std::string tag("curv\0\0\0\0", 8);
  Put(kPoints, 4, &tag);
  for (int i = 0; i < kPoints; ++i) {
    const double v = i / (kPoints - 1.0);
    const double linear = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    Put(static_cast<uint32_t>(std::lround(linear * 65535)), 2, &tag);
  }
  return tag;
}

std::string Description(const std::string& text) {
  std::string tag("desc\0\0\0\0", 8);
  Put(static_cast<uint32_t>(text.size() + 1), 4, &tag);
  tag += text;
  tag.append(1 + 8 + 3 + 67, '\0');  // end of text; no Unicode; no Macintosh script
  return tag;
}

}  // namespace

std::string SrgbProfile() {
  const std::string curve = Curve();
  const std::vector<std::pair<std::string, std::string>> tags = {
      {"desc", Description("sRGB")},
      {"cprt", std::string("text\0\0\0\0No rights reserved", 27)},
      {"wtpt", Xyz({0.9642, 1.0, 0.8249})},
      {"rXYZ", Xyz({0.43607, 0.22249, 0.01392})},
      {"gXYZ", Xyz({0.38515, 0.71687, 0.09708})},
      {"bXYZ", Xyz({0.14307, 0.06061, 0.7141})},
      {"rTRC", curve},
      {"gTRC", curve},
      {"bTRC", curve}};
  constexpr size_t kHeaderBytes = 128, kTagBytes = 12;
  std::string table, data;
  Put(static_cast<uint32_t>(tags.size()), 4, &table);
  const size_t data_at = kHeaderBytes + 4 + kTagBytes * tags.size();
  size_t curve_at = 0;
  for (const auto& [name, tag] : tags) {
    const bool is_curve = name.substr(1) == "TRC";
    size_t at = data_at + data.size();
    if (is_curve && curve_at != 0) {
      at = curve_at;  // the three curves are one
    } else {
      data += tag;
      data.resize((data.size() + 3) / 4 * 4, '\0');
    }
    if (is_curve) curve_at = at;
    table += name;
    Put(static_cast<uint32_t>(at), 4, &table);
    Put(static_cast<uint32_t>(tag.size()), 4, &table);
  }
  std::string header;
  Put(static_cast<uint32_t>(data_at + data.size()), 4, &header);
  Put(0, 4, &header);           // no preferred module
  Put(0x02100000, 4, &header);  // version 2.1
  header += "mntrRGB XYZ ";
  for (const uint32_t part : {2000u, 1u, 1u, 0u, 0u, 0u}) Put(part, 2, &header);  // date: the same bytes every time
  header += "acsp";
  header.append(28, '\0');                         // platform, flags, device, attributes, intent
  header += Xyz({0.9642, 1.0, 0.8249}).substr(8);  // D50
  header.resize(kHeaderBytes, '\0');
  return header + table + data;
}

}  // namespace inkread
