#include "graph/import.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <random>

#include "graph/passes.h"
#include "graph/shapes.h"
#include "tests/onnx_writer.h"

namespace inkread {
namespace {

Result<Graph> Import(const OnnxWriter& writer) {
  auto bytes = std::make_shared<std::string>(writer.Bytes());
  return ImportOnnxBytes(AsBytes(*bytes), bytes, "net.onnx");
}

// Code and message of the error; "ok" if there is none.
std::string ErrorOf(const OnnxWriter& writer) {
  const auto graph = Import(writer);
  if (graph.ok()) return "ok";
  return std::string(StatusCodeName(graph.status().code())) + " " + graph.status().message();
}

OnnxWriter ConvNet() {
  return OnnxWriter(14)
      .Input({-1, 3, 48, -1})
      .Output()
      .Initializer(OnnxFloats("w", {2, 3, 1, 1}, {1, 2, 3, 4, 5, 6}))
      .Node("Conv", {"x", "w"}, {"c"}, {OnnxInts("strides", {2, 1}), OnnxInts("pads", {0, 0, 0, 0})})
      .Node("Relu", {"c"}, {"y"}, {}, "last")
      .Metadata("character", "a\nb");
}

TEST(ImportTest, MakesAGraph) {
  const auto imported = Import(ConvNet());
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  const Graph& graph = *imported;
  EXPECT_EQ(graph.file, "net.onnx");
  EXPECT_EQ(graph.input_dims, (Dims{-1, 3, 48, -1}));
  EXPECT_EQ(graph.metadata.at("character"), "a\nb");
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(graph.nodes[0].name, "Conv_0");
  EXPECT_EQ(graph.nodes[1].name, "last");
  EXPECT_EQ(graph.nodes[1].output, graph.output);
  const auto& window = std::get<WindowAttrs>(graph.nodes[0].attrs);
  EXPECT_EQ(window.kernel, (std::array<int64_t, 2>{1, 1}));  // from the weight
  EXPECT_EQ(window.stride, (std::array<int64_t, 2>{2, 1}));
  const Tensor* weight = graph.ConstantOf(graph.nodes[0].inputs[1]);
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(std::vector<float>(weight->floats.begin(), weight->floats.end()), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(ImportTest, ASplitIsASliceForEachOutputThatIsThere) {
  const auto check = [](const OnnxWriter& writer) {
    auto graph = Import(writer);
    ASSERT_TRUE(graph.ok()) << graph.status().message();
    ASSERT_EQ(graph->nodes.size(), 3u);
    EXPECT_EQ(graph->nodes[0].op, OpType::kSlice);
    EXPECT_EQ(graph->nodes[1].op, OpType::kSlice);
    const auto shapes = InferShapes(*graph, {1, 2, 9, 4});
    ASSERT_TRUE(shapes.ok()) << shapes.status().message();
    EXPECT_EQ((*shapes)[graph->nodes[0].output].dims, (Dims{1, 2, 2, 4}));
    EXPECT_EQ((*shapes)[graph->output].dims, (Dims{1, 2, 6, 4}));
    EXPECT_EQ(graph->ConstantOf(graph->nodes[1].inputs[1])->ints, (std::vector<int64_t>{3}));
  };
  const auto net = [](int opset) { return OnnxWriter(opset).Input({-1, 2, -1, 4}).Output(); };
  const std::vector<std::string> parts = {"a", "", "c"};
  check(net(11)
            .Node("Split", {"x"}, parts, {OnnxInt("axis", 2), OnnxInts("split", {2, 1, 6})})
            .Node("Mul", {"c", "c"}, {"y"}));
  check(net(13)
            .Initializer(OnnxInt64s("n", {3}, {2, 1, 6}))
            .Node("Split", {"x", "n"}, parts, {OnnxInt("axis", -2)})
            .Node("Mul", {"c", "c"}, {"y"}));
  EXPECT_NE(ErrorOf(net(11).Node("Split", {"x"}, {"y", "z"})).find("a Split without lengths"), std::string::npos);
  EXPECT_NE(ErrorOf(net(11).Node("Split", {"x"}, {"y"}, {OnnxInts("split", {1, 1})})).find("2 lengths"),
            std::string::npos);
  EXPECT_NE(ErrorOf(net(11).Node("Split", {"x"}, {"y"}, {OnnxInts("split", {-1})})).find("of length -1"),
            std::string::npos);
}

TEST(ImportTest, FloatsAreAlignedWhereverTheyLieInTheFile) {
  for (size_t pad = 0; pad < 4; ++pad) {
    const OnnxWriter writer = OnnxWriter()
                                  .Input({2})
                                  .Output()
                                  .Initializer(OnnxFloats(std::string(pad + 1, 'w'), {2}, {1.5f, -2}))
                                  .Node("Add", {"x", std::string(pad + 1, 'w')}, {"y"});
    const auto graph = Import(writer);
    ASSERT_TRUE(graph.ok()) << graph.status().message();
    const Tensor* constant = graph->ConstantOf(graph->nodes[0].inputs[1]);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(constant->floats.data()) % alignof(float), 0u);
    EXPECT_EQ(constant->floats[0], 1.5f);
    EXPECT_EQ(constant->floats[1], -2.0f);
  }
}

TEST(ImportTest, ConstantNodesBecomeConstants) {
  const OnnxWriter writer = OnnxWriter()
                                .Input({4})
                                .Output()
                                .Node("Constant", {}, {"two"}, {OnnxFloat("value_float", 2)})
                                .Node("Constant", {}, {"t"}, {OnnxTensorAttr("value", OnnxFloats("", {1}, {3}))})
                                .Node("Constant", {}, {"shape"}, {OnnxInts("value_ints", {2, 2})})
                                .Node("Mul", {"x", "two"}, {"a"})
                                .Node("Mul", {"a", "t"}, {"b"})
                                .Node("Reshape", {"b", "shape"}, {"y"});
  const auto graph = Import(writer);
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  ASSERT_EQ(graph->nodes.size(), 3u);
  EXPECT_EQ(graph->ConstantOf(graph->nodes[0].inputs[1])->floats[0], 2);
  EXPECT_EQ(graph->ConstantOf(graph->nodes[1].inputs[1])->floats[0], 3);
  EXPECT_EQ(graph->ConstantOf(graph->nodes[2].inputs[1])->ints, (std::vector<int64_t>{2, 2}));
}

TEST(ImportTest, AxesAreReadFromAttributeOrInput) {
  for (const int64_t opset : {11, 13}) {
    OnnxWriter writer(opset);
    writer.Input({-1, 3, 1, -1}).Output();
    if (opset == 11) {
      writer.Node("Squeeze", {"x"}, {"y"}, {OnnxInts("axes", {2})});
    } else {
      writer.Initializer(OnnxInt64s("axes", {1}, {2})).Node("Squeeze", {"x", "axes"}, {"y"});
    }
    const auto graph = Import(writer);
    ASSERT_TRUE(graph.ok()) << graph.status().message();
    EXPECT_EQ(graph->nodes[0].inputs.size(), 1u);
    EXPECT_EQ(std::get<AxesAttrs>(graph->nodes[0].attrs).axes, (std::vector<int64_t>{2}));
  }
}

TEST(ImportTest, ClipLimitsBecomeAttributes) {
  const OnnxWriter writer =
      OnnxWriter().Input({-1}).Output().Initializer(OnnxFloats("six", {}, {6})).Node("Clip", {"x", "", "six"}, {"y"});
  const auto graph = Import(writer);
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  EXPECT_EQ(graph->nodes[0].inputs.size(), 1u);
  const auto& limits = std::get<ScalarAttrs>(graph->nodes[0].attrs);
  EXPECT_EQ(limits.alpha, std::numeric_limits<float>::lowest());
  EXPECT_EQ(limits.beta, 6);
}

TEST(ImportTest, SoftmaxBeforeOpset13IsMarked) {
  for (const int64_t opset : {11, 13}) {
    const auto graph = Import(OnnxWriter(opset).Input({-1, 2}).Output().Node("Softmax", {"x"}, {"y"}));
    ASSERT_TRUE(graph.ok()) << graph.status().message();
    const auto& attrs = std::get<AxesAttrs>(graph->nodes[0].attrs);
    EXPECT_EQ(attrs.flattened, opset == 11);
    EXPECT_EQ(attrs.axes[0], opset == 11 ? 1 : -1);
  }
}

TEST(ImportTest, OnlyNearestAsymmetricFloorResizeIsMarked) {
  for (const std::string mode : {"floor", "ceil"}) {
    const OnnxWriter writer = OnnxWriter()
                                  .Input({1, 1, -1, -1})
                                  .Output()
                                  .Initializer(OnnxFloats("s", {4}, {1, 1, 2, 2}))
                                  .Node("Resize", {"x", "", "s"}, {"y"},
                                        {OnnxString("mode", "nearest"), OnnxString("nearest_mode", mode),
                                         OnnxString("coordinate_transformation_mode", "asymmetric")});
    const auto graph = Import(writer);
    ASSERT_TRUE(graph.ok()) << graph.status().message();
    EXPECT_EQ(std::get<ResizeAttrs>(graph->nodes[0].attrs).nearest_asymmetric_floor, mode == "floor");
  }
}

TEST(ImportTest, DropoutIsIdentityAndItsMaskCannotBeRead) {
  OnnxWriter writer(13);
  writer.Input({-1}).Output().Node("Dropout", {"x"}, {"d", "mask"});
  EXPECT_EQ(ErrorOf(OnnxWriter(writer).Node("Relu", {"d"}, {"y"})), "ok");
  EXPECT_EQ(ErrorOf(OnnxWriter(writer).Node("Relu", {"mask"}, {"y"})),
            "CORRUPT_MODEL net.onnx: node 'Relu_1': reads 'mask', which no earlier node produces");
}

TEST(ImportTest, InitializersThatNothingReadsMayBeOfAnyType) {
  OnnxWriter writer(13);
  writer.Input({-1}).Output().Initializer(OnnxRawTensor<uint8_t>("strange", {3}, 2, {1, 2, 3}));
  EXPECT_EQ(ErrorOf(OnnxWriter(writer).Node("Relu", {"x"}, {"y"})), "ok");
  EXPECT_EQ(
      ErrorOf(OnnxWriter(writer).Node("Add", {"x", "strange"}, {"y"})),
      "UNSUPPORTED net.onnx: tensor 'strange': data type 2 (uint8) is not supported, only float, int32 and int64");
}

TEST(ImportTest, SaysWhichNodeIsNotSupported) {
  auto one = [](const std::string& op, const std::vector<std::string>& attributes = {},
                const std::string& domain = "") {
    return ErrorOf(OnnxWriter(13).Input({-1, 2, 4, 4}).Output().Node(op, {"x"}, {"y"}, attributes, "here", domain));
  };
  EXPECT_EQ(one("LSTM"), "UNSUPPORTED net.onnx: node 'here': operator 'LSTM' is not supported");
  EXPECT_EQ(one("Relu", {}, "com.custom"),
            "UNSUPPORTED net.onnx: node 'here': operator 'com.custom.Relu' is not supported");
  EXPECT_EQ(one("Gelu"), "UNSUPPORTED net.onnx: node 'here': operator 'Gelu' is not supported");
  EXPECT_EQ(one("Relu", {OnnxInt("secret", 1)}),
            "UNSUPPORTED net.onnx: node 'here': attribute 'secret' is not supported");
  EXPECT_EQ(one("MaxPool", {OnnxInts("kernel_shape", {2})}),
            "CORRUPT_MODEL net.onnx: node 'here': attribute 'kernel_shape' is [2], expected 2 numbers from 1 to 65536");
  EXPECT_EQ(one("MaxPool", {OnnxInts("kernel_shape", {2, 2}), OnnxInts("strides", {0, 1})}),
            "CORRUPT_MODEL net.onnx: node 'here': attribute 'strides' is [0, 1], expected 2 numbers from 1 to 65536");
  EXPECT_EQ(one("MaxPool", {OnnxInts("kernel_shape", {2, 2}), OnnxInts("pads", {2, 0, 0, 0})}),
            "CORRUPT_MODEL net.onnx: node 'here': pads are [2, 0, 0, 0], kernel_shape is [2, 2]");
  EXPECT_EQ(one("MaxPool"), "CORRUPT_MODEL net.onnx: node 'here': has no kernel_shape");
  EXPECT_EQ(one("Transpose", {OnnxInt("perm", 3)}),
            "CORRUPT_MODEL net.onnx: node 'here': attribute 'perm' is of type 2, expected 7");
  EXPECT_EQ(one("Cast", {OnnxInt("to", 10)}),
            "UNSUPPORTED net.onnx: node 'here': casts to data type 10 (float16), which is not supported");
  EXPECT_EQ(one("Concat"), "CORRUPT_MODEL net.onnx: node 'here': has no axis");
  EXPECT_EQ(one("Add"), "CORRUPT_MODEL net.onnx: node 'here': Add has no input 1");
}

TEST(ImportTest, RefusesModelsThatAreNotOneNetworkOfFloats) {
  const OnnxWriter relu = OnnxWriter(13).Node("Relu", {"x"}, {"y"});
  EXPECT_EQ(ErrorOf(OnnxWriter(relu).Output()), "CORRUPT_MODEL net.onnx: has no input");
  EXPECT_EQ(ErrorOf(OnnxWriter(relu).Input({1})), "UNSUPPORTED net.onnx: has 0 outputs, expected one");
  EXPECT_EQ(ErrorOf(OnnxWriter(relu).Input({1}).Output().Output("x")),
            "UNSUPPORTED net.onnx: has 2 outputs, expected one");
  EXPECT_EQ(ErrorOf(OnnxWriter(relu).Input({1}).Input({1}, "z").Output()),
            "UNSUPPORTED net.onnx: has inputs 'x' and 'z', expected one");
  EXPECT_EQ(ErrorOf(OnnxWriter(relu).Input({1}, "x", 7).Output()),
            "UNSUPPORTED net.onnx: input 'x' has data type 7 (int64), expected float");
  EXPECT_EQ(ErrorOf(OnnxWriter(relu).Input({1}).Output("z")),
            "CORRUPT_MODEL net.onnx: output 'z' is not produced by any node");
  EXPECT_EQ(ErrorOf(OnnxWriter(relu).Input({1}).Output("x")),
            "CORRUPT_MODEL net.onnx: output 'x' is not produced by any node");
  EXPECT_EQ(ErrorOf(OnnxWriter(relu).Input({1}).Output().Node("Relu", {"y"}, {"y"})),
            "CORRUPT_MODEL net.onnx: 'y' is defined twice");
  EXPECT_EQ(ErrorOf(OnnxWriter(10).Input({1}).Output().Node("Relu", {"x"}, {"y"})),
            "UNSUPPORTED net.onnx: operator set 10 is not supported, only 11 to 17");
  EXPECT_EQ(ErrorOf(OnnxWriter(13).Input({1}).Output().Node("Relu", {"z"}, {"y"}).Node("Relu", {"x"}, {"z"})),
            "CORRUPT_MODEL net.onnx: node 'Relu_0': reads 'z', which no earlier node produces");
}

TEST(ImportTest, RefusesTensorsWhoseSizeAndDataDiffer) {
  auto with = [](const std::string& tensor) {
    return ErrorOf(OnnxWriter(13).Input({-1}).Output().Initializer(tensor).Node("Add", {"x", "w"}, {"y"}));
  };
  EXPECT_EQ(with(OnnxFloats("w", {3}, {1, 2})), "CORRUPT_MODEL net.onnx: tensor 'w': it is [3], but has 8 bytes");
  EXPECT_EQ(with(OnnxRawTensor<uint8_t>("w", {1}, 1, {1, 2, 3, 4, 5})),
            "CORRUPT_MODEL net.onnx: tensor 'w': it is [1], but has 5 bytes");
  EXPECT_EQ(with(OnnxFloats("w", {-1}, {1})), "CORRUPT_MODEL net.onnx: tensor 'w': its dims are [-1]");
  EXPECT_EQ(with(OnnxFloats("w", {int64_t{1} << 62, 8}, {1})),
            "CORRUPT_MODEL net.onnx: tensor 'w': its dims are [4611686018427387904, 8]");
  EXPECT_EQ(with(OnnxFloats("w", std::vector<int64_t>(9, 1), {1})),
            "CORRUPT_MODEL net.onnx: tensor 'w': its dims are [1, 1, 1, 1, 1, 1, 1, 1, 1]");
  std::string external = OnnxFloats("w", {1}, {1});
  protozero::pbf_writer(external).add_int32(14, 1);
  EXPECT_EQ(with(external),
            "UNSUPPORTED net.onnx: tensor 'w': its data is in another file; expected it in the model file itself");
  protozero::pbf_writer(external).add_message(13, OnnxEntry("location", "net.onnx.data"));
  EXPECT_EQ(with(external),
            "UNSUPPORTED net.onnx: tensor 'w': its data is in another file, 'net.onnx.data'; expected it in the model "
            "file itself");
}

TEST(ImportTest, RefusesIntegersWhereFloatsBelong) {
  OnnxWriter writer(13);
  writer.Input({-1, 3}).Output().Initializer(OnnxInt64s("i", {1}, {3})).Initializer(OnnxFloats("f", {1}, {3}));
  EXPECT_EQ(ErrorOf(OnnxWriter(writer).Node("Add", {"x", "i"}, {"y"})),
            "CORRUPT_MODEL net.onnx: node 'Add_0': Add input 1 holds integers, expected floats");
  EXPECT_EQ(ErrorOf(OnnxWriter(writer).Node("Reshape", {"x", "f"}, {"y"})),
            "CORRUPT_MODEL net.onnx: node 'Reshape_0': Reshape input 1 holds floats, expected integers");
  EXPECT_EQ(ErrorOf(OnnxWriter(writer).Node("Shape", {"x"}, {"s"}).Node("Relu", {"s"}, {"y"})),
            "CORRUPT_MODEL net.onnx: node 'Relu_1': Relu input 0 holds integers, expected floats");
}

TEST(ImportTest, ReadsAMappedFileAndSaysWhenItIsCutShort) {
  const std::string whole = ConvNet().Bytes();
  const std::string path = testing::TempDir() + "/inkread_import_test.onnx";
  for (const size_t size : {whole.size(), whole.size() / 2, size_t{0}}) {
    std::ofstream(path, std::ios::binary).write(whole.data(), static_cast<std::streamsize>(size));
    auto file = MappedFile::Open(path);
    ASSERT_TRUE(file.ok());
    const auto graph = ImportOnnx(std::make_shared<const MappedFile>(std::move(*file)), "rec.onnx");
    EXPECT_EQ(graph.ok(), size == whole.size());
    if (!graph.ok()) {
      EXPECT_EQ(graph.status().code(), StatusCode::kCorruptModel);
      EXPECT_EQ(graph.status().message().rfind("rec.onnx: ", 0), 0u) << graph.status().message();
    }
  }
}

TEST(ImportTest, SurvivesRandomChanges) {
  const std::string whole = ConvNet().Bytes();
  std::mt19937 random(2);
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = whole;
    for (int change = 0; change < 2; ++change) bytes[random() % bytes.size()] = static_cast<char>(random());
    auto graph = ImportOnnxBytes(AsBytes(bytes), nullptr, "net.onnx");
    if (!graph.ok()) continue;
    if (!Simplify(*graph).ok()) continue;
    const auto shapes = InferShapes(*graph, {1, 3, 48, 64});
    if (shapes.ok()) {
      EXPECT_EQ(shapes->size(), graph->values.size());
    }
  }
}

}  // namespace
}  // namespace inkread
