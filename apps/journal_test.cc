#include "apps/journal.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <sstream>

#include "apps/test_files.h"
#include "inkread/formats.h"

namespace inkread::test {
namespace {

// A line as --jsonl writes it.
std::string LineOf(const std::string& file, int page = 1, int pages = 1, const Status& error = Status()) {
  Page entry;
  entry.file = file;
  entry.page = page;
  entry.pages = pages;
  entry.error = error;
  entry.reading.lines.resize(2);
  entry.reading.lines[0].text = "\"error\": {\"code\": 1}\n";
  std::ostringstream out;
  MakeJsonLinesWriter({}, &out)->Write(entry);
  return out.str();
}

std::unique_ptr<Journal> Opened(const std::string& path) {
  Result<std::unique_ptr<Journal>> journal = Journal::Open(path);
  EXPECT_TRUE(journal.ok()) << journal.status().message();
  return journal.ok() ? std::move(*journal) : nullptr;
}

TEST(JournalTest, GoesOnAtEveryByteWhereItsFileMayEnd) {
  const TemporaryFolder folder;
  const std::string a = LineOf("a.png");
  const std::string b = LineOf("caf\xE9 \"b\".png", 1, 1, Status(StatusCode::kCorruptImage, "no image"));
  const std::string c = LineOf("c.tif", 2, 3);
  const std::string whole = a + b + c;
  for (size_t size = 0; size <= whole.size(); ++size) {
    const std::string path = folder.Put("out.jsonl", whole.substr(0, size));
    const auto journal = Opened(path);
    ASSERT_NE(journal, nullptr) << size;
    const bool has_a = size >= a.size(), has_b = size >= a.size() + b.size(), has_c = size == whole.size();
    const std::string kept = (has_a ? a : "") + (has_b ? b : "") + (has_c ? c : "");
    EXPECT_EQ(ContentOf(path), kept);
    EXPECT_EQ(journal->num_read(), has_a + has_c);
    EXPECT_EQ(journal->failures().size(), has_b ? 1u : 0u);
    FinishedPages* const finished = journal->finished();
    EXPECT_EQ(finished->Take("a.png").nothing, has_a);
    EXPECT_FALSE(finished->Take("a.png").nothing) << "it is there once";
    EXPECT_EQ(finished->Take("caf\xE9 \"b\".png").nothing, has_b);
    const FinishedPages::Left left = finished->Take("c.tif");
    EXPECT_FALSE(left.nothing);
    EXPECT_EQ(left.page_finished, has_c ? (std::vector<bool>{false, true, false}) : std::vector<bool>());
    journal->stream() << "{\"file\":\"d\"}\n" << std::flush;
    if (size % 100 == 0) {
      EXPECT_TRUE(journal->Finish().ok());  // waits for the disk
    }
    EXPECT_EQ(ContentOf(path), kept + "{\"file\":\"d\"}\n");
  }
}

TEST(JournalTest, PagesInAnyOrderMakeAFileWhole) {
  const TemporaryFolder folder;
  const std::string path =
      folder.Put("out.jsonl", LineOf("a.tif", 3, 3) + LineOf("b.tif", 2, 2) + LineOf("a.tif", 1, 3) +
                                  LineOf("a.tif", 2, 3) + LineOf("a.tif", 2, 3));
  const auto journal = Opened(path);
  ASSERT_NE(journal, nullptr);
  EXPECT_TRUE(journal->finished()->Take("a.tif").nothing);
  EXPECT_EQ(journal->finished()->Take("a.tif").page_finished, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(journal->finished()->Take("b.tif").page_finished, (std::vector<bool>{false, true}));
}

TEST(JournalTest, ZerosAfterAPowerCutAreCutOff) {
  const TemporaryFolder folder;
  const std::string zeros(5000, '\0');
  for (const std::string& rest : {zeros, zeros + "\n" + LineOf("b"), LineOf("b").substr(0, 9) + zeros}) {
    const std::string path = folder.Put("out.jsonl", LineOf("a") + rest);
    ASSERT_NE(Opened(path), nullptr);
    EXPECT_EQ(ContentOf(path), LineOf("a"));
  }
}

TEST(JournalTest, AFileOfAnotherKindIsLeftAsItIs) {
  const TemporaryFolder folder;
  for (const std::string other :
       {"old", "old\n", "{\"page\":1}\n", "{\"file\":\"a\"}\n", "{\"file\":1,\"page\":1,\"x\":2}\n",
        "{\"file\":\"a\",\"page\":0,\"lines\":[]}\n", "[1]\n", "\n", "{\"file\":\"a\",\"page\":1\n"}) {
    for (const std::string& before : {std::string(), LineOf("a")}) {
      const std::string path = folder.Put("out.jsonl", before + other);
      const Result<std::unique_ptr<Journal>> journal = Journal::Open(path);
      EXPECT_EQ(journal.status().code(), StatusCode::kInvalidArgument) << other;
      EXPECT_EQ(journal.status().message().rfind(path + ": ", 0), 0u) << journal.status().message();
      EXPECT_EQ(ContentOf(path), before + other);
    }
  }
  EXPECT_EQ(Journal::Open("/dev/null").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Journal::Open(folder / "no/where").status().code(), StatusCode::kNotFound);
}

TEST(JournalTest, OneProcessWritesAtATime) {
  const TemporaryFolder folder;
  const std::string path = folder / "out.jsonl";
  const auto first = Opened(path);
  EXPECT_NE(Journal::Open(path).status().message().find("another process is writing to it"), std::string::npos);
}

TEST(JournalTest, ALineThatDoesNotFitIsCutOff) {
  const TemporaryFolder folder;
  const std::string path = folder.Put("out.jsonl", LineOf("a"));
  const size_t line_size = LineOf("a").size();
  const pid_t child = fork();  // for a limit of its own
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlim_t most = 2 * line_size + 10;
    const rlimit limit = {most, most};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    const auto journal = Opened(path);
    journal->stream() << LineOf("b") << std::flush;
    if (!journal->stream()) _exit(2);
    journal->stream() << LineOf("c") << std::flush;
    if (journal->stream()) _exit(3);
    journal->stream() << LineOf("d") << std::flush;
    _exit(journal->Finish().message() == path + ": cannot be written: File too large" ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ContentOf(path), LineOf("a") + LineOf("b"));
}

}  // namespace
}  // namespace inkread::test
