// Prints the text of an image file, line by line in reading order: read_file IMAGE
#include <inkread/codec.h>
#include <inkread/ocr.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

int Fail(const inkread::Status& status) {
  std::fprintf(stderr, "read_file: %s\n", status.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: read_file IMAGE\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};

  const auto image = inkread::DecodeImage(bytes);  // JPEG, PNG, WebP, TIFF, BMP or GIF
  if (!image) return Fail(image.status());
  for (const std::string& warning : image->warnings) std::fprintf(stderr, "read_file: %s\n", warning.c_str());

  const auto engine = inkread::Engine::Create();  // once for many images; it may be used by several threads
  if (!engine) return Fail(engine.status());
  const auto reading = (*engine)->Read(image->view());
  if (!reading) return Fail(reading.status());
  for (const inkread::Line& line : reading->lines) std::printf("%s\n", line.text.c_str());
  return 0;
}
