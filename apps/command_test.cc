// The command as a process: what a script sees of it. Needs no models.
#include "apps/run_command.h"
#include "apps/test_files.h"

namespace inkread::test {
namespace {

TEST(CommandTest, VersionTellsCommitAndInstructionSet) {
  const Finished finished = RunCommand("--version");
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.output.rfind("inkread 0.", 0), 0u) << finished.output;
  EXPECT_NE(finished.output.find("commit "), std::string::npos) << finished.output;
  EXPECT_NE(finished.output.find("cpu "), std::string::npos) << finished.output;
}

TEST(CommandTest, HelpEndsWellAndWrongUsageIsTwo) {
  EXPECT_EQ(RunCommand("--help").exit_code, 0);
  EXPECT_EQ(RunCommand("read --help").exit_code, 0);
  for (const char* wrong : {"", "read", "paint x.png", "read --no-such-option x.png", "read --json --tsv x.png",
                            "read --threads 0 x.png", "read --score-thresh 1.5 x.png", "read --max-pixels 0 x.png"}) {
    EXPECT_EQ(RunCommand(wrong).exit_code, 2) << wrong;
  }
  const Finished size = RunCommand("read --size huge x.png");
  EXPECT_EQ(size.exit_code, 2);
  EXPECT_NE(size.output.find("'huge' is none of tiny, small, medium"), std::string::npos) << size.output;
}

TEST(CommandTest, AMissingModelIsThreeAndNamed) {
  const TemporaryFolder folder;
  const std::string picture = folder.Put("a.png", Png(8));
  const Finished finished = RunCommand("read --size tiny --models '" + (folder / "") + "' '" + picture + "'");
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_NE(finished.output.find("det.onnx"), std::string::npos) << finished.output;
}

}  // namespace
}  // namespace inkread::test
