#include "apps/overlay_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace inkread {

namespace fs = std::filesystem;

std::string OverlayFiles::NameFor(const std::string& picture, int page, int pages) {
  std::string stem = picture == "-" ? "stdin" : fs::path(picture).filename().string();
  if (pages > 1) stem += ".page" + std::to_string(page);
  std::string name = stem + ".png";
  for (int i = 2; !used_.insert(name).second; ++i) name = stem + "-" + std::to_string(i) + ".png";
  return name;
}

Status OverlayFiles::Write(const std::string& picture, int page, int pages, std::span<const uint8_t> png) {
  fs::path target = path_;
  if (is_folder_ || pages > 1) {
    std::error_code error;
    fs::create_directories(target, error);
    if (error) return Status(StatusCode::kNotFound, "overlay folder " + path_ + ": " + error.message());
    target /= NameFor(picture, page, pages);
  }
  std::ofstream out(target, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
  out.close();
  if (!out) {
    return Status(StatusCode::kNotFound, "overlay " + target.string() + ": cannot be written: " + std::strerror(errno));
  }
  return Status();
}

}  // namespace inkread
