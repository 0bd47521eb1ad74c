// Prints the text of an image in a buffer that another library owns: read_buffer IMAGE
//
// `Mat` has the members of OpenCV's cv::Mat that matter here: a pointer, rows, columns and the bytes from one row to
// the next as a size_t. With OpenCV, take cv::Mat of type CV_8UC3 for it and cv::imread for Load; the rest stays.
#include <inkread/codec.h>
#include <inkread/ocr.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

struct Mat {
  uint8_t* data = nullptr;  // BGR, 8 bits a channel
  int rows = 0;
  int cols = 0;
  size_t step = 0;
};

// The pixels are read in place: the matrix must stay alive as long as the view.
inkread::ImageView ViewOf(const Mat& mat) {
  return {mat.data, mat.cols, mat.rows, static_cast<ptrdiff_t>(mat.step), inkread::PixelFormat::kBgr24};
}

// Decodes a file into rows that begin at multiples of 64 bytes, as an image library may keep them. `pixels` owns them.
Mat Load(const char* path, std::vector<uint8_t>* pixels) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto image = inkread::DecodeImage(bytes);
  if (!image || image->format != inkread::PixelFormat::kBgr24) return {};
  const size_t row_bytes = static_cast<size_t>(image->width_px) * 3;
  Mat mat{nullptr, image->height_px, image->width_px, (row_bytes + 63) / 64 * 64};
  pixels->resize(mat.step * static_cast<size_t>(mat.rows));
  mat.data = pixels->data();
  for (int y = 0; y < mat.rows; ++y) {
    std::memcpy(mat.data + mat.step * static_cast<size_t>(y), image->view().row(y), row_bytes);
  }
  return mat;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: read_buffer IMAGE\n");
    return 2;
  }
  std::vector<uint8_t> pixels;
  const Mat mat = Load(argv[1], &pixels);

  const auto engine = inkread::Engine::Create();
  if (!engine) {
    std::fprintf(stderr, "read_buffer: %s\n", engine.status().message().c_str());
    return 1;
  }
  const auto reading = (*engine)->Read(ViewOf(mat));  // an empty matrix is an error, as any other bad input
  if (!reading) {
    std::fprintf(stderr, "read_buffer: %s\n", reading.status().message().c_str());
    return 1;
  }
  for (const inkread::Line& line : reading->lines) std::printf("%s\n", line.text.c_str());
  return 0;
}
