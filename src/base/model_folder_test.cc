#include "base/model_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

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

}  // namespace
}  // namespace inkread
