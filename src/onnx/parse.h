// Bytes of an ONNX file -> onnx::Model.
#ifndef INKREAD_ONNX_PARSE_H_
#define INKREAD_ONNX_PARSE_H_

#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"
#include "onnx/model.h"

namespace inkread::onnx {

// Reads a ModelProto; safe on any bytes.
//
// bytes     the whole file; the model's texts and raw data point into it
// name      for messages: the file's name
// Errors    kCorruptModel (empty, truncated, not ONNX), kUnsupported (absurdly many records), kOutOfMemory
Result<Model> ParseModel(std::span<const uint8_t> bytes, const std::string& name);

}  // namespace inkread::onnx

#endif  // INKREAD_ONNX_PARSE_H_
