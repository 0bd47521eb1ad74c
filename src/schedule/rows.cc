#include "schedule/rows.h"

namespace inkread {
namespace {

template <typename P>
RowRule Window(const P& p) {
  return {p.n, p.oh, 1, p.ih, p.stride_h, p.pad_top, p.kh, 1};
}
std::optional<RowRule> RuleOf(const ConvParams& p) { return Window(p); }
std::optional<RowRule> RuleOf(const DepthwiseConvParams& p) { return Window(p); }
std::optional<RowRule> RuleOf(const PoolParams& p) { return Window(p); }
std::optional<RowRule> RuleOf(const ConvTransposeParams& p) { return RowRule{p.n, p.ih, p.kh, p.ih}; }
std::optional<RowRule> RuleOf(const ElementwiseParams& p) { return RowRule{p.n, p.h, 1, p.h}; }
std::optional<RowRule> RuleOf(const ResizeParams& p) {
  return RowRule{p.n, p.ih * p.scale_h, 1, p.ih, 1, 0, 1, p.scale_h};
}
std::optional<RowRule> RuleOf(const GlobalPoolParams& p) { return RowRule{p.n, p.h, 0, p.h}; }
template <typename P>
std::optional<RowRule> RuleOf(const P&) {
  return std::nullopt;
}

}  // namespace

std::optional<RowRule> RowRuleOf(const Step& step) {
  return std::visit([](const auto& params) { return RuleOf(params); }, step.params);
}

}  // namespace inkread
