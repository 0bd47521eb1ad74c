#include "apps/overlay_files.h"

#include <filesystem>

namespace inkread {

namespace fs = std::filesystem;

namespace {

// In small letters: ".png".
std::string EndingOf(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending;
}

bool IsJpegEnding(const std::string& ending) { return ending == ".jpg" || ending == ".jpeg"; }

}  // namespace

bool IsOverlayFolder(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status)) return fs::is_directory(status);
  const std::string ending = EndingOf(path);
  return ending != ".png" && !IsJpegEnding(ending);
}

OverlayFormat OverlayFormatOf(const std::string& path) {
  return !IsOverlayFolder(path) && IsJpegEnding(EndingOf(path)) ? OverlayFormat::kJpeg : OverlayFormat::kPng;
}

std::string OverlayFiles::NameFor(const std::string& image, int page, int pages) {
  std::string stem = image == "-" ? "stdin" : fs::path(image).stem().string();
  if (pages > 1) stem += ".page" + std::to_string(page);
  std::string name = stem + ".overlay.png";
  for (int i = 2; !used_.insert(name).second; ++i) name = stem + "-" + std::to_string(i) + ".overlay.png";
  return name;
}

Status OverlayFiles::Write(const std::string& image, int page, int pages, std::span<const uint8_t> bytes) {
  fs::path target = path_;
  if (!is_folder_ && pages > 1) {
    target.replace_filename(target.stem().string() + ".page" + std::to_string(page) + target.extension().string());
  } else if (is_folder_) {
    std::error_code error;
    fs::create_directories(target, error);
    if (error) return Status(StatusCode::kNotFound, "overlay folder " + path_ + ": " + error.message());
    target /= NameFor(image, page, pages);
  }
  const auto failed = [](const Status& status) { return Status(status.code(), "overlay " + status.message()); };
  if (const Status free = in_use_.CheckFree(target.string()); !free.ok()) return failed(free);
  const Result<std::unique_ptr<OutputFile>> file = OutputFile::Open(target.string());
  if (!file.ok()) return failed(file.status());
  (*file)->stream().write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (const Status written = (*file)->Commit(); !written.ok()) return failed(written);
  in_use_.Add(target.string(), "is the overlay of " + image);
  return Status();
}

}  // namespace inkread
