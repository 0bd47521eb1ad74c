#include "onnx/parse.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/onnx_writer.h"

namespace inkread::onnx {
namespace {

std::string SmallModel() {
  return OnnxWriter(14)
      .Input({-1, 3, 48, -1})
      .Output()
      .Initializer(OnnxFloats("w", {2, 3, 1, 1}, {1, 2, 3, 4, 5, 6}))
      .Node("Conv", {"x", "w", ""}, {"c"}, {OnnxInts("kernel_shape", {1, 1}), OnnxInt("group", 1)}, "first")
      .Node("HardSigmoid", {"c"}, {"y"}, {OnnxFloat("alpha", 0.25f), OnnxString("note", "hello")})
      .Metadata("character", "a\nb")
      .Bytes();
}

TEST(ParseModelTest, ReadsNodesAttributesInitializersAndMetadata) {
  const std::string bytes = SmallModel();
  const auto parsed = ParseModel(AsBytes(bytes), "m.onnx");
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  const Model& model = *parsed;
  EXPECT_EQ(model.ir_version, 7);
  ASSERT_EQ(model.opset_imports.size(), 1u);
  EXPECT_EQ(model.opset_imports[0].version, 14);
  ASSERT_EQ(model.metadata.size(), 1u);
  EXPECT_EQ(model.metadata[0].value, "a\nb");

  ASSERT_EQ(model.graph.inputs.size(), 1u);
  EXPECT_EQ(model.graph.inputs[0].elem_type, kFloat32);
  EXPECT_EQ(model.graph.inputs[0].dims, (std::vector<int64_t>{-1, 3, 48, -1}));
  ASSERT_EQ(model.graph.outputs.size(), 1u);
  EXPECT_EQ(model.graph.outputs[0].name, "y");

  ASSERT_EQ(model.graph.initializers.size(), 1u);
  const Tensor& weight = model.graph.initializers[0];
  EXPECT_EQ(weight.name, "w");
  EXPECT_EQ(weight.dims, (std::vector<int64_t>{2, 3, 1, 1}));
  ASSERT_TRUE(weight.raw_data.has_value());
  EXPECT_EQ(weight.raw_data->size(), 24u);
  // The data is not copied, it points into the file.
  EXPECT_GE(weight.raw_data->data(), AsBytes(bytes).data());
  EXPECT_LE(weight.raw_data->data() + 24, AsBytes(bytes).data() + bytes.size());

  ASSERT_EQ(model.graph.nodes.size(), 2u);
  const Node& conv = model.graph.nodes[0];
  EXPECT_EQ(conv.name, "first");
  EXPECT_EQ(conv.op_type, "Conv");
  EXPECT_EQ(conv.inputs, (std::vector<std::string_view>{"x", "w", ""}));
  ASSERT_EQ(conv.attributes.size(), 2u);
  EXPECT_EQ(conv.attributes[0].type, AttributeType::kInts);
  EXPECT_EQ(conv.attributes[0].ints, (std::vector<int64_t>{1, 1}));
  const Node& sigmoid = model.graph.nodes[1];
  EXPECT_EQ(sigmoid.attributes[0].f, 0.25f);
  EXPECT_EQ(sigmoid.attributes[1].s, "hello");
}

TEST(ParseModelTest, ReadsPackedAndUnpackedNumbersAlike) {
  for (const bool packed : {false, true}) {
    std::string tensor;
    protozero::pbf_writer writer(tensor);
    const std::vector<int64_t> dims = {2, 1};
    const std::vector<float> floats = {1.5f, -2.0f};
    const std::vector<int32_t> ints = {-7, 9};
    writer.add_string(8, "odd");  // makes the packed floats unaligned
    if (packed) {
      writer.add_packed_int64(1, dims.begin(), dims.end());
      writer.add_packed_float(4, floats.begin(), floats.end());
      writer.add_packed_int32(5, ints.begin(), ints.end());
      writer.add_packed_int64(7, dims.begin(), dims.end());
    } else {
      for (int64_t dim : dims) writer.add_int64(1, dim);
      for (float value : floats) writer.add_float(4, value);
      for (int32_t value : ints) writer.add_int32(5, value);
      for (int64_t value : dims) writer.add_int64(7, value);
    }
    const std::string bytes = OnnxWriter().Initializer(tensor).Bytes();
    const auto parsed = ParseModel(AsBytes(bytes), "m.onnx");
    ASSERT_TRUE(parsed.ok()) << parsed.status().message();
    const Tensor& read = parsed->graph.initializers.at(0);
    EXPECT_EQ(read.dims, dims);
    EXPECT_EQ(read.float_data, floats);
    EXPECT_EQ(read.int32_data, ints);
    EXPECT_EQ(read.int64_data, dims);
  }
}

TEST(ParseModelTest, NoticesExternalDataWhateverFieldTellsIt) {
  // L: data_location, E: external_data. Writers put them in either order, and some write one of them only.
  for (const std::string fields : {"L", "E", "LE", "EL", "ELE", "LL"}) {
    std::string tensor;
    protozero::pbf_writer writer(tensor);
    for (const char field : fields) {
      if (field == 'L') writer.add_int32(14, 1);
      if (field != 'E') continue;
      writer.add_message(13, OnnxEntry("location", "w.bin"));
      writer.add_message(13, OnnxEntry("offset", "4096"));
    }
    writer.add_int64(1, 3);  // what follows is still read
    const std::string bytes = OnnxWriter().Initializer(tensor).Bytes();
    const auto parsed = ParseModel(AsBytes(bytes), "m.onnx");
    ASSERT_TRUE(parsed.ok()) << fields << ": " << parsed.status().message();
    const Tensor& read = parsed->graph.initializers.at(0);
    EXPECT_TRUE(read.external) << fields;
    EXPECT_EQ(read.external_file, fields.find('E') == std::string::npos ? "" : "w.bin") << fields;
    EXPECT_EQ(read.dims, std::vector<int64_t>{3}) << fields;
  }
  std::string embedded;
  protozero::pbf_writer(embedded).add_int32(14, 0);
  const std::string bytes = OnnxWriter().Initializer(embedded).Bytes();
  EXPECT_FALSE(ParseModel(AsBytes(bytes), "m.onnx")->graph.initializers.at(0).external);
}

TEST(ParseModelTest, SkipsAFieldOfAnotherWireType) {
  std::string bytes = SmallModel();
  protozero::pbf_writer(bytes).add_int64(7, 5);  // field 7 is the graph, a message
  const auto parsed = ParseModel(AsBytes(bytes), "m.onnx");
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_EQ(parsed->graph.nodes.size(), 2u);
}

TEST(ParseModelTest, NamesTheFileThatIsEmptyOrNoModel) {
  const std::string png = "\x89PNG\r\n\x1a\n and more of it";
  const std::string text = "This is a text file, not a model.\n";
  for (const std::string& bytes : {std::string(), png, text}) {
    const auto parsed = ParseModel(AsBytes(bytes), "det.onnx");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.status().code(), StatusCode::kCorruptModel);
    EXPECT_EQ(parsed.status().message().rfind("det.onnx: ", 0), 0u) << parsed.status().message();
  }
}

TEST(ParseModelTest, NamesTheFormatOfAFileThatIsNoModel) {
  const std::pair<const char*, const char*> cases[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n", "found a Git LFS pointer"},
      {"<!DOCTYPE html><title>404</title>", "found an HTML page"},
      {"ir_version: 8\nproducer_name: 'x'\n", "found text"},
      {"PK\3\4\x14", "found a ZIP archive"},
  };
  for (const auto& [start, says] : cases) {
    const std::string bytes = start;
    const auto parsed = ParseModel(AsBytes(bytes), "det.onnx");
    EXPECT_EQ(parsed.status().code(), StatusCode::kCorruptModel);
    EXPECT_NE(parsed.status().message().find(says), std::string::npos) << parsed.status().message();
  }
}

TEST(ParseModelTest, SaysTruncatedWhereverTheGraphIsCut) {
  const std::string whole = SmallModel();
  // The graph is the second field; opset and metadata follow it.
  const size_t graph_end = whole.size() - 22;
  for (size_t size = 3; size < graph_end; ++size) {
    const std::string cut = whole.substr(0, size);
    const auto parsed = ParseModel(AsBytes(cut), "rec.onnx");
    ASSERT_FALSE(parsed.ok()) << size;
    EXPECT_NE(parsed.status().message().find("truncated"), std::string::npos) << parsed.status().message();
  }
}

TEST(ParseModelTest, SurvivesRandomChanges) {
  const std::string whole = SmallModel();
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = whole;
    for (int change = 0; change < 3; ++change) bytes[random() % bytes.size()] = static_cast<char>(random());
    const auto parsed = ParseModel(AsBytes(bytes), "m.onnx");
    if (!parsed.ok()) {
      EXPECT_EQ(parsed.status().message().rfind("m.onnx: ", 0), 0u);
    }
  }
}

TEST(ParseModelTest, RefusesAbsurdlyManyNodes) {
  std::string graph, bytes;
  for (int i = 0; i < 70000; ++i) protozero::pbf_writer(graph).add_message(1, std::string());
  protozero::pbf_writer(bytes).add_message(7, graph);
  const auto parsed = ParseModel(AsBytes(bytes), "m.onnx");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace inkread::onnx
