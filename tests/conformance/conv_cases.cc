#include "tests/conformance/case.h"

namespace inkread::conformance {
namespace {

// x_ld and y_ld of 0 mean dense.
Case Conv(const char* why, uint n, uint ih, uint iw, uint ic, uint oc, uint kh, uint kw, uint stride_h, uint stride_w,
          uint pad_top, uint pad_left, uint oh, uint ow, uint x_ld = 0, uint y_ld = 0) {
  Case c;
  c.params = ConvParams{
      n, ih, iw, ic, oh, ow, oc, kh, kw, stride_h, stride_w, pad_top, pad_left, x_ld ? x_ld : ic, y_ld ? y_ld : oc,
      0, 0};
  c.epilogue.has_bias = 1;
  c.why = why;
  return c;
}

}  // namespace

std::vector<Case> ConvCases() {
  std::vector<Case> cases = {
      Conv("smallest", 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1),
      Conv("one row of tokens", 1, 1, 40, 120, 360, 1, 1, 1, 1, 0, 0, 1, 40),
      Conv("one pixel more than a tile, one column more than a panel", 1, 3, 5, 7, 33, 1, 1, 1, 1, 0, 0, 3, 5),
      Conv("one vector of a panel", 1, 4, 9, 12, 8, 1, 1, 1, 1, 0, 0, 4, 9),
      Conv("odd channels", 2, 5, 11, 15, 47, 1, 1, 1, 1, 0, 0, 5, 11),
      Conv("enough pixels for several segments and threads", 1, 40, 70, 48, 96, 1, 1, 1, 1, 0, 0, 40, 70),
      Conv("few pixels, many panels", 1, 1, 9, 256, 512, 1, 1, 1, 1, 0, 0, 1, 9),
      Conv("slices of wider tensors", 3, 4, 6, 16, 24, 1, 1, 1, 1, 0, 0, 4, 6, 40, 77),
      Conv("first layer", 2, 21, 30, 3, 16, 3, 3, 2, 2, 1, 1, 11, 15),
      Conv("window 3x3", 2, 9, 31, 32, 64, 3, 3, 1, 1, 1, 1, 9, 31),
      Conv("window 3x3 on a slice", 3, 7, 17, 24, 40, 3, 3, 1, 1, 1, 1, 7, 17, 50, 64),
      Conv("window 3x3, no pad", 1, 8, 19, 5, 20, 3, 3, 1, 1, 0, 0, 6, 17),
      Conv("2x2, padded behind only", 1, 6, 18, 16, 32, 2, 2, 1, 1, 0, 0, 6, 18),
      Conv("stride in height only", 1, 12, 20, 16, 32, 3, 3, 2, 1, 1, 1, 6, 20),
      Conv("stride in width only", 2, 5, 33, 9, 10, 3, 3, 1, 2, 1, 1, 5, 17),
      Conv("1x1 with stride", 1, 8, 10, 16, 24, 1, 1, 2, 2, 0, 0, 4, 5),
      Conv("1x3", 1, 3, 25, 30, 60, 1, 3, 1, 1, 0, 1, 3, 25),
      Conv("9x9, larger than x", 1, 5, 6, 4, 6, 9, 9, 1, 1, 4, 4, 5, 6),
      Conv("windows wholly outside x", 1, 2, 2, 3, 5, 1, 1, 1, 1, 2, 2, 6, 6),
      Conv("few columns, odd rows of a window", 2, 9, 31, 3, 24, 3, 3, 2, 2, 1, 1, 5, 16),
      Conv("few columns on a slice", 2, 5, 19, 7, 56, 3, 3, 1, 1, 1, 1, 5, 19, 9, 60),
      Conv("16 columns over a panel", 1, 3, 40, 30, 48, 1, 1, 1, 1, 0, 0, 3, 40),
      Conv("12 columns, three values over a group of four", 2, 4, 29, 5, 12, 3, 3, 1, 1, 1, 1, 4, 29),
      Conv("8 columns over a panel, on a slice", 2, 4, 29, 6, 40, 2, 2, 1, 1, 0, 0, 4, 29, 11, 40),
      Conv("padded 1x1", 1, 3, 3, 8, 9, 1, 1, 1, 1, 1, 1, 5, 5),
  };
  for (const Case& base : {Conv("", 2, 5, 9, 11, 37, 1, 1, 1, 1, 0, 0, 5, 9, 12, 41),
                           Conv("", 3, 6, 16, 6, 14, 3, 3, 1, 1, 1, 1, 6, 16, 8, 14)}) {
    for (const Case& c : WithEveryEpiloguePart(base)) cases.push_back(c);
  }
  Case in_place = Conv("residual is y itself", 2, 4, 20, 18, 50, 3, 3, 1, 1, 1, 1, 4, 20, 18, 57);
  in_place.in_place = InPlace::kResidual;
  in_place.epilogue.has_residual = 1;
  in_place.epilogue.residual_ld = 57;
  cases.push_back(in_place);
  return cases;
}

}  // namespace inkread::conformance
