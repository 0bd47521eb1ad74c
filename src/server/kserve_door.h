// The Open Inference Protocol (KServe v2), with Triton's extension for binary tensors, as docling's OCR stage and
// tritonclient speak it. One model, "ocr":
//
//   image      UINT8  [1, H, W, 3] or [H, W, 3], RGB   in
//   lang_type  BYTES  any shape                        in, optional; every language of the model is read at once
//   boxes      FP32   [N, 4, 2], px, clockwise from the top left corner of the text
//   txts       BYTES  [N]
//   scores     FP32   [N]
#ifndef INKREAD_SERVER_KSERVE_DOOR_H_
#define INKREAD_SERVER_KSERVE_DOOR_H_

#include <string>

#include "server/door.h"

namespace inkread {

inline constexpr char kKserveModel[] = "ocr";

// POST /v2/models/ocr/infer
ReadQueue::Job KserveJob(RequestPtr request, const RunInfo& run, Reply reply);

// GET /v2 and /v2/models/ocr
std::string KserveServerText(const std::string& version);
std::string KserveModelText();

}  // namespace inkread

#endif  // INKREAD_SERVER_KSERVE_DOOR_H_
