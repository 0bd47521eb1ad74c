// The functions of the operators' files, as op.cc's table names them. Start...: what a node asks of its step, or why no
// kernel computes it. Pack...: its weights. Lower...: its steps. View...: where its output lies in its input.
#ifndef INKREAD_PLANNER_OPS_FAMILIES_H_
#define INKREAD_PLANNER_OPS_FAMILIES_H_

#include "planner/ops/op.h"

namespace inkread {

// conv.cc
Status CheckBias(const NodeContext& context);  // input 2 is left out or constant; of MatMul too
Status StartConv(const NodeContext& context, Layer& layer);
void PackConv(const NodeContext& context, WeightPacker& packer, Layer& layer);
Status LowerConv(ScheduleBuilder& builder, const Layer& layer);
Status StartConvTranspose(const NodeContext& context, Layer& layer);
void PackConvTranspose(const NodeContext& context, WeightPacker& packer, Layer& layer);
Status LowerConvTranspose(ScheduleBuilder& builder, const Layer& layer);

// matmul.cc
Status StartMatMul(const NodeContext& context, Layer& layer);
void PackMatMul(const NodeContext& context, WeightPacker& packer, Layer& layer);
Status LowerMatMul(ScheduleBuilder& builder, const Layer& layer);
// The MatMul and the Softmax that end a recogniser, as one step.
Status LowerCtcHead(ScheduleBuilder& builder, const Layer& layer);

// attention.cc
Status LowerAttention(ScheduleBuilder& builder, const Layer& layer);

// pool.cc
Status StartPool(const NodeContext& context, Layer& layer);  // MaxPool, AveragePool
Status LowerPool(ScheduleBuilder& builder, const Layer& layer);
Status StartReduceMean(const NodeContext& context, Layer& layer);
Status LowerGlobalPool(ScheduleBuilder& builder, const Layer& layer);  // GlobalAveragePool, ReduceMean

// squeeze_excite.cc
void PackSqueezeExcite(const NodeContext& context, WeightPacker& packer, Layer& layer);
Status LowerSqueezeExcite(ScheduleBuilder& builder, const Layer& layer);

// elementwise.cc
Status StartActivation(const NodeContext& context, Layer& layer);
Status StartAdd(const NodeContext& context, Layer& layer);
void PackAdd(const NodeContext& context, WeightPacker& packer, Layer& layer);
Status StartMul(const NodeContext& context, Layer& layer);
Status LowerElementwise(ScheduleBuilder& builder, const Layer& layer);  // activations, Add, Mul
// Whether `gate` has one computed value a channel and image of x: [n, c, 1, 1] beside [n, c, h, w].
bool IsGate(const NodeContext& context, ValueId gate, ValueId x);

// resize.cc
Status StartResize(const NodeContext& context, Layer& layer);
Status LowerResize(ScheduleBuilder& builder, const Layer& layer);

// concat.cc
Status StartConcat(const NodeContext& context, Layer& layer);
Status LowerConcat(ScheduleBuilder& builder, const Layer& layer);

// rows.cc
void PackLayerNorm(const NodeContext& context, WeightPacker& packer, Layer& layer);
Status LowerLayerNorm(ScheduleBuilder& builder, const Layer& layer);
Status StartSoftmax(const NodeContext& context, Layer& layer);
Status LowerSoftmax(ScheduleBuilder& builder, const Layer& layer);

// views.cc
Result<View> ViewReshape(ScheduleBuilder& builder, const Node& node, const View& x);  // and those that drop or add 1s
Result<View> ViewTranspose(ScheduleBuilder& builder, const Node& node, const View& x);
Result<View> ViewSlice(ScheduleBuilder& builder, const Node& node, const View& x);
Result<View> ViewGather(ScheduleBuilder& builder, const Node& node, const View& x);

}  // namespace inkread

#endif  // INKREAD_PLANNER_OPS_FAMILIES_H_
