// A folder of its own for each test, and images to put there.
#ifndef INKREAD_APPS_TEST_FILES_H_
#define INKREAD_APPS_TEST_FILES_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
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

// A grey image; its width tells it from others.
inline std::string Png(int width) {
  const std::vector<uint8_t> pixels(static_cast<size_t>(width) * 2, 200);
  const auto png = EncodePng({pixels.data(), width, 2, width, PixelFormat::kGray8});
  return std::string(png->begin(), png->end());
}

}  // namespace inkread::test

#endif  // INKREAD_APPS_TEST_FILES_H_
