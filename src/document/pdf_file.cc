#include "document/pdf_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <utility>
#include <vector>

#include "document/child_process.h"
#include "document/pdf_content.h"
#include "image/image.h"
#include "image/image_rule.h"

namespace inkread {
namespace {

constexpr double kDefaultDpi = 200;
constexpr double kMaxDrawnPixels = 40e6;  // of a page at the default resolution: a poster is drawn smaller
constexpr double kPointsPerInch = 72;

// A copy of a document in memory that another process can open by a path.
class SharedCopy {
 public:
  SharedCopy() = default;
  SharedCopy(const SharedCopy&) = delete;
  SharedCopy& operator=(const SharedCopy&) = delete;
  ~SharedCopy() {
    if (file_ >= 0) ::close(file_);
  }
  Result<std::string> PathOf(std::span<const uint8_t> bytes) {
    if (file_ < 0) {
      file_ = ::memfd_create("inkread", MFD_CLOEXEC);
      for (size_t at = 0; file_ >= 0 && at < bytes.size();) {
        const ssize_t count = ::write(file_, bytes.data() + at, bytes.size() - at);
        if (count <= 0) return OutOfMemory("no memory for a copy of the PDF");
        at += static_cast<size_t>(count);
      }
    }
    if (file_ < 0) return OutOfMemory("no memory for a copy of the PDF");
    return StrCat("/proc/", ::getpid(), "/fd/", file_);
  }

