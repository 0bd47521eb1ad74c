#include "base/model_folder.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

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

TEST_F(ModelFolderTest, WithoutHomeTheUsersEntryIsAsked) {
  const passwd* user = ::getpwuid(::getuid());
  if (user == nullptr) GTEST_SKIP() << "user " << ::getuid() << " is not in the password database";
  EXPECT_EQ(*ModelFolder(), std::string(user->pw_dir) + "/.cache/inkread/models");
}

TEST_F(ModelFolderTest, SaysWhereItLookedForAUserWithoutAHome) {
  constexpr uid_t kNobodysId = 54321;
  if (::getuid() != 0) GTEST_SKIP() << "only root can become another user";
  if (::getpwuid(kNobodysId) != nullptr) GTEST_SKIP() << "user " << kNobodysId << " exists";
  const auto ask = [] {
    const bool is_other = ::setuid(kNobodysId) == 0;
    const auto folder = ModelFolder();
    std::cerr << folder.status().message();
    ::_exit(is_other && folder.status().code() == StatusCode::kNotFound ? 0 : 1);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "INKREAD_MODELS.*home folder");
}

TEST_F(ModelFolderTest, FoldersForEveryUserFollowTheDataFolders) {
  ::unsetenv("XDG_DATA_DIRS");
  EXPECT_EQ(SystemModelFolders(),
            (std::vector<std::string>{"/usr/local/share/inkread/models", "/usr/share/inkread/models"}));
  ::setenv("XDG_DATA_DIRS", "/opt/share/:relative:/data", 1);
  EXPECT_EQ(SystemModelFolders(), (std::vector<std::string>{"/opt/share/inkread/models", "/data/inkread/models"}));
  ::unsetenv("XDG_DATA_DIRS");
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

TEST_F(FindModelSizeTest, TakesWhatTheUserLacksFromTheFoldersForEveryUser) {
  ::setenv("HOME", folder_.c_str(), 1);
  ::setenv("XDG_DATA_DIRS", (folder_ + "/empty:" + folder_ + "/share").c_str(), 1);
  const std::string own = folder_ + "/.cache/inkread/models", shared = folder_ + "/share/inkread/models";
  Put(shared + "/tiny", "det.onnx", "");
  EXPECT_EQ(FindModelSize("", "tiny").value(), own + "/tiny") << "without settings.txt it is not complete";
  Put(shared + "/tiny", "settings.txt", "size tiny\n");
  Put(shared + "/small", "settings.txt", "size small\n");
  EXPECT_EQ(FindModelSize("", "tiny").value(), shared + "/tiny");
  EXPECT_EQ(FindModelSize("", "medium").value(), own + "/medium");
  Put(own + "/tiny", "det.onnx", "");
  EXPECT_EQ(FindModelSize("", "tiny").value(), own + "/tiny") << "the user's own come first";
  EXPECT_EQ(FindModelSize("", "small").value(), shared + "/small");
  EXPECT_EQ(FindModelSize(folder_ + "/named", "small").value(), folder_ + "/named/small");
  ::setenv("INKREAD_MODELS", (folder_ + "/named").c_str(), 1);
  EXPECT_EQ(FindModelSize("", "small").value(), folder_ + "/named/small");
  for (const char* name : {"INKREAD_MODELS", "XDG_DATA_DIRS", "HOME"}) ::unsetenv(name);
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
