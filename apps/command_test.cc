// The command as a process: what a script sees of it. Needs no models.
#include <sstream>
#include <utility>

#include "apps/run_command.h"
#include "apps/test_files.h"
#include "inkread/ocr.h"

namespace inkread::test {
namespace {

TEST(CommandTest, VersionTellsCommitAndInstructionSet) {
  const Finished finished = RunCommand("--version");
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.output.rfind("inkread 0.", 0), 0u) << finished.output;
  EXPECT_NE(finished.output.find("commit "), std::string::npos) << finished.output;
  EXPECT_NE(finished.output.find("cpu "), std::string::npos) << finished.output;
}

TEST(CommandTest, HelpOfACommandIsWhatItPrintsItself) {
  EXPECT_EQ(RunCommand("-V").output, RunCommand("--version").output);
  EXPECT_EQ(RunCommand("help").output, RunCommand("--help").output);
  for (const std::string command : {"read", "bench", "models", "models fetch", "devices", "help"}) {
    const Finished finished = RunCommand("help " + command);
    EXPECT_EQ(finished.exit_code, 0) << command;
    EXPECT_EQ(finished.output, RunCommand(command + " --help").output) << command;
    std::istringstream lines(finished.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
  for (const std::string wrong : {"help paint", "help models paint", "help read paint"}) {
    const Finished finished = RunCommand(wrong);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_NE(finished.output.find("has no command 'paint'"), std::string::npos) << finished.output;
  }
}

TEST(CommandTest, HelpEndsWellAndWrongUsageIsTwo) {
  EXPECT_EQ(RunCommand("--help").exit_code, 0);
  EXPECT_EQ(RunCommand("read --help").exit_code, 0);
  for (const char* wrong :
       {"", "read", "paint x.png", "read --no-such-option x.png", "read --json --tsv x.png",
        "read --resume --jsonl --json --out x x.png", "read --threads 0 x.png", "read --max-pixels 0 x.png",
        "read --words x.png", "read --chars --tsv x.png", "models", "models fetch"}) {
    const Finished finished = RunCommand(wrong);
    EXPECT_EQ(finished.exit_code, 2) << wrong;
    EXPECT_EQ(finished.output.rfind("inkread: ", 0), 0u) << wrong << '\n' << finished.output;
  }
}

TEST(CommandTest, AScoreIsANumberFromZeroToOne) {
  for (const std::string wrong : {"nan", "NaN", "-nan", "inf", "-inf", "1e999", "-0.1", "1.0001", "x", "0.5x", ""}) {
    const Finished finished = RunCommand("read --score-thresh='" + wrong + "' x.png");
    EXPECT_EQ(finished.exit_code, 2) << wrong;
    EXPECT_NE(finished.output.find("--score-thresh"), std::string::npos) << finished.output;
  }
  for (const std::string right : {"0", "1", "0.25", "1e-3"}) {
    EXPECT_EQ(RunCommand("read --models /dev/null --score-thresh " + right + " x.png").exit_code, 3) << right;
  }
}

TEST(CommandTest, ABoxIsFourNumbersOfPixels) {
  for (const std::string option : {"--box", "--region"}) {
    for (const std::string wrong : {"1,2,3", "1,2,3,4,5", "1,2,0,4", "1,2,3,0", "-1,2,3,4", "1, 2,3,4", "1,2,3,4x",
                                    "9999999999,2,3,4", "1,2,3,2000000000"}) {
      const Finished finished = RunCommand("read " + option + "='" + wrong + "' x.png");
      EXPECT_EQ(finished.exit_code, 2) << wrong;
      EXPECT_NE(finished.output.find(option + ": '" + wrong + "' is not"), std::string::npos) << finished.output;
    }
    EXPECT_EQ(RunCommand("read --models /dev/null " + option + " 0,0,10,20 x.png").exit_code, 3);
  }
  for (const char* wrong : {"--line --detect-only", "--box 1,1,1,1 --line", "--box 1,1,1,1 --detect-only",
                            "--time-limit 0", "--time-limit x"})
    EXPECT_EQ(RunCommand(std::string("read x.png ") + wrong).exit_code, 2) << wrong;
}

TEST(CommandTest, AValueThatIsNoneOfTheNamesIsAnsweredWithThem) {
  const std::pair<const char*, const char*> cases[] = {
      {"read --size huge x.png", "inkread: --size: 'huge' is none of tiny, small, medium\n"},
      {"models fetch tiny --origin foo", "inkread: --origin: 'foo' is none of auto, pypi, official\n"},
      {"models verify huge", "inkread: SIZE: 'huge' is none of tiny, small, medium\n"},
  };
  for (const auto& [arguments, says] : cases) {
    const Finished finished = RunCommand(arguments);
    EXPECT_EQ(finished.exit_code, 2) << arguments;
    EXPECT_EQ(finished.output.rfind(says, 0), 0u) << finished.output;
  }
}

TEST(CommandTest, TheHelpAndTheAnswerToAnotherNameListEveryBackend) {
  std::string names;
  std::string values;
  for (const OcrBackend backend : Backends()) {
    names += (names.empty() ? "" : ", ") + std::string(BackendName(backend));
    values += (values.empty() ? "--backend " : "|") + std::string(BackendName(backend));
  }
  EXPECT_EQ(names.rfind("auto, cpu, ", 0), 0u) << names;
  EXPECT_NE(RunCommand("read --help").output.find(values), std::string::npos);
  const Finished finished = RunCommand("read --backend abacus x.png");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.output.rfind("inkread: --backend: 'abacus' is none of " + names, 0), 0u) << finished.output;
}

TEST(CommandTest, SeveralDevicesComeWithCommasOrOneByOneAndWhatFollowsIsAnImage) {
  for (const std::string command : {"read", "bench --input " INKREAD_SOURCE_DIR "/samples"}) {
    for (const std::string devices : {"--device all,0", "--device 0 --device all", "--device=1,all"}) {
      const Finished finished = RunCommand(command + " " + devices + (command == "read" ? " x.png" : ""));
      EXPECT_EQ(finished.exit_code, 3) << finished.output;
      EXPECT_NE(finished.output.find("'all' is named together with others"), std::string::npos) << finished.output;
    }
  }
  const Finished finished = RunCommand("read --models /dev/null --backend cpu --device 0,1 x.png");
  EXPECT_EQ(finished.exit_code, 3) << finished.output;
  EXPECT_NE(finished.output.find("det.onnx"), std::string::npos) << finished.output;
}

TEST(CommandTest, SuggestsTheCommandThatIsMeant) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "expected a command after `inkread` (read, bench, models, devices, "},
      {"a.png", "got 'a.png'; did you mean `inkread read a.png`?"},
      {"reed a.png", "got 'reed'; did you mean `inkread read a.png`?"},
      {"--json 'my scan.png'", "got 'my scan.png'; did you mean `inkread read --json 'my scan.png'`?"},
      {"hlep", "got 'hlep'; did you mean `inkread help`?"},
      {"bnech --input x", "did you mean `inkread bench --input x`?"},
      {"models", "expected a command after `inkread models` (list, path, verify, check, fetch)\n"},
      {"read", "`inkread read` needs inputs\n"},
      {"models fetch", "`inkread models fetch` needs SIZE\n"},
      {"read --jsno x.png", "`inkread read` has no option --jsno; did you mean --json?\n"},
      {"read --sise=tiny x.png", "`inkread read` has no option --sise; did you mean --size?\n"},
      {"models list --nothing-like-it", "`inkread models list` has no option --nothing-like-it\n"},
      {"devices extra", "`inkread devices` takes no argument 'extra'\n"},
      {"models ftech tiny", "did you mean `inkread models fetch tiny`?"},
      {"models throw", "(list, path, verify, check, fetch), got 'throw'\n"},
  };
  for (const auto& [arguments, says] : cases) {
    const Finished finished = RunCommand(arguments);
    EXPECT_EQ(finished.exit_code, 2) << arguments;
    EXPECT_EQ(finished.output.rfind("inkread: ", 0), 0u) << finished.output;
    EXPECT_NE(finished.output.find(says), std::string::npos) << arguments << '\n' << finished.output;
  }
}

