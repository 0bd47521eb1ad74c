// Writes the seeds of onnx_fuzz: small networks that together have every operator.
//
//   make_onnx_corpus FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/onnx_writer.h"

namespace inkread {
namespace {

void Save(const std::string& folder, const std::string& name, const OnnxWriter& writer) {
  const std::string bytes = writer.Bytes();
  std::ofstream(folder + "/" + name + ".onnx", std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::vector<float> Ramp(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = 0.25f * static_cast<float>(i % 7) - 0.5f;
  return values;
}

// As a detector: convolutions with all that folds into them, squeeze-excite, pools, resize, transposed convolution.
OnnxWriter Detector() {
  return OnnxWriter(11)
      .Input({-1, 3, -1, -1})
      .Output()
      .Initializer(OnnxFloats("w", {4, 3, 3, 3}, Ramp(108)))
      .Initializer(OnnxFloats("b", {1, 4, 1, 1}, Ramp(4)))
      .Initializer(OnnxFloats("one", {4}, {1, 2, 3, 4}))
      .Initializer(OnnxFloats("dw", {4, 1, 3, 3}, Ramp(36)))
      .Initializer(OnnxFloats("up", {4, 2, 2, 2}, Ramp(32)))
      .Initializer(OnnxFloats("roi", {0}, {}))
      .Initializer(OnnxFloats("scales", {4}, {1, 1, 2, 2}))
      .Initializer(OnnxInt64s("pads", {8}, {0, 0, 0, 0, 0, 0, 1, 1}))
      .Node("Conv", {"x", "w"}, {"c0"}, {OnnxInts("strides", {2, 2}), OnnxInts("pads", {1, 1, 1, 1})})
      .Node("Add", {"c0", "b"}, {"c1"})
      .Node("Identity", {"c1"}, {"c2"})
      .Node("BatchNormalization", {"c2", "one", "one", "one", "one"}, {"c3"}, {OnnxFloat("epsilon", 1e-5f)})
      .Node("Relu", {"c3"}, {"c4"})
      .Node("Pad", {"c4", "pads"}, {"p"}, {OnnxString("mode", "constant")})
      .Node("MaxPool", {"p"}, {"m"}, {OnnxInts("kernel_shape", {2, 2}), OnnxInts("strides", {1, 1})})
      .Node("Conv", {"m", "dw"}, {"d"}, {OnnxInt("group", 4), OnnxString("auto_pad", "SAME_UPPER")})
      .Node("GlobalAveragePool", {"d"}, {"g"})
      .Node("HardSigmoid", {"g"}, {"h"}, {OnnxFloat("alpha", 0.2f)})
      .Node("Mul", {"d", "h"}, {"se"})
      .Node("Resize", {"se", "roi", "scales"}, {"r"},
            {OnnxString("mode", "nearest"), OnnxString("coordinate_transformation_mode", "asymmetric"),
             OnnxString("nearest_mode", "floor")})
      .Node("ConvTranspose", {"se", "up"}, {"u"}, {OnnxInts("strides", {2, 2})})
      .Node("Concat", {"r", "u"}, {"cat"}, {OnnxInt("axis", 1)})
      .Node("AveragePool", {"cat"}, {"a"}, {OnnxInts("kernel_shape", {3, 2}), OnnxInt("ceil_mode", 1)})
      .Node("Sigmoid", {"a"}, {"y"});
}

// As a recogniser: shapes that flow to Reshape, layer norm, attention's transposes, matrix products, softmax.
OnnxWriter Recogniser() {
  return OnnxWriter(13)
      .Input({-1, 6, 1, -1})
      .Output()
      .Initializer(OnnxInt64s("i0", {1}, {0}))
      .Initializer(OnnxInt64s("i2", {1}, {2}))
      .Initializer(OnnxInt64s("last", {1}, {-1}))
      .Initializer(OnnxInt64s("third", {}, {3}))
      .Initializer(OnnxFloats("two", {}, {2}))
      .Initializer(OnnxFloats("w", {6, 8}, Ramp(48)))
      .Initializer(OnnxFloats("bias", {8}, Ramp(8)))
      .Node("Shape", {"x"}, {"s"})
      .Node("Slice", {"s", "i0", "i2", "i0"}, {"s01"})
      .Node("Concat", {"s01", "last"}, {"flat"}, {OnnxInt("axis", 0)})
      .Node("Reshape", {"x", "flat"}, {"f"})
      .Node("Transpose", {"f"}, {"t"}, {OnnxInts("perm", {0, 2, 1})})
      .Node("ReduceMean", {"t"}, {"mean"}, {OnnxInts("axes", {-1})})
      .Node("Sub", {"t", "mean"}, {"centred"})
      .Node("Pow", {"centred", "two"}, {"square"})
      .Node("ReduceMean", {"square"}, {"variance"}, {OnnxInts("axes", {-1})})
      .Node("Sqrt", {"variance"}, {"deviation"})
      .Node("Div", {"centred", "deviation"}, {"norm"})
      .Node("MatMul", {"norm", "w"}, {"product"})
      .Node("Add", {"bias", "product"}, {"sum"})
      .Node("Erf", {"sum"}, {"e"})
      .Node("Gather", {"s", "third"}, {"width"}, {OnnxInt("axis", 0)})
      .Node("Unsqueeze", {"width", "i0"}, {"width1"})
      .Node("Cast", {"width1"}, {"width2"}, {OnnxInt("to", 6)})
      .Node("Concat", {"last", "width2", "i2"}, {"heads"}, {OnnxInt("axis", 0)})
      .Node("Reshape", {"e", "heads"}, {"split"})
      .Node("Softmax", {"split"}, {"y"}, {OnnxInt("axis", 2)});
}

// As a classifier: Constant nodes, Clip's limits as inputs, Gemm, HardSwish, integers that fold.
OnnxWriter Classifier() {
  return OnnxWriter(14)
      .Input({-1, 4, -1, -1})
      .Output()
      .Node("Constant", {}, {"low"}, {OnnxFloat("value_float", 0)})
      .Node("Constant", {}, {"high"}, {OnnxTensorAttr("value", OnnxFloats("", {}, {6}))})
      .Node("Constant", {}, {"offset"}, {OnnxTensorAttr("value", OnnxFloats("", {4}, Ramp(4)))})
      .Node("Constant", {}, {"column"}, {OnnxInts("value_ints", {1, -1, 1, 1})})
      .Node("Constant", {}, {"w"}, {OnnxTensorAttr("value", OnnxFloats("", {2, 4}, Ramp(8)))})
      .Node("Constant", {}, {"b"}, {OnnxTensorAttr("value", OnnxFloats("", {2}, Ramp(2)))})
      .Node("Reshape", {"offset", "column"}, {"shift"})
      .Node("Add", {"x", "shift"}, {"a"})
      .Node("Clip", {"a", "low", "high"}, {"clipped"})
      .Node("Dropout", {"clipped"}, {"kept"})
      .Node("HardSwish", {"kept"}, {"hs"})
      .Node("ReduceMean", {"hs"}, {"mean"}, {OnnxInts("axes", {2, 3}), OnnxInt("keepdims", 1)})
      .Node("Squeeze", {"mean", "axes"}, {"flat"})
      .Initializer(OnnxInt64s("axes", {2}, {2, 3}))
      .Node("Gemm", {"flat", "w", "b"}, {"gemm"}, {OnnxInt("transB", 1), OnnxFloat("alpha", 2)})
      .Node("Softmax", {"gemm"}, {"y"})
      .Metadata("character", "a\nb\nc");
}

// A network whose weights are in another file.
OnnxWriter External() {
  std::string tensor;
  protozero::pbf_writer writer(tensor);
  writer.add_int64(1, 3);
  writer.add_int32(2, 1);
  writer.add_string(8, "w");
  writer.add_message(13, OnnxEntry("location", "weights.bin"));
  writer.add_message(13, OnnxEntry("length", "12"));
  writer.add_int32(14, 1);
  return OnnxWriter(13).Input({-1, 3}).Output().Initializer(tensor).Node("Add", {"x", "w"}, {"y"});
}

}  // namespace
}  // namespace inkread

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_onnx_corpus FOLDER\n");
    return 2;
  }
  std::filesystem::create_directories(argv[1]);
  inkread::Save(argv[1], "detector", inkread::Detector());
  inkread::Save(argv[1], "recogniser", inkread::Recogniser());
  inkread::Save(argv[1], "classifier", inkread::Classifier());
  inkread::Save(argv[1], "external", inkread::External());
}
