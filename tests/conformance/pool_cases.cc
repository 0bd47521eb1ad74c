#include "tests/conformance/case.h"

namespace inkread::conformance {
namespace {

Case Pool(const char* why, uint mode, uint n, uint ih, uint iw, uint c, uint oh, uint ow, uint kh, uint kw,
          uint stride_h, uint stride_w, uint pad, uint count_padding, uint x_ld = 0, uint y_ld = 0) {
  Case result;
  result.params = PoolParams{
      mode,           n, ih, iw, c, oh, ow, kh, kw, stride_h, stride_w, pad, pad, count_padding, x_ld ? x_ld : c,
      y_ld ? y_ld : c};
  result.why = why;
  return result;
}

}  // namespace

std::vector<Case> PoolCases() {
  constexpr uint kMax = INKREAD_POOL_MAX, kAverage = INKREAD_POOL_AVERAGE;
  std::vector<Case> cases;
  for (uint mode : {kMax, kAverage}) {
    cases.push_back(Pool("smallest", mode, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0));
    cases.push_back(Pool("halving", mode, 2, 8, 14, 33, 4, 7, 2, 2, 2, 2, 0, 0));
    cases.push_back(Pool("stride 1, padded behind only", mode, 1, 6, 9, 16, 6, 9, 2, 2, 1, 1, 0, 0));
    cases.push_back(Pool("padding left out", mode, 1, 7, 9, 20, 7, 9, 3, 3, 1, 1, 1, 0));
    cases.push_back(Pool("padding counts", mode, 3, 7, 9, 20, 7, 9, 3, 3, 1, 1, 1, 1));
    cases.push_back(Pool("rec's last pool", mode, 1, 3, 40, 48, 1, 20, 3, 2, 3, 2, 0, 0));
    cases.push_back(Pool("windows wholly outside x", mode, 1, 2, 2, 5, 6, 6, 1, 1, 1, 1, 2, 0));
    cases.push_back(Pool("slices of wider tensors", mode, 2, 6, 8, 11, 3, 4, 2, 2, 2, 2, 0, 0, 30, 19));
    cases.push_back(Pool("enough rows for threads", mode, 1, 50, 50, 32, 50, 50, 3, 3, 1, 1, 1, 0));
  }
  return cases;
}

}  // namespace inkread::conformance
