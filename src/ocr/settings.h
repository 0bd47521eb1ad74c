// The settings that come with a model: a folder's settings.txt, lines of `key value`.
#ifndef INKREAD_OCR_SETTINGS_H_
#define INKREAD_OCR_SETTINGS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/status.h"
#include "ocr/cls_input.h"

namespace inkread {

struct ModelSettings {
  // Of the detector's own file, used by the fast960 profile.
  float det_thresh = 0.2f;
  double det_box_thresh = 0.45;
  double det_unclip_ratio = 1.4;
  int det_max_candidates = 3000;
  ClsKind cls_kind = ClsKind::kLegacy;
  std::map<std::string, int64_t> file_bytes;  // by file name, where the settings say
};

// name    for messages
// Errors  kCorruptModel: a line that is no `key value`, a value out of range, a setting that is missing; unknown keys
// are
//         left alone
Result<ModelSettings> ParseModelSettings(std::string_view text, const std::string& name);

}  // namespace inkread

#endif  // INKREAD_OCR_SETTINGS_H_
