#include "base/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace inkread {
namespace {

class TextFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "inkread_text_file_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

TEST_F(TextFileTest, GivesTheWholeFile) {
  const std::string path = folder_ + "/a.txt";
  for (const std::string& text : {std::string(), std::string("a\nb"), std::string("\0x", 2)}) {
    std::ofstream(path, std::ios::binary) << text;
    const auto read = ReadTextFile(path);
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_EQ(*read, text);
  }
}

TEST_F(TextFileTest, LineEndsAndAByteOrderMarkDoNotMatter) {
  const std::string path = folder_ + "/a.txt";
  for (const std::string text : {"a\nb\n\nc\n", "a\r\nb\r\n\r\nc\r\n", "a\rb\r\rc\r",
                                 "\xEF\xBB\xBF"
                                 "a\nb\r\n\rc\r"}) {
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(*ReadTextFile(path), "a\nb\n\nc\n");
  }
}

TEST_F(TextFileTest, RefusesWhatIsFarTooLarge) {
  const std::string path = folder_ + "/a.txt";
  std::ofstream(path) << "x";
  std::filesystem::resize_file(path, uint64_t{3} << 30);  // sparse
  const Status status = ReadTextFile(path).status();
  EXPECT_EQ(status.code(), StatusCode::kCorruptModel);
  EXPECT_EQ(status.message(), path + ": expected a text of at most 16777216 bytes, found 3221225472");
}

TEST_F(TextFileTest, NeitherWaitsForAPipeNorReadsADevice) {
  const std::string fifo = folder_ + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& path : {fifo, std::string("/dev/zero"), folder_, folder_ + "/missing"}) {
    EXPECT_EQ(ReadTextFile(path).status().code(), StatusCode::kNotFound) << path;
  }
}

}  // namespace
}  // namespace inkread
