// Where overlays are written to.
#ifndef INKREAD_APPS_OVERLAY_FILES_H_
#define INKREAD_APPS_OVERLAY_FILES_H_

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "inkread/status.h"

namespace inkread {

class OverlayFiles {
 public:
  // path       a file, or a folder, which is made when it is not there
  OverlayFiles(std::string path, bool is_folder) : path_(std::move(path)), is_folder_(is_folder) {}

  // In a folder the name is that of the picture with `.png` behind it: scan.jpg.png, pages.tif.page2.png; -2, -3 and
  // so on are added to names that were used in this run.
  //
  // Errors  kNotFound (cannot be written: the system's reason), and the path is in the message
  Status Write(const std::string& picture, int page, int pages, std::span<const uint8_t> png);

 private:
  std::string NameFor(const std::string& picture, int page, int pages);

  std::string path_;
  bool is_folder_;
  std::set<std::string> used_;
};

}  // namespace inkread

#endif  // INKREAD_APPS_OVERLAY_FILES_H_
