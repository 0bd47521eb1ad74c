#include "apps/inputs.h"

#include "apps/test_files.h"

namespace inkread::test {
namespace {

std::vector<std::string> Paths(const Inputs& inputs) {
  std::vector<std::string> paths;
  for (const Input& input : inputs.files) paths.push_back(input.path);
  return paths;
}

TEST(InputsTest, FoldersAreWalkedInOrderAndOtherFilesPassedOver) {
  const TemporaryFolder folder;
  const std::string b = folder.Put("b.png", Png(1));
  const std::string a = folder.Put("a.dat", Png(2));  // by content, not by name
  const std::string deep = folder.Put("aa/z.png", Png(3));
  folder.Put("notes.png", "This is no image.");
  folder.Put("empty.png", "");
  const Inputs inputs = ExpandInputs({folder / ""});
  EXPECT_EQ(Paths(inputs), (std::vector<std::string>{a, deep, b}));
  EXPECT_TRUE(inputs.notes.empty());
}

TEST(InputsTest, AFolderWithoutImagesIsSaid) {
  const TemporaryFolder folder;
  folder.Put("notes.txt", "none");
  const Inputs inputs = ExpandInputs({folder / ""});
  EXPECT_TRUE(inputs.files.empty());
  ASSERT_EQ(inputs.notes.size(), 1u);
  EXPECT_NE(inputs.notes[0].find("no images"), std::string::npos);
}

TEST(InputsTest, PatternsAreExpandedUnlessAFileHasThatName) {
  const TemporaryFolder folder;
  const std::string one = folder.Put("scan1.png", Png(1));
  const std::string two = folder.Put("scan2.png", Png(2));
  const std::string literal = folder.Put("scan[1].png", Png(3));
  EXPECT_EQ(Paths(ExpandInputs({folder / "scan?.png"})), (std::vector<std::string>{one, two}));
  EXPECT_EQ(Paths(ExpandInputs({literal})), (std::vector<std::string>{literal}));
  const Inputs none = ExpandInputs({folder / "*.gif"});
  ASSERT_EQ(none.files.size(), 1u);
  EXPECT_EQ(none.files[0].error.code(), StatusCode::kNotFound);
}

TEST(InputsTest, ANamedFileIsKeptWhateverItHolds) {
  const TemporaryFolder folder;
  const std::string words = folder.Put("words.txt", "none");
  const std::string chinese = folder.Put("\xE5\x9B\xBE\xE7\x89\x87.png", Png(1));
  const std::string latin1 = folder.Put("caf\xE9.png", Png(1));  // no UTF-8
  const Inputs inputs = ExpandInputs({words, chinese, latin1, folder / "missing.png", "-", "-"});
  EXPECT_EQ(Paths(inputs), (std::vector<std::string>{words, chinese, latin1, folder / "missing.png", "-"}));
  EXPECT_TRUE(inputs.files[2].error.ok());
  EXPECT_EQ(inputs.files[3].error.code(), StatusCode::kNotFound);
  EXPECT_TRUE(inputs.files[4].is_stdin);
}

}  // namespace
}  // namespace inkread::test
