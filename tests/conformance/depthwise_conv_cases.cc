#include "tests/conformance/case.h"

namespace inkread::conformance {
namespace {

Case Depthwise(const char* why, uint n, uint ih, uint iw, uint c, uint kh, uint kw, uint stride_h, uint stride_w,
               uint x_ld = 0, uint y_ld = 0) {
  const uint pad_top = kh / 2, pad_left = kw / 2;
  Case result;
  result.params = DepthwiseConvParams{n,
                                      ih,
                                      iw,
                                      c,
                                      (ih + 2 * pad_top - kh) / stride_h + 1,
                                      (iw + 2 * pad_left - kw) / stride_w + 1,
                                      kh,
                                      kw,
                                      stride_h,
                                      stride_w,
                                      pad_top,
                                      pad_left,
                                      x_ld ? x_ld : c,
                                      y_ld ? y_ld : c};
  result.epilogue.has_bias = 1;
  result.why = why;
  return result;
}

}  // namespace

std::vector<Case> DepthwiseConvCases() {
  std::vector<Case> cases = {
      Depthwise("smallest", 1, 1, 1, 1, 3, 3, 1, 1),
      Depthwise("a lane over two vectors", 1, 9, 21, 33, 3, 3, 1, 1),
      Depthwise("stride 2", 2, 12, 23, 48, 3, 3, 2, 2),
      Depthwise("stride in height only", 1, 12, 22, 24, 3, 3, 2, 1),
      Depthwise("stride in width only", 1, 4, 31, 20, 5, 5, 1, 2),
      Depthwise("window 5x5", 3, 7, 18, 40, 5, 5, 1, 1),
      Depthwise("5x5, stride 2", 1, 13, 19, 15, 5, 5, 2, 2),
      Depthwise("window 7x7", 1, 10, 25, 17, 7, 7, 1, 1),
      Depthwise("7x7, stride 2", 1, 9, 28, 6, 7, 7, 2, 2),
      Depthwise("1x5", 1, 3, 40, 120, 1, 5, 1, 1),
      Depthwise("1x7", 2, 3, 26, 30, 1, 7, 1, 1),
      Depthwise("window 9x9", 2, 11, 27, 34, 9, 9, 1, 1),
      Depthwise("9x9, larger than x", 1, 5, 6, 8, 9, 9, 1, 1),
      Depthwise("11x3, no kernel of its own", 1, 12, 20, 18, 3, 11, 1, 1),
      Depthwise("stride 3, no kernel of its own", 1, 10, 30, 9, 3, 3, 3, 3),
      Depthwise("slices of wider tensors", 3, 6, 14, 20, 3, 3, 1, 1, 50, 29),
      Depthwise("enough rows for threads", 1, 60, 40, 64, 3, 3, 1, 1),
  };
  for (const Case& base :
       {Depthwise("", 2, 6, 13, 21, 3, 3, 1, 1, 24, 21), Depthwise("", 2, 4, 9, 35, 1, 7, 1, 1, 35, 40)}) {
    for (const Case& c : WithEveryEpiloguePart(base)) cases.push_back(c);
  }
  return cases;
}

}  // namespace inkread::conformance