TEST(CommandTest, AnOutputThatWouldDestroyAnInputIsRefusedBeforeModelsAreLoaded) {
  const TemporaryFolder folder;
  const std::string image = folder.Put("a.png", Png(8));
  const std::string truth = folder.Put("truth.json", "{}");
  const std::string bench = "bench --models /dev/null --input '" + (folder / "") + "' --truth '" + truth + "' --out ";
  for (const std::string& arguments : {"read --models /dev/null '" + image + "' --out '" + image + "'",
                                       "read --models /dev/null '" + image + "' --overlay '" + image + "'",
                                       bench + "'" + image + "'", bench + "'" + truth + "'"}) {
    const Finished finished = RunCommand(arguments);
    EXPECT_EQ(finished.exit_code, 2) << arguments << '\n' << finished.output;
    EXPECT_EQ(std::filesystem::file_size(image), Png(8).size());
    EXPECT_EQ(std::filesystem::file_size(truth), 2u);
  }
}

TEST(CommandTest, AMissingModelIsThreeAndNamed) {
  const TemporaryFolder folder;
  const std::string image = folder.Put("a.png", Png(8));
  const Finished finished = RunCommand("read --size tiny --models '" + (folder / "") + "' '" + image + "'");
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_NE(finished.output.find("det.onnx"), std::string::npos) << finished.output;
}

}  // namespace
}  // namespace inkread::test
