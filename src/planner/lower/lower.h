// One function a family of operators: a layer of the network -> steps. The operator's file has its name.
#ifndef INKREAD_PLANNER_LOWER_LOWER_H_
#define INKREAD_PLANNER_LOWER_LOWER_H_

#include "base/status.h"
#include "planner/builder.h"
#include "planner/network.h"

namespace inkread {

Status LowerConv(ScheduleBuilder& builder, const Layer& layer);           // conv.cc: Conv, dense and depthwise
Status LowerConvTranspose(ScheduleBuilder& builder, const Layer& layer);  // conv.cc
Status LowerMatMul(ScheduleBuilder& builder, const Layer& layer);         // matmul.cc
Status LowerCtcHead(ScheduleBuilder& builder, const Layer& layer);     // matmul.cc: MatMul and Softmax of a recogniser
Status LowerPool(ScheduleBuilder& builder, const Layer& layer);        // pool.cc: MaxPool, AveragePool
Status LowerGlobalPool(ScheduleBuilder& builder, const Layer& layer);  // pool.cc: GlobalAveragePool, ReduceMean
Status LowerSqueezeExcite(ScheduleBuilder& builder, const Layer& layer);  // pool.cc
Status LowerElementwise(ScheduleBuilder& builder, const Layer& layer);    // elementwise.cc: activations, Add, Mul
Status LowerResize(ScheduleBuilder& builder, const Layer& layer);         // elementwise.cc
Status LowerConcat(ScheduleBuilder& builder, const Layer& layer);         // elementwise.cc
Status LowerLayerNorm(ScheduleBuilder& builder, const Layer& layer);      // rows.cc
Status LowerSoftmax(ScheduleBuilder& builder, const Layer& layer);        // rows.cc
Status LowerAttention(ScheduleBuilder& builder, const Layer& layer);      // attention.cc

// The function for a layer's operator.
Status LowerLayer(ScheduleBuilder& builder, const Layer& layer);

}  // namespace inkread

#endif  // INKREAD_PLANNER_LOWER_LOWER_H_
