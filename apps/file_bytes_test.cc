#include "apps/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <thread>

#include "apps/test_files.h"

namespace inkread::test {
namespace {

constexpr int64_t kMaxBytes = 100'000;

Input File(const std::string& path) { return {path, false, Status()}; }

std::string Text(const FileBytes& read) { return {read.bytes().begin(), read.bytes().end()}; }

Result<FileBytes> Read(const std::string& path) { return ReadImageBytes(File(path), kMaxBytes); }

// The start of a PNG, so that the rest is read too.
std::string PngOf(size_t size) {
  std::string content = Png(1);
  content.resize(size, 'x');
  return content;
}

TEST(ReadImageBytesTest, GivesTheWholeImageOrTheSystemsReason) {
  const TemporaryFolder folder;
  for (const size_t size : {size_t{1}, size_t{1023}, size_t{1024}, size_t{1025}, size_t{70'000}, size_t{kMaxBytes}}) {
    const std::string content = PngOf(size);
    const auto read = Read(folder.Put("x", content));
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_EQ(Text(*read), content) << size;
  }
  EXPECT_TRUE(Read(folder.Put("empty", ""))->bytes().empty());
  EXPECT_EQ(Read(folder / "missing").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Read(folder / "").status().code(), StatusCode::kNotFound);
}

TEST(ReadImageBytesTest, ALargerFileIsMappedAndWhole) {
  const TemporaryFolder folder;
  const std::string content = PngOf(kMaxBytes + 1);
  auto read = Read(folder.Put("x", content));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(Text(*read), content);
  const FileBytes moved = std::move(*read);
  EXPECT_EQ(Text(moved), content);
}

TEST(ReadImageBytesTest, OfAFileThatIsNoImageOnlyTheFirstBytesAreRead) {
  const TemporaryFolder folder;
  const std::string heif = std::string("\0\0\0\x10", 4) + "ftypheic" + std::string(4, '\0');  // known, not decoded
  for (const std::string& start : {std::string("%!PS-Adobe-3.0\n"), std::string(1, '\0'), heif}) {
    std::string content = start;
    content.resize(50'000);
    const auto read = Read(folder.Put("x", content));
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_EQ(Text(*read), content.substr(0, 1024));
  }
  const auto endless = Read("/dev/zero");
  ASSERT_TRUE(endless.ok()) << endless.status().message();
  EXPECT_EQ(endless->bytes().size(), 1024u);
}

// Reads what `write` sends through a FIFO.
template <typename Write>
Result<FileBytes> ReadFifo(const std::string& path, const Write& write) {
  EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream fifo(path, std::ios::binary);
    write(&fifo);
  });
  auto read = Read(path);
  writer.join();
  return read;
}

TEST(ReadImageBytesTest, AStreamIsReadToItsEndHoweverSlow) {
  const TemporaryFolder folder;
  const std::string content = PngOf(kMaxBytes);
  const auto read = ReadFifo(folder / "fifo", [&](std::ofstream* fifo) {
    for (size_t at = 0; at < content.size(); at += 7001) *fifo << content.substr(at, 7001) << std::flush;
  });
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(Text(*read), content);
}

TEST(ReadImageBytesTest, AStreamThatGoesOnIsAnError) {
  const TemporaryFolder folder;
  const std::string content = PngOf(kMaxBytes + 1);
  const auto read = ReadFifo(folder / "fifo", [&](std::ofstream* fifo) { *fifo << content << std::flush; });
  EXPECT_EQ(read.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(read.status().message().find("100000 bytes"), std::string::npos) << read.status().message();
}

TEST(IsImageFileTest, LooksAtTheContent) {
  const TemporaryFolder folder;
  EXPECT_TRUE(IsImageFile(folder.Put("a.txt", Png(1))));
  EXPECT_TRUE(IsImageFile(folder / "missing"));  // so that its error is reported
  EXPECT_FALSE(IsImageFile(folder.Put("a.png", "words")));
  EXPECT_FALSE(IsImageFile(folder.Put("b.png", "")));
}

TEST(IsPdfFileTest, TellsRegularFilesByTheirFirstBytes) {
  const TemporaryFolder folder;
  EXPECT_TRUE(IsPdfFile(folder.Put("a", "%PDF-1.7\n")));
  EXPECT_TRUE(IsPdfFile(folder.Put("b", "\n\n%PDF-1.4\n")));
  EXPECT_FALSE(IsPdfFile(folder.Put("image.pdf", Png(1))));
  EXPECT_FALSE(IsPdfFile(folder.Put("empty", "")));
  EXPECT_FALSE(IsPdfFile(folder / "missing"));
  EXPECT_FALSE(IsPdfFile(folder / ""));
  // Neither waits for a pipe nor takes what is in it.
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(IsPdfFile(pipe));
}

}  // namespace
}  // namespace inkread::test
