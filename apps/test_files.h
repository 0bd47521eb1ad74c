// A folder of its own for each test, and images to put there.
#ifndef INKREAD_APPS_TEST_FILES_H_
#define INKREAD_APPS_TEST_FILES_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "inkread/codec.h"

namespace inkread::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "inkread_apps_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary folder at " << name;
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  // Returns the path of the new file; folders in the name are made.
  std::string Put(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A grey image; its width tells it from others.
inline std::string Png(int width) {
  const std::vector<uint8_t> pixels(static_cast<size_t>(width) * 2, 200);
  const auto png = EncodePng({pixels.data(), width, 2, width, PixelFormat::kGray8});
  return std::string(png->begin(), png->end());
}

// A TIFF whose pages are 3, 4 and so on pixels wide, one row of black grey each.
inline std::string Tiff(int num_pages) {
  std::string tiff = {'I', 'I', 42, 0, 8, 0, 0, 0};
  const auto put16 = [&](int v) { tiff += {static_cast<char>(v & 255), static_cast<char>(v >> 8)}; };
  for (int page = 0; page < num_pages; ++page) {
    const int start = static_cast<int>(tiff.size());
    const std::pair<int, int> tags[] = {{256, 3 + page}, {257, 1}, {258, 8}, {259, 1},
                                        {262, 1},        {273, 0}, {278, 1}, {279, 3 + page}};
    const int end = start + 2 + 12 * static_cast<int>(std::size(tags)) + 4;
    const int pixels = 4 * ((3 + page + 3) / 4);
    put16(static_cast<int>(std::size(tags)));
    for (const auto& [tag, value] : tags) {
      put16(tag);
      put16(3);
      put16(1);
      put16(0);
      put16(tag == 273 ? end : value);
      put16(0);
    }
    put16(page + 1 < num_pages ? end + pixels : 0);
    put16(0);
    tiff.append(static_cast<size_t>(pixels), '\0');
  }
  return tiff;
}

}  // namespace inkread::test

#endif  // INKREAD_APPS_TEST_FILES_H_
