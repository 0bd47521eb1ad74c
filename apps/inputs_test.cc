#include "apps/inputs.h"

#include <algorithm>
#include <filesystem>

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
  const std::string a = folder.Put("a.dat", Png(2));  // by content
  const std::string deep = folder.Put("aa/z.png", Png(3));
  const std::string words = folder.Put("words.JPEG", "This is no image.");  // by name, so that its error is reported
  folder.Put("notes.txt", "This is no image.");
  folder.Put("empty", "");
  folder.Put(".hidden.png", Png(4));
  folder.Put(".hidden/c.png", Png(5));
  std::filesystem::create_directory_symlink(folder / "aa", folder / "link");
  const Inputs inputs = ExpandInputs({folder / ""});
  EXPECT_EQ(Paths(inputs), (std::vector<std::string>{a, deep, b, words}));
  EXPECT_TRUE(inputs.has_folder);
  EXPECT_FALSE(ExpandInputs({a}).has_folder);
}

TEST(InputsTest, AFolderWithoutImagesIsAnErrorAsAPatternWithoutMatchesIs) {
  const TemporaryFolder folder;
  folder.Put("notes.txt", "none");
  for (const std::string& argument : {folder / "", folder / "*.gif", folder / "**/*.gif"}) {
    const Inputs inputs = ExpandInputs({argument});
    ASSERT_EQ(inputs.files.size(), 1u) << argument;
    EXPECT_EQ(inputs.files[0].path, argument);
    EXPECT_EQ(inputs.files[0].error.code(), StatusCode::kNotFound);
    EXPECT_TRUE(ExpandInputs({argument}, {Shard(), false}).files.empty());
  }
  EXPECT_EQ(ExpandInputs({folder / ""}).files[0].error.message(), "no images in this folder");
  // A folder whose images are all in other shards is not empty.
  folder.Put("a.png", Png(1));
  size_t num_files = 0;
  for (uint64_t i = 0; i < 5; ++i) num_files += ExpandInputs({folder / ""}, {Shard{i, 5}}).files.size();
  EXPECT_EQ(num_files, 1u);
}

TEST(InputsTest, TwoStarsStandForAnyNumberOfFolders) {
  const TemporaryFolder folder;
  const std::string top = folder.Put("s/x1.png", Png(1));
  const std::string deep = folder.Put("s/[a]/b/x2.png", Png(2));
  const std::string other = folder.Put("s/[a]/y.jpg", Png(3));
  folder.Put("s/.hidden/x3.png", Png(4));
  folder.Put("t/x4.png", Png(5));
  std::filesystem::create_directory_symlink(folder / "s/[a]", folder / "s/link");
  using Names = std::vector<std::string>;
  EXPECT_EQ(Paths(ExpandInputs({folder / "s/**/*.png"})), (Names{deep, top}));
  EXPECT_EQ(Paths(ExpandInputs({folder / "s/**/b/**/x?.png"})), (Names{deep}));
  EXPECT_EQ(Paths(ExpandInputs({folder / "s/**"})), (Names{deep, other, top}));
  EXPECT_EQ(Paths(ExpandInputs({folder / "?/**/**/x[12].png"})), (Names{deep, top}));
  EXPECT_EQ(Paths(ExpandInputs({folder / "s/x**.png"})), (Names{top})) << "within a name they are a star";
}

TEST(InputsTest, ShardsHaveEachFileOnceWhereverTheFolderIs) {
  const TemporaryFolder here, there;
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) {
    names.push_back((i % 3 == 0 ? "a/" : "") + std::to_string(i) + ".png");
    here.Put("in/" + names.back(), Png(1));
    there.Put("elsewhere/in/" + names.back(), Png(1));
  }
  std::vector<std::string> joined;
  for (uint64_t i = 0; i < 3; ++i) {
    const std::vector<std::string> part = Paths(ExpandInputs({here / "in"}, {Shard{i, 3}}));
    const std::vector<std::string> same = Paths(ExpandInputs({there / "elsewhere/in/"}, {Shard{i, 3}}));
    ASSERT_EQ(part.size(), same.size());
    EXPECT_GT(part.size(), 5u);
    for (size_t k = 0; k < part.size(); ++k) {
      EXPECT_EQ(part[k].substr((here / "in/").size()), same[k].substr((there / "elsewhere/in/").size()));
    }
    joined.insert(joined.end(), part.begin(), part.end());
  }
  std::sort(joined.begin(), joined.end());
  EXPECT_EQ(joined, Paths(ExpandInputs({here / "in"})));
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
