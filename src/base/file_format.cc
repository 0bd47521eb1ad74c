#include "base/file_format.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace inkread {
namespace {

using namespace std::string_view_literals;

struct Signature {
  size_t offset;
  std::string_view magic;
  std::string_view name;
};

// Each from the format's specification. A longer signature stands before one that it begins with.
constexpr Signature kSignatures[] = {
    {0, "%PDF-"sv, "a PDF document"sv},
    {0, "%!PS"sv, "a PostScript file"sv},
    {0, "\xC5\xD0\xD3\xC6"sv, "a PostScript file"sv},  // EPS with a preview
    {0, "AT&TFORM"sv, "a DjVu document"sv},
    {0, "8BPS"sv, "a Photoshop image"sv},
    {0, "\0\0\1\0"sv, "a Windows icon"sv},
    {0, "icns"sv, "an Apple icon"sv},
    {0, "II\xBC"sv, "a JPEG XR image"sv},
    {0, "qoif"sv, "a QOI image"sv},
    {0, "BPG\xFB"sv, "a BPG image"sv},
    {0, "FLIF"sv, "a FLIF image"sv},
    {0, "DDS "sv, "a DirectDraw texture"sv},
    {0, "\x76\x2F\x31\x01"sv, "an OpenEXR image"sv},
    {0, "#?RADIANCE"sv, "a Radiance image"sv},
    {0, "gimp xcf"sv, "a GIMP image"sv},
    {0, "SIMPLE  ="sv, "a FITS image"sv},
    {128, "DICM"sv, "a DICOM file"sv},
    {0, "FUJIFILMCCD-RAW"sv, "a raw camera file"sv},
    {0, "\xD7\xCD\xC6\x9A"sv, "a Windows metafile"sv},
    {40, " EMF"sv, "a Windows metafile"sv},
    {4, "ftypcrx "sv, "a raw camera file"sv},
    {4, "ftyp"sv, "an MP4 or QuickTime file"sv},
    {4, "moov"sv, "an MP4 or QuickTime file"sv},
    {4, "mdat"sv, "an MP4 or QuickTime file"sv},
    {0, "\x1A\x45\xDF\xA3"sv, "a Matroska or WebM file"sv},
    {8, "AVI LIST"sv, "an AVI video"sv},
    {8, "WAVEfmt"sv, "a WAVE sound"sv},
    {0, "OggS"sv, "an Ogg file"sv},
    {0, "fLaC"sv, "a FLAC sound"sv},
    {0, "ID3"sv, "an MP3 sound"sv},
    {0, "\0\0\1\xBA"sv, "an MPEG video"sv},
    {0, "\x1F\x8B"sv, "gzip data"sv},
    {0, "BZh"sv, "bzip2 data"sv},
    {0,
     "\xFD"
     "7zXZ\0"sv,
     "xz data"},
    {0, "\x28\xB5\x2F\xFD"sv, "Zstandard data"sv},
    {0, "PK\3\4"sv, "a ZIP archive, as office documents are"sv},
    {0, "PK\5\6"sv, "an empty ZIP archive"sv},
    {0, "7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive"sv},
    {0, "Rar!\x1A\x07"sv, "a RAR archive"sv},
    {257, "ustar"sv, "a tar archive"sv},
    {0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "a Microsoft compound file, as .doc, .msg and Thumbs.db are"sv},
    {0, "{\\rtf"sv, "an RTF document"sv},
    {0, "\0\5\x16\7"sv, "an AppleDouble file, which holds no pixels"sv},
    {0, "\0\0\0\1Bud1"sv, "a .DS_Store file"sv},
    {0, "bplist00"sv, "an Apple property list"sv},
    {0, "SQLite format 3\0"sv, "an SQLite database"sv},
    {0, "\x93NUMPY"sv, "a NumPy array"sv},
    {0,
     "\x7F"
     "ELF"sv,
     "a program"},
    {0, "MZ\x90"sv, "a program"sv},
    {0, "version https://git-lfs."sv, "a Git LFS pointer, which stands for a file that is not here"sv},
    {0, "data:image/"sv, "a data URI"sv},
};

std::string_view AsText(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool HasAt(std::string_view text, size_t offset, std::string_view magic) {
  return text.size() >= offset && text.substr(offset, magic.size()) == magic;
}

// P1 to P7 and a blank.
bool IsNetpbm(std::string_view text) {
  return text.size() >= 3 && text[0] == 'P' && text[1] >= '1' && text[1] <= '7' &&
         std::isspace(static_cast<unsigned char>(text[2])) != 0;
}

// No byte of a text is one of the control characters that only other files have.
bool IsText(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F || (byte < 0x20 && std::isspace(byte) == 0 && byte != 0x1B);
  });
}

// In lower case, without a byte order mark and blanks in front.
std::string StartOfText(std::string_view text) {
  if (HasAt(text, 0, "\xEF\xBB\xBF"sv)) text.remove_prefix(3);
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  std::string start(std::find_if_not(text.begin(), text.end(), is_blank), text.end());
  std::transform(start.begin(), start.end(), start.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return start;
}

// The kind of a text.
std::string_view TextName(std::string_view text) {
  const std::string start = StartOfText(text);
  if (start.starts_with("<!doctype html") || start.starts_with("<html")) return "an HTML page";
  if (start.starts_with("<svg") || (start.starts_with("<") && start.find("<svg") != std::string::npos)) {
    return "an SVG drawing";
  }
  return start.starts_with("<?xml") ? "an XML document" : "text";
}

}  // namespace

std::string_view FileFormatName(std::span<const uint8_t> bytes) {
  const std::string_view text = AsText(bytes.first(std::min(bytes.size(), kFileFormatBytes)));
  for (const Signature& signature : kSignatures) {
    if (HasAt(text, signature.offset, signature.magic)) return signature.name;
  }
  if (IsNetpbm(text)) return "a Netpbm image";
  // Readers of PDF accept other bytes in front of it, such as those of a mail or a printer.
  if (text.find("%PDF-"sv) != std::string_view::npos) return "a PDF document";
  if (HasAt(text, 0, "\xFF\xFE"sv) || HasAt(text, 0, "\xFE\xFF"sv)) return "text in UTF-16";
  if (IsText(text)) return TextName(text);
  const bool is_zero = std::all_of(text.begin(), text.end(), [](char c) { return c == '\0'; });
  return is_zero ? "only zeros at the start" : "";
}

}  // namespace inkread
