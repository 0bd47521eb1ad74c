#include <numeric>

#include "schedule/steps/facts.h"

namespace inkread {
namespace {

// What a copy of `dims` elements touches through an operand with these strides.
Footprint FootprintOf(const uint (&dims)[5], const uint (&stride)[5]) {
  uint64_t last = 0;
  bool empty = false;
  for (int i = 0; i < 5; ++i) {
    if (dims[i] == 0) {
      empty = true;
    } else {
      last += uint64_t{dims[i] - 1} * stride[i];
    }
  }
  const uint64_t extent = empty ? 0 : last + 1;
  // Rows of unit stride whose starts all lie a whole number of lds apart are columns of a wider tensor.
  uint64_t ld = 0, columns = 1;
  for (int i = 0; i < 5; ++i) {
    if (dims[i] <= 1) continue;
    if (stride[i] == 1 && columns == 1) {
      columns = dims[i];
    } else {
      ld = std::gcd(ld, uint64_t{stride[i]});
    }
  }
  if (ld >= columns) return {.extent = extent, .ld = ld, .c = columns};
  return {.extent = extent, .ld = extent, .c = extent};
}

// The operand as one row from its first element to its last.
OperandFacts Strided(const uint (&dims)[5], const uint (&stride)[5]) {
  const Footprint footprint = FootprintOf(dims, stride);
  return {
      .pixels = 1, .c = footprint.extent, .ld = footprint.extent, .element = ElementRule::kAny, .footprint = footprint};
}

}  // namespace

StepFacts FactsOf(const CopyParams& p) {
  StepFacts facts;
  facts.reads[0] = Strided(p.dims, p.x_stride);
  facts.writes[0] = Strided(p.dims, p.y_stride);
  return facts;
}

void PrintParams(std::ostream& out, const CopyParams& p) {
  const auto list = [&out](const char* name, const uint(&values)[5]) {
    out << ' ' << name << '=';
    for (int i = 0; i < 5; ++i) out << (i ? "," : "") << values[i];
  };
  list("dims", p.dims);
  list("x_stride", p.x_stride);
  list("y_stride", p.y_stride);
}

}  // namespace inkread
