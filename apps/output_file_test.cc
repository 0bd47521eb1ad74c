#include "apps/output_file.h"

#include <sys/wait.h>

#include <csignal>
#include <iostream>
#include <iterator>

#include "apps/test_files.h"

namespace inkread::test {
namespace {

namespace fs = std::filesystem;

size_t NumEntries(const TemporaryFolder& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder / ""), fs::directory_iterator()));
}

TEST(FilesInUseTest, KnowsAFileUnderEveryName) {
  const TemporaryFolder folder;
  const std::string a = folder.Put("a.png", "a");
  const std::string b = folder.Put("b.png", "b");
  fs::create_symlink(a, folder / "link.png");
  fs::create_hard_link(a, folder / "twin.png");
  fs::create_directory(folder / "deep");
  FilesInUse in_use;
  in_use.AddInputs({{a, false, Status()}, {folder / "missing.png", false, Status(StatusCode::kNotFound, "no")}});
  for (const char* name : {"a.png", "./a.png", "deep/../a.png", "link.png", "twin.png"}) {
    const Status status = in_use.CheckFree(folder / name);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << name;
    EXPECT_NE(status.message().find(std::string(name) + ": "), std::string::npos) << status.message();
  }
  EXPECT_TRUE(in_use.CheckFree(b).ok());
  EXPECT_TRUE(in_use.CheckFree(folder / "new.png").ok());
}

TEST(FilesInUseTest, KnowsAFileThatIsNotThereYet) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "deep");
  fs::create_symlink("../new.txt", folder / "deep/dangling");
  FilesInUse in_use;
  in_use.Add(folder / "new.txt", "is the text");
  for (const char* name : {"new.txt", "deep/../new.txt", "deep/dangling"}) {
    const Status status = in_use.CheckFree(folder / name);
    EXPECT_NE(status.message().find("is the text"), std::string::npos) << name << ": " << status.message();
  }
  EXPECT_TRUE(in_use.CheckFree(folder / "deep/new.txt").ok());
  EXPECT_TRUE(in_use.CheckFree(folder / "no/folder.txt").ok());
}

TEST(FilesInUseTest, DevicesAreNeverInUse) {
  FilesInUse in_use;
  in_use.Add("/dev/null", "is the text");
  EXPECT_TRUE(in_use.CheckFree("/dev/null").ok());
}

TEST(OutputFileTest, TheOldFileStaysUntilTheNewOneIsWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.Put("out.txt", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("out.txt", folder / "link");
  {
    const auto file = OutputFile::Open(path);
    ASSERT_TRUE(file.ok()) << file.status().message();
    (*file)->stream() << "given up" << std::flush;
    EXPECT_EQ(ContentOf(path), "old");
  }
  EXPECT_EQ(ContentOf(path), "old");
  EXPECT_EQ(NumEntries(folder), 2u);
  const auto file = OutputFile::Open(folder / "link");
  ASSERT_TRUE(file.ok()) << file.status().message();
  (*file)->stream() << "new";
  EXPECT_TRUE((*file)->Commit().ok());
  EXPECT_EQ(ContentOf(path), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(NumEntries(folder), 2u);
}

TEST(OutputFileTest, WhatIsNoRegularFileIsWrittenTo) {
  const TemporaryFolder folder;
  fs::create_symlink("/dev/full", folder / "full");
  const auto full = OutputFile::Open(folder / "full");
  ASSERT_TRUE(full.ok());
  (*full)->stream() << "x";
  EXPECT_NE((*full)->Commit().message().find("full: could not be written completely"), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(folder / "full"));
  EXPECT_EQ(NumEntries(folder), 1u);
  for (const char* name : {"", "missing/x"}) {
    const auto none = OutputFile::Open(folder / name);
    EXPECT_EQ(none.status().code(), StatusCode::kNotFound);
    EXPECT_NE(none.status().message().find("cannot be written"), std::string::npos) << none.status().message();
  }
}

TEST(OutputFileTest, StandardOutputIsNotReplacedWhateverItIs) {
  const TemporaryFolder folder;
  const std::string path = folder / "stdout";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (freopen(path.c_str(), "w", stdout) == nullptr) _exit(1);
    std::cout << "first ";
    const auto file = OutputFile::Open("/dev/stdout");
    if (!file.ok()) _exit(1);
    (*file)->stream() << "second ";
    if (!(*file)->Commit().ok()) _exit(1);
    std::cout << "third" << std::flush;
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ContentOf(path), "first second third");
}

TEST(OutputFileTest, AnInterruptLeavesNothingBehind) {
  const TemporaryFolder folder;
  const std::string path = folder.Put("out.txt", "old");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    const auto file = OutputFile::Open(path);
    if (!file.ok()) _exit(1);
    (*file)->stream() << "cut off" << std::flush;
    raise(SIGINT);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_EQ(ContentOf(path), "old");
  EXPECT_EQ(NumEntries(folder), 1u);
}

}  // namespace
}  // namespace inkread::test
