// What a library says of itself to the host side.
#include <fstream>
#include <sstream>

#include "tests/metal_emulator/kernels/kernel_bench.h"

namespace metal_emulator {
namespace {

std::string TextOf(const std::string& name) {
  std::ifstream file(std::string(INKREAD_SOURCE_DIR) + "/tests/metal_emulator/kernels/testdata/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(LibraryTest, IsFoundByItsExactText) {
  std::string text = TextOf("language.metal");
  const Library* library = FindLibrary(text.data(), text.size());
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(library->name, "metal_emulator_language_kernels");
  EXPECT_EQ(library->source, text);
  text[text.size() / 2] ^= 1;
  EXPECT_EQ(FindLibrary(text.data(), text.size()), nullptr);
  EXPECT_EQ(FindLibrary(text.data(), text.size() - 1), nullptr);
  EXPECT_EQ(Libraries().size(), 3u);
}

TEST(LibraryTest, KernelsSayWhatTheyTake) {
  const KernelInfo* scale = KernelOf("metal_emulator_language_kernels", "scale");
  ASSERT_NE(scale, nullptr);
  ASSERT_EQ(scale->buffers.size(), 3u);
  EXPECT_EQ(scale->buffers[0].name, "x");
  EXPECT_FALSE(scale->buffers[0].written);
  EXPECT_TRUE(scale->buffers[1].written);
  EXPECT_FALSE(scale->buffers[2].written);
  EXPECT_EQ(scale->buffers[2].min_bytes, 12u);
  EXPECT_EQ(scale->buffers[0].min_bytes, 4u);
  EXPECT_EQ(scale->max_total_threads, 1024u);
  EXPECT_TRUE(scale->constants.empty());
  EXPECT_EQ(KernelOf("metal_emulator_language_kernels", "limited")->max_total_threads, 64u);
  EXPECT_EQ(KernelOf("metal_emulator_language_kernels", "Scaled"), nullptr);
}

TEST(LibraryTest, ConstantsAreThoseThatAKernelReaches) {
  const KernelInfo* one = KernelOf("metal_emulator_language_kernels", "one_constant");
  ASSERT_EQ(one->constants.size(), 1u);
  EXPECT_EQ(one->constants[0].name, "kDouble");
  EXPECT_EQ(one->constants[0].type, ConstantType::kBool);
  const KernelInfo* all = KernelOf("metal_emulator_language_kernels", "constants");
  ASSERT_EQ(all->constants.size(), 4u);
  EXPECT_EQ(all->constants[1].index, 4u);  // by way of kTwice
  EXPECT_EQ(all->constants[2].name, "kScale");
  EXPECT_FALSE(all->constants[2].required);
  EXPECT_TRUE(all->constants[3].required);
  EXPECT_EQ(all->constants[3].type, ConstantType::kHalf);
  EXPECT_EQ(KernelOf("metal_emulator_language_kernels", "optional_buffer")->buffers[1].only_if, 0);
}

TEST(LibraryTest, ThreadgroupMemoryIsCounted) {
  const KernelInfo* shapes = KernelOf("metal_emulator_group_kernels", "shapes");
  EXPECT_EQ(shapes->threadgroup_arguments, std::vector<uint32_t>{1});
  ASSERT_EQ(shapes->threadgroup_variables.size(), 2u);
  EXPECT_EQ(shapes->threadgroup_variables[0].name, "tile");
  EXPECT_EQ(shapes->threadgroup_variables[0].size_bytes, 256u);
  EXPECT_EQ(shapes->static_threadgroup_bytes, 256u + 16u);
}

}  // namespace
}  // namespace metal_emulator