 private:
  int file_ = -1;
};

// An image that covers its page, in the page's resolution.
struct PageImage {
  QPDFObjectHandle stream;
  int width = 0, height = 0;
  int quarter_turns = 0;  // counter-clockwise, to set the page as a viewer shows it
};

bool IsNear(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

// The number of the image's components where it is one of grey or RGB; 0 otherwise.
int ComponentsOf(QPDFObjectHandle space) {
  if (space.isNameAndEquals("/DeviceGray")) return 1;
  if (space.isNameAndEquals("/DeviceRGB")) return 3;
  if (!space.isArray() || space.getArrayNItems() < 2) return 0;
  if (space.getArrayItem(0).isNameAndEquals("/CalGray")) return 1;
  if (space.getArrayItem(0).isNameAndEquals("/CalRGB")) return 3;
  if (!space.getArrayItem(0).isNameAndEquals("/ICCBased") || !space.getArrayItem(1).isStream()) return 0;
  const QPDFObjectHandle n = space.getArrayItem(1).getDict().getKey("/N");
  const int count = QPDFObjectHandle(n).isInteger() ? QPDFObjectHandle(n).getIntValueAsInt() : 0;
  return count == 1 || count == 3 ? count : 0;
}

int IntOf(QPDFObjectHandle dictionary, const char* key) {
  QPDFObjectHandle value = dictionary.getKey(key);
  return value.isInteger() ? value.getIntValueAsInt() : 0;
}

DecodedImage ImageOf(int width, int height, int channels, std::vector<uint8_t> pixels) {
  DecodedImage image;
  image.width_px = width;
  image.height_px = height;
  image.stride_bytes = ptrdiff_t{channels} * width;
  image.format = channels == 1 ? PixelFormat::kGray8 : PixelFormat::kBgr24;
  image.pixels = std::move(pixels);
  return image;
}

DecodedImage TurnedImage(DecodedImage image, int quarter_turns) {
  if (quarter_turns == 0) return image;
  ImageRule rule;
  rule.quarter_turns = quarter_turns;
  BgrImage turned = CutOut(image.view(), rule);
  DecodedImage out =
      ImageOf(turned.width_px, turned.height_px, 3,
              {turned.pixels.begin(), turned.pixels.begin() + ptrdiff_t{3} * turned.width_px * turned.height_px});
  out.warnings = std::move(image.warnings);
  return out;
}

class QpdfFile : public PdfFile {
 public:
  QpdfFile(std::span<const uint8_t> bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {}

  Status Open() try {
    pdf_.setSuppressWarnings(true);
    pdf_.processMemoryFile("PDF", reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    pages_ = QPDFPageDocumentHelper(pdf_).getAllPages();
    if (pages_.empty()) return CorruptImage("PDF: has no pages");
    return Status();
  } catch (const QPDFExc& error) {
    if (error.getErrorCode() == qpdf_e_password) return Unsupported("PDF: needs a password");
    return CorruptImage("PDF: cannot be read: ", error.getMessageDetail());
  } catch (const std::exception& error) {
    return CorruptImage("PDF: cannot be read: ", error.what());
  }

  int num_pages() const override { return static_cast<int>(pages_.size()); }

  Result<DecodedImage> Decode(int page, const DocumentOptions& options) override {
    std::optional<double> dpi;
    try {
      if (const std::optional<PageImage> image = ImageOfPage(page)) {
        Result<std::optional<DecodedImage>> decoded = DecodeImageOfPage(*image, options);
        if (!decoded.ok()) return decoded.status();
        dpi = DpiOf(page, *image);
        if (decoded->has_value()) {
          (*decoded)->dpi = dpi.value_or(0);
          return std::move(**decoded);
        }
      }
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {  // pdftoppm may make more of a damaged page
    }
    return Draw(page, dpi, options);
  }

  bool HasText(int page) override try {
    return ReadPageContent(pdf_, pages_[static_cast<size_t>(page)]).has_text;
  } catch (const std::exception&) {
    return false;
  }

 private:
  struct Box {
    double left, bottom, right, top;
    double width() const { return right - left; }
    double height() const { return top - bottom; }
  };

  // As a viewer shows it, before /Rotate. Nothing for a box without area.
  std::optional<Box> CropBoxOf(int page) {
    QPDFObjectHandle box = pages_[static_cast<size_t>(page)].getCropBox();
    if (!box.isRectangle()) return std::nullopt;
    const QPDFObjectHandle::Rectangle r = box.getArrayAsRectangle();
    const Box out{std::min(r.llx, r.urx), std::min(r.lly, r.ury), std::max(r.llx, r.urx), std::max(r.lly, r.ury)};
    if (!(out.width() > 0) || !(out.height() > 0)) return std::nullopt;
    return out;
  }

  // The image that covers the page and is all that it shows, if it can be taken as it is.
  std::optional<PageImage> ImageOfPage(int page) {
    QPDFPageObjectHelper& helper = pages_[static_cast<size_t>(page)];
    if (!helper.getAnnotations().empty()) return std::nullopt;
    const PageContent content = ReadPageContent(pdf_, helper);
    const std::optional<Box> box = CropBoxOf(page);
    if (!content.sole_image || !box) return std::nullopt;
    const QPDFMatrix& m = content.place;
    const double x_tolerance = box->width() / 100, y_tolerance = box->height() / 100;
    const bool covers = IsNear(m.b, 0, y_tolerance) && IsNear(m.c, 0, x_tolerance) &&
                        IsNear(m.e, box->left, x_tolerance) && IsNear(m.f, box->bottom, y_tolerance) &&
                        IsNear(m.a, box->width(), x_tolerance) && IsNear(m.d, box->height(), y_tolerance);
    if (!covers) return std::nullopt;
    QPDFObjectHandle rotate = helper.getAttribute("/Rotate", false);
    const int degrees = rotate.isInteger() ? rotate.getIntValueAsInt() % 360 : 0;
    if (degrees % 90 != 0) return std::nullopt;
    const std::map<std::string, QPDFObjectHandle> images = helper.getImages();
    const auto found = images.find(*content.sole_image);
    if (found == images.end()) return std::nullopt;
    PageImage image;
    image.stream = found->second;
    QPDFObjectHandle dict = image.stream.getDict();
    for (const char* key : {"/ImageMask", "/SMask", "/Mask", "/Decode", "/OC", "/Alternates"}) {
      if (dict.hasKey(key) && !dict.getKey(key).isNull()) return std::nullopt;
    }
    image.width = IntOf(dict, "/Width");
    image.height = IntOf(dict, "/Height");
    if (image.width < 1 || image.height < 1) return std::nullopt;
    image.quarter_turns = ((-degrees / 90) % 4 + 4) % 4;
    return image;
  }

  // Nothing for an image of a kind that is not taken as it is.
  Result<std::optional<DecodedImage>> DecodeImageOfPage(const PageImage& image, const DocumentOptions& options) {
    const int64_t pixels = int64_t{image.width} * image.height;
    if (pixels > options.decode.max_pixels) {
      return InvalidArgument("PDF: the page's image is ", image.width, " x ", image.height, " = ", pixels,
                             " pixels, more than the limit of ", options.decode.max_pixels);
    }
    QPDFObjectHandle dict = QPDFObjectHandle(image.stream).getDict();
    const int components = ComponentsOf(dict.getKey("/ColorSpace"));
    const int bits = IntOf(dict, "/BitsPerComponent");
    std::optional<DecodedImage> decoded;
    if (IsJpeg(dict)) {
      if (components == 0) return decoded;
      INKREAD_ASSIGN_OR_RETURN(decoded, DecodeJpeg(image, options));
    } else if (components != 0 && (bits == 8 || (bits == 1 && components == 1))) {
      decoded = Unpack(image, components, bits);
    }
    if (decoded) decoded = TurnedImage(*std::move(decoded), image.quarter_turns);
    return decoded;
  }

  static bool IsJpeg(QPDFObjectHandle dict) {
    QPDFObjectHandle filter = dict.getKey("/Filter");
    if (filter.isArray() && filter.getArrayNItems() == 1) filter = filter.getArrayItem(0);
    return filter.isNameAndEquals("/DCTDecode") && dict.getKey("/DecodeParms").isNull();
  }

  // Nothing for bytes that are no JPEG of that size.
  static Result<std::optional<DecodedImage>> DecodeJpeg(const PageImage& image, const DocumentOptions& options) {
    const auto buffer = QPDFObjectHandle(image.stream).getRawStreamData();
    const Result<ImageFile> file = ImageFile::Open({buffer->getBuffer(), buffer->getSize()});
    if (!file.ok() || file->kind() != ImageKind::kJpeg) return std::optional<DecodedImage>();
    DecodeOptions decode = options.decode;
    decode.apply_exif_rotation = false;  // a viewer does not
    INKREAD_ASSIGN_OR_RETURN(DecodedImage decoded, file->Decode(0, decode));
    if (decoded.width_px != image.width || decoded.height_px != image.height) return std::optional<DecodedImage>();
    return std::optional(std::move(decoded));
  }

  static std::optional<DecodedImage> Unpack(const PageImage& image, int components, int bits) {
    const size_t width = static_cast<size_t>(image.width), height = static_cast<size_t>(image.height);
    const size_t row_bytes = (width * static_cast<size_t>(components * bits) + 7) / 8;
    // Some writers append a line end.
    const std::optional<std::string> data = StreamData(image.stream, row_bytes * height + 2);
    if (!data || data->size() < row_bytes * height) return std::nullopt;
    std::vector<uint8_t> pixels(width * height * static_cast<size_t>(components));
    const auto* from = reinterpret_cast<const uint8_t*>(data->data());
    uint8_t* to = pixels.data();
    for (size_t y = 0; y < height; ++y, from += row_bytes, to += width * static_cast<size_t>(components)) {
      for (size_t x = 0; x < width; ++x) {
        if (bits == 1) {
          to[x] = (from[x / 8] >> (7 - x % 8) & 1) != 0 ? 255 : 0;
        } else if (components == 1) {
          to[x] = from[x];
        } else {
          for (size_t c = 0; c < 3; ++c) to[3 * x + c] = from[3 * x + 2 - c];
        }
      }
    }
    return ImageOf(image.width, image.height, components, std::move(pixels));
  }

  // The resolution at which the image is drawn pixel by pixel.
  std::optional<double> DpiOf(int page, const PageImage& image) {
    const std::optional<Box> box = CropBoxOf(page);
    return box ? std::optional(image.width * kPointsPerInch / box->width()) : std::nullopt;
  }

  Result<DecodedImage> Draw(int page, std::optional<double> image_dpi, const DocumentOptions& options) {
    std::optional<Box> box;
    try {
      box = CropBoxOf(page);
    } catch (const std::exception&) {
    }
    if (!box) return CorruptImage("PDF: page ", page + 1, " has no size");
    const double square_inches = box->width() * box->height() / (kPointsPerInch * kPointsPerInch);
    const double most = std::min(kMaxDrawnPixels, static_cast<double>(options.decode.max_pixels));
    // pdftoppm rounds both sides up.
    const auto pixels_at = [&](double dpi) {
      return (box->width() * dpi / kPointsPerInch + 1) * (box->height() * dpi / kPointsPerInch + 1);
    };
    double dpi = image_dpi.value_or(std::min(kDefaultDpi, std::sqrt(most / square_inches)));
    if (options.dpi > 0) {
      dpi = options.dpi;
    } else if (!image_dpi) {
      while (dpi > 1 && pixels_at(dpi) > most) dpi *= 0.99;
    }
    const double pixels = pixels_at(dpi);
    if (!(pixels <= static_cast<double>(options.decode.max_pixels))) {
      return InvalidArgument("PDF: page ", page + 1, " would have ", pixels, " pixels at ", dpi,
                             " dpi, more than the limit of ", options.decode.max_pixels);
    }
    std::string file = path_;
    if (file.empty()) {
      INKREAD_ASSIGN_OR_RETURN(file, copy_.PathOf(bytes_));
    } else if (file[0] == '-') {
      file = "./" + file;
    }
    const std::string number = StrCat(page + 1);
    ChildLimits limits;
    limits.output_bytes = static_cast<int64_t>(3 * pixels) + 100;
    const auto output =
        OutputOf({"pdftoppm", "-q", "-cropbox", "-f", number, "-l", number, "-r", StrCat(dpi), file}, limits);
    if (output.status().code() == StatusCode::kNotFound) {
      return NotFound("PDF: page ", page + 1,
                      " is more than an image, and pdftoppm, which draws such pages, is not here ",
                      "(Debian: poppler-utils)");
    }
    if (!output.ok())
      return Status(output.status().code(), StrCat("PDF: page ", page + 1, ": ", output.status().message()));
    INKREAD_ASSIGN_OR_RETURN(DecodedImage image, FromPpm(*output, page));
    image.dpi = dpi;
    return image;
  }

  // A PPM as pdftoppm writes it: "P6", width, height and 255, each followed by one line end or space.
  static Result<DecodedImage> FromPpm(std::span<const uint8_t> ppm, int page) {
    const char* at = reinterpret_cast<const char*>(ppm.data());
    const char* const end = at + ppm.size();
    int numbers[3] = {};
    bool is_good = ppm.size() > 3 && std::memcmp(at, "P6\n", 3) == 0;
    if (is_good) at += 3;
    for (int& number : numbers) {
      if (!is_good) break;
      const auto [next, error] = std::from_chars(at, end, number);
      is_good = error == std::errc() && next != end && number > 0;
      at = is_good ? next + 1 : at;
    }
    const size_t bytes = size_t{3} * static_cast<size_t>(std::max(numbers[0], 0)) * std::max(numbers[1], 0);
    if (!is_good || numbers[2] != 255 || static_cast<size_t>(end - at) != bytes)
      return CorruptImage("PDF: pdftoppm gave no image of page ", page + 1);
    std::vector<uint8_t> pixels(bytes);
    for (size_t i = 0; i < bytes; i += 3) {
      for (size_t c = 0; c < 3; ++c) pixels[i + c] = static_cast<uint8_t>(at[i + 2 - c]);
    }
    return ImageOf(numbers[0], numbers[1], 3, std::move(pixels));
  }

  const std::span<const uint8_t> bytes_;
  const std::string path_;
  QPDF pdf_;
  std::vector<QPDFPageObjectHelper> pages_;
  SharedCopy copy_;
};

}  // namespace

Result<std::unique_ptr<PdfFile>> PdfFile::Open(std::span<const uint8_t> bytes, const std::string& path) {
  auto file = std::make_unique<QpdfFile>(bytes, path);
  INKREAD_RETURN_IF_ERROR(file->Open());
  return std::unique_ptr<PdfFile>(std::move(file));
}

}  // namespace inkread
