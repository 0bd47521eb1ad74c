#include "base/model_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace inkread {
namespace {

class ModelFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"INKREAD_MODELS", "XDG_CACHE_HOME", "HOME"}) ::unsetenv(name);
  }
};

TEST_F(ModelFolderTest, TakesTheFirstVariableThatSaysWhere) {
  ::setenv("HOME", "/home/a", 1);
  EXPECT_EQ(*ModelFolder(), "/home/a/.cache/inkread/models");
  ::setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(*ModelFolder(), "/cache/inkread/models");
  ::setenv("INKREAD_MODELS", "models here", 1);
  EXPECT_EQ(*ModelFolder(), "models here");
}

TEST_F(ModelFolderTest, PassesOverEmptyVariablesAndARelativeCacheFolder) {
  ::setenv("INKREAD_MODELS", "", 1);
  ::setenv("XDG_CACHE_HOME", "cache", 1);
  ::setenv("HOME", "/home/a", 1);
  EXPECT_EQ(*ModelFolder(), "/home/a/.cache/inkread/models");
}

TEST_F(ModelFolderTest, SaysWhichVariablesItLookedFor) {
  const auto folder = ModelFolder();
  EXPECT_EQ(folder.status().code(), StatusCode::kNotFound);
  EXPECT_NE(folder.status().message().find("INKREAD_MODELS"), std::string::npos);
}

class FindModelSizeTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "inkread_model_folder_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static void Put(const std::string& folder, const std::string& name, const std::string& text) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/" + name) << text;
  }

  std::string folder_;
};

TEST_F(FindModelSizeTest, TakesTheParentOfTheSizesOrTheFolderOfOne) {
  Put(folder_ + "/tiny", "settings.txt", "size tiny\n");
  EXPECT_EQ(FindModelSize(folder_, "tiny").value(), folder_ + "/tiny");
  EXPECT_EQ(FindModelSize(folder_ + "/tiny", "tiny").value(), folder_ + "/tiny");
  ::setenv("INKREAD_MODELS", folder_.c_str(), 1);
  EXPECT_EQ(FindModelSize("", "tiny").value(), folder_ + "/tiny");
  ::setenv("INKREAD_MODELS", (folder_ + "/tiny").c_str(), 1);
  EXPECT_EQ(FindModelSize("", "tiny").value(), folder_ + "/tiny");
  ::unsetenv("INKREAD_MODELS");
}

TEST_F(FindModelSizeTest, NamesTheSubfolderWhereThereIsNothingYet) {
  EXPECT_EQ(FindModelSize(folder_, "small").value(), folder_ + "/small");
  EXPECT_EQ(FindModelSize(folder_ + "/nowhere", "small").value(), folder_ + "/nowhere/small");
}

TEST_F(FindModelSizeTest, AFolderWithoutSettingsMayHoldAnySize) {
  Put(folder_ + "/own", "det.onnx", "");
  EXPECT_EQ(FindModelSize(folder_ + "/own", "medium").value(), folder_ + "/own");
}

TEST_F(FindModelSizeTest, NoticesAnotherSize) {
  Put(folder_ + "/tiny", "settings.txt", "size tiny\n");
  Put(folder_ + "/renamed/small", "settings.txt", "det_thresh 0.2\nsize tiny\r\n");
  for (const char* named : {"/tiny", "/renamed"}) {
    const auto found = FindModelSize(folder_ + named, "small");
    EXPECT_EQ(found.status().code(), StatusCode::kInvalidArgument) << named;
    EXPECT_NE(found.status().message().find("holds the models of size tiny, expected small"), std::string::npos)
        << found.status().message();
  }
}

}  // namespace
}  // namespace inkread
