// Writes overlays.
#ifndef INKREAD_APPS_OVERLAY_FILES_H_
#define INKREAD_APPS_OVERLAY_FILES_H_

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "apps/output_file.h"
#include "inkread/formats.h"
#include "inkread/status.h"

namespace inkread {

// Whether --overlay names a folder: one that is there, or a new name that ends with a slash or unlike an image's
// (.png, .jpg, .jpeg).
bool IsOverlayFolder(const std::string& path);

// The format that the name of a file asks for; PNG in a folder.
OverlayFormat OverlayFormatOf(const std::string& path);

class OverlayFiles {
 public:
  // path    a file, or a folder, which is made when it does not exist
  // in_use  files that are not overwritten; the overlays are added to them
  OverlayFiles(std::string path, bool is_folder, FilesInUse in_use)
      : path_(std::move(path)), is_folder_(is_folder), in_use_(std::move(in_use)) {}

  // In a folder the name comes from the image: scan.overlay.png for scan.jpg, pages.page2.overlay.png for the second
  // page of pages.tif. Overlays that would have the same name get -2, -3 and so on: scan-2.overlay.png. Of a file's
  // several pages, the file boxes.png becomes boxes.page1.png and so on.
  //
  // Errors  kInvalidArgument (the file is in use), kNotFound (cannot be written: the system's reason); the message has
  //         the path
  Status Write(const std::string& image, int page, int pages, std::span<const uint8_t> bytes);

 private:
  std::string NameFor(const std::string& image, int page, int pages);

  std::string path_;
  bool is_folder_;
  FilesInUse in_use_;
  std::set<std::string> used_;
};

}  // namespace inkread

#endif  // INKREAD_APPS_OVERLAY_FILES_H_
