// The functions of the operators' files, for the table in op.cc. Read... reads the attributes of a node of a file,
// Infer... computes the dims (and integers) of the result.
#ifndef INKREAD_GRAPH_OPS_FAMILIES_H_
#define INKREAD_GRAPH_OPS_FAMILIES_H_

#include "graph/ops/node_reader.h"
#include "graph/ops/node_shapes.h"

namespace inkread {

// window.cc
Status ReadConv(NodeReader& reader, Node& node);  // and ConvTranspose
Status ReadPool(NodeReader& reader, Node& node);
Status InferConv(NodeShapes& node);
Status InferConvTranspose(NodeShapes& node);
Status InferPool(NodeShapes& node);
Status InferGlobalPool(NodeShapes& node);

// elementwise.cc
Status ReadClip(NodeReader& reader, Node& node);
Status ReadHardSigmoid(NodeReader& reader, Node& node);
Status InferUnary(NodeShapes& node);
Status InferBinary(NodeShapes& node);

// normalize.cc
Status ReadBatchNormalization(NodeReader& reader, Node& node);
Status ReadSoftmax(NodeReader& reader, Node& node);
Status InferBatchNormalization(NodeShapes& node);
Status InferSoftmax(NodeShapes& node);
Status InferLayerNorm(NodeShapes& node);

// matmul.cc
Status ReadGemm(NodeReader& reader, Node& node);
Status InferGemm(NodeShapes& node);
Status InferMatMul(NodeShapes& node);
Status InferAttention(NodeShapes& node);

// reduce.cc
Status ReadReduceMean(NodeReader& reader, Node& node);
Status InferReduceMean(NodeShapes& node);

// views.cc
Status ReadReshape(NodeReader& reader, Node& node);
Status ReadSqueeze(NodeReader& reader, Node& node);
Status ReadTranspose(NodeReader& reader, Node& node);
Status ReadUnsqueeze(NodeReader& reader, Node& node);
Status InferReshape(NodeShapes& node);
Status InferSqueeze(NodeShapes& node);
Status InferTranspose(NodeShapes& node);
Status InferUnsqueeze(NodeShapes& node);

// pieces.cc
Status ReadConcat(NodeReader& reader, Node& node);
Status ReadGather(NodeReader& reader, Node& node);
Status InferConcat(NodeShapes& node);
Status InferGather(NodeShapes& node);
Status InferSlice(NodeShapes& node);

// pad_resize.cc
Status ReadPad(NodeReader& reader, Node& node);
Status ReadResize(NodeReader& reader, Node& node);
Status InferPad(NodeShapes& node);
Status InferResize(NodeShapes& node);

// shape_values.cc
Status ReadCast(NodeReader& reader, Node& node);
Status ReadShape(NodeReader& reader, Node& node);
Status InferCast(NodeShapes& node);
Status InferShape(NodeShapes& node);
// Computes the integers of the result if those of all inputs are known; its dims must be set. Does nothing for floats.
Status InferInts(NodeShapes& node);

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_FAMILIES_H_
