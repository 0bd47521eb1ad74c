// Parses the bytes of an ONNX file.
#ifndef INKREAD_ONNX_PARSE_H_
#define INKREAD_ONNX_PARSE_H_

#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"
#include "onnx/model.h"

namespace inkread::onnx {

// Parses a ModelProto. Safe for arbitrary bytes.
//
// bytes     the whole file; texts and raw data of the model point into it
// name      the file's name, for messages
// Errors    kCorruptModel (empty, truncated, not ONNX), kUnsupported (too many records), kOutOfMemory
Result<Model> ParseModel(std::span<const uint8_t> bytes, const std::string& name);

}  // namespace inkread::onnx

#endif  // INKREAD_ONNX_PARSE_H_
