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
  // From the detector's own file; the fast960 profile uses them.
  float det_thresh = 0.2f;
  double det_box_thresh = 0.45;
  double det_unclip_ratio = 1.4;
  int det_max_candidates = 3000;
  ClsKind cls_kind = ClsKind::kLegacy;
  std::map<std::string, int64_t> file_bytes;  // by file name, for the files that the settings list
};

// Unknown keys are ignored.
//
// name    for messages
// Errors  kCorruptModel: a line without a key and a value, a value out of range, a missing setting
Result<ModelSettings> ParseModelSettings(std::string_view text, const std::string& name);

}  // namespace inkread

#endif  // INKREAD_OCR_SETTINGS_H_
