#include "onnx/model.h"

#include <iterator>

namespace inkread::onnx {

const char* DataTypeName(int32_t data_type) {
  constexpr const char* kNames[] = {"undefined",      "float",    "uint8",        "int8",           "uint16",
                                    "int16",          "int32",    "int64",        "string",         "bool",
                                    "float16",        "double",   "uint32",       "uint64",         "complex64",
                                    "complex128",     "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
                                    "float8e5m2fnuz", "uint4",    "int4",         "float4e2m1"};
  const bool is_known = data_type >= 0 && static_cast<size_t>(data_type) < std::size(kNames);
  return is_known ? kNames[data_type] : "unknown";
}

}  // namespace inkread::onnx
