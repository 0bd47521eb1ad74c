#include "tests/conformance/case.h"

namespace inkread::conformance {
namespace {

Case ConvTranspose(const char* why, uint n, uint ih, uint iw, uint ic, uint oc, uint kh, uint kw, uint x_ld = 0,
                   uint y_ld = 0) {
  Case c;
  c.params = ConvTransposeParams{n, ih, iw, ic, oc, kh, kw, x_ld ? x_ld : ic, y_ld ? y_ld : oc, 0, 0};
  c.epilogue.has_bias = 1;
  c.why = why;
  return c;
}

}  // namespace

std::vector<Case> ConvTransposeCases() {
  std::vector<Case> cases = {
      ConvTranspose("smallest", 1, 1, 1, 1, 1, 1, 1),
      ConvTranspose("the last layer of det", 1, 23, 30, 24, 1, 2, 2),
      ConvTranspose("the layer before it", 2, 11, 15, 24, 24, 2, 2),
      ConvTranspose("taps that straddle panels", 1, 4, 9, 10, 13, 2, 2),
      ConvTranspose("taps wider than a panel", 1, 3, 17, 12, 70, 2, 2),
      ConvTranspose("a window that is not square", 2, 3, 5, 6, 7, 3, 1),
      ConvTranspose("slices of wider tensors", 3, 4, 6, 8, 5, 2, 2, 20, 9),
      ConvTranspose("enough rows for threads", 1, 40, 60, 32, 16, 2, 2),
  };
  for (const Case& base :
       {ConvTranspose("", 2, 4, 7, 9, 1, 2, 2, 10, 1), ConvTranspose("", 2, 3, 8, 6, 21, 2, 2, 6, 25)}) {
    for (const Case& c : WithEveryEpiloguePart(base)) cases.push_back(c);
  }
  return cases;
}

}  // namespace inkread::conformance
