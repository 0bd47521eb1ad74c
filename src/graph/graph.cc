#include "graph/graph.h"

#include <string>

#include "base/status.h"

namespace inkread {

std::string DimsToString(std::span<const int64_t> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + ']';
}

int64_t Tensor::num_elements() const { return static_cast<int64_t>(is_int ? ints.size() : floats.size()); }

Tensor Tensor::FromFloats(Dims dims, std::vector<float> values) {
  Tensor tensor;
  tensor.dims = std::move(dims);
  auto storage = std::make_shared<const std::vector<float>>(std::move(values));
  tensor.floats = *storage;
  tensor.owner = std::move(storage);
  return tensor;
}

Tensor Tensor::FromInts(Dims dims, std::vector<int64_t> values) {
  Tensor tensor;
  tensor.dims = std::move(dims);
  tensor.ints = std::move(values);
  tensor.is_int = true;
  return tensor;
}

}  // namespace inkread
