// Operators with a sliding window: Conv, ConvTranspose, MaxPool, AveragePool, GlobalAveragePool.
#include <algorithm>

#include "graph/ops/families.h"

namespace inkread {
namespace {

// Limit of windows and padding: larger than any image side, and small enough that sums do not overflow 64 bits.
constexpr int64_t kMaxWindow = 1 << 16;

std::string_view AutoPadText(AutoPad auto_pad) {
  switch (auto_pad) {
    case AutoPad::kNone:
      return "NOTSET";
    case AutoPad::kSameUpper:
      return "SAME_UPPER";
    case AutoPad::kSameLower:
      return "SAME_LOWER";
    case AutoPad::kValid:
      return "VALID";
  }
  return "";
}

void ReadWindow(NodeReader& reader, WindowAttrs& window) {
  reader.Ints("kernel_shape", window.kernel, 1, kMaxWindow);
  reader.Ints("strides", window.stride, 1, kMaxWindow);
  reader.Ints("dilations", window.dilation, 1, kMaxWindow);
  reader.Ints("pads", window.pads, 0, kMaxWindow);
  const std::string_view text = reader.String("auto_pad", "NOTSET");
  for (AutoPad auto_pad : {AutoPad::kSameUpper, AutoPad::kSameLower, AutoPad::kValid}) {
    if (text == AutoPadText(auto_pad)) window.auto_pad = auto_pad;
  }
  if (text != AutoPadText(window.auto_pad)) reader.FailCorrupt("auto_pad is '", text, "'");
}

int64_t Reach(const WindowAttrs& window, int axis) { return (window.kernel[axis] - 1) * window.dilation[axis] + 1; }

Status InferWindow(NodeShapes& node, const WindowAttrs& window, bool transposed, int64_t channels) {
  const Dims& x = node.In(0);
  Dims& out = node.Out().dims;
  out = {x[0], channels, 0, 0};
  for (int axis = 0; axis < 2; ++axis) {
    const auto resolved = transposed ? ResolveTransposedWindowAxis(window, axis, x[2 + axis])
                                     : ResolveWindowAxis(window, axis, x[2 + axis]);
    if (!resolved.ok()) return node.Error("input is ", DimsToString(x), ": ", resolved.status().message());
    out[2 + axis] = resolved->out;
  }
  return Status();
}

// weight: Conv [oc, ic / group, kh, kw], ConvTranspose [ic, oc / group, kh, kw]
Status CheckWeights(const NodeShapes& node, const WindowAttrs& window, bool transposed) {
  INKREAD_RETURN_IF_ERROR(node.CheckRank(0, 4));
  INKREAD_RETURN_IF_ERROR(node.CheckRank(1, 4));
  const Dims& x = node.In(0);
  const Dims& w = node.In(1);
  const int64_t channels = transposed ? w[0] : w[1];
  // Compared by division, because the product of two numbers from a file may overflow.
  const bool fits = transposed ? x[1] == channels : x[1] % window.group == 0 && x[1] / window.group == channels;
  if (!fits) {
    return node.Error("weight is ", DimsToString(w), ", group ", window.group, ", input has ", x[1], " channels");
  }
  if (w[0] % window.group != 0) {
    return node.Error("weight is ", DimsToString(w), ", which group ", window.group, " does not divide");
  }
  if (w[2] != window.kernel[0] || w[3] != window.kernel[1]) {
    return node.Error("weight is ", DimsToString(w), ", kernel_shape is ", DimsToString(window.kernel));
  }
  if (node.Has(2)) {
    const int64_t oc = transposed ? w[1] * window.group : w[0];
    if (node.In(2) != Dims{oc}) return node.Error("bias is ", DimsToString(node.In(2)), ", expected [", oc, "]");
  }
  return Status();
}

}  // namespace

Status ReadConv(NodeReader& reader, Node& node) {
  WindowAttrs window;
  if (!reader.HasAttr("kernel_shape")) {
    const Tensor* weight = reader.ConstantInput(1);
    if (weight == nullptr || weight->dims.size() != 4) {
      reader.FailUnsupported("has neither kernel_shape nor a constant weight of 4 dimensions");
    } else if (std::min(weight->dims[2], weight->dims[3]) < 1 ||
               std::max(weight->dims[2], weight->dims[3]) > kMaxWindow) {
      reader.FailCorrupt("weight is ", DimsToString(weight->dims));
    } else {
      window.kernel = {weight->dims[2], weight->dims[3]};
    }
  }
  ReadWindow(reader, window);
  window.group = reader.Int("group", 1, 1, 1 << 20);
  if (node.op == OpType::kConvTranspose) {
    reader.Ints("output_padding", window.output_padding, 0, kMaxWindow);
    if (reader.HasAttr("output_shape")) reader.FailUnsupported("output_shape is not supported");
    if (window.auto_pad == AutoPad::kSameUpper || window.auto_pad == AutoPad::kSameLower) {
      reader.FailUnsupported("auto_pad ", AutoPadText(window.auto_pad), " is not supported here");
    }
  }
  node.attrs = window;
  return reader.Finish();
}

Status ReadPool(NodeReader& reader, Node& node) {
  WindowAttrs window;
  if (!reader.HasAttr("kernel_shape")) reader.FailCorrupt("has no kernel_shape");
  ReadWindow(reader, window);
  window.ceil_mode = reader.Flag("ceil_mode", false);
  if (node.op == OpType::kAveragePool) {
    window.count_include_pad = reader.Flag("count_include_pad", false);
  } else {
    reader.Ignore("storage_order");  // concerns the second output, which is not supported
  }
  // Otherwise a window could cover padding only.
  for (int i = 0; i < 4; ++i) {
    if (window.pads[i] >= Reach(window, i % 2)) {
      reader.FailCorrupt("pads are ", DimsToString(window.pads), ", kernel_shape is ", DimsToString(window.kernel));
    }
  }
  node.attrs = window;
  return reader.Finish();
}

Status InferConv(NodeShapes& node) {
  const auto& window = node.AttrsAs<WindowAttrs>();
  INKREAD_RETURN_IF_ERROR(CheckWeights(node, window, false));
  return InferWindow(node, window, false, node.In(1)[0]);
}

Status InferConvTranspose(NodeShapes& node) {
  const auto& window = node.AttrsAs<WindowAttrs>();
  INKREAD_RETURN_IF_ERROR(CheckWeights(node, window, true));
  return InferWindow(node, window, true, node.In(1)[1] * window.group);
}

Status InferPool(NodeShapes& node) {
  INKREAD_RETURN_IF_ERROR(node.CheckRank(0, 4));
  return InferWindow(node, node.AttrsAs<WindowAttrs>(), false, node.In(0)[1]);
}

Status InferGlobalPool(NodeShapes& node) {
  INKREAD_RETURN_IF_ERROR(node.CheckRank(0, 4));
  node.Out().dims = {node.In(0)[0], node.In(0)[1], 1, 1};
  return Status();
}

Result<WindowAxis> ResolveWindowAxis(const WindowAttrs& window, int axis, int64_t in) {
  const int64_t reach = Reach(window, axis);
  const int64_t stride = window.stride[axis];
  WindowAxis result;
  if (window.auto_pad == AutoPad::kSameUpper || window.auto_pad == AutoPad::kSameLower) {
    result.out = (in + stride - 1) / stride;
    const int64_t total = std::max<int64_t>(0, (result.out - 1) * stride + reach - in);
    result.pad_begin = window.auto_pad == AutoPad::kSameUpper ? total / 2 : total - total / 2;
    result.pad_end = total - result.pad_begin;
    return result;
  }
  if (window.auto_pad == AutoPad::kNone) {
    result.pad_begin = window.pads[axis];
    result.pad_end = window.pads[axis + 2];
  }
  const int64_t distance = in + result.pad_begin + result.pad_end - reach;
  if (distance < 0) {
    return InvalidArgument("a window of ", reach, " does not fit into ", in, " with padding ", result.pad_begin,
                           " and ", result.pad_end);
  }
  result.out = (window.ceil_mode ? (distance + stride - 1) / stride : distance / stride) + 1;
  // With ceil_mode a last window that would start in the padding at the end is omitted.
  if (window.ceil_mode && (result.out - 1) * stride >= in + result.pad_begin) --result.out;
  return result;
}

Result<WindowAxis> ResolveTransposedWindowAxis(const WindowAttrs& window, int axis, int64_t in) {
  WindowAxis result;
  if (window.auto_pad == AutoPad::kNone) {
    result.pad_begin = window.pads[axis];
    result.pad_end = window.pads[axis + 2];
  }
  result.out = (in - 1) * window.stride[axis] + Reach(window, axis) + window.output_padding[axis] - result.pad_begin -
               result.pad_end;
  if (result.out < 1) {
    return InvalidArgument("padding ", result.pad_begin, " and ", result.pad_end, " leaves nothing of ", in);
  }
  return result;
}

}  // namespace inkread
