// `inkread bench` as a process, on the samples. What reads images needs the tiny models (`inkread models fetch tiny`)
// and skips, saying so, where they are missing.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/run_command.h"
#include "apps/test_files.h"

namespace inkread::test {
namespace {

using Json = nlohmann::ordered_json;

const char kSamples[] = INKREAD_SOURCE_DIR "/samples";

Json Load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return Json::parse(text.str());
}

bool HasTinyModels() {
  const Finished verified = RunCommand("models verify tiny");
  return verified.exit_code == 0;
}

TEST(BenchCommandTest, WrongUsageIsTwo) {
  const TemporaryFolder folder;
  const std::string no_result = folder.Put("a.json", "{\"schema\": 2}");
  for (const std::string& wrong :
       {std::string("bench"), std::string("bench --compare a.json"), std::string("bench --max-edits 3 --input x"),
        std::string("bench --rounds 0 --input x"), std::string("bench --truth x"),
        "bench --compare '" + no_result + "' '" + no_result + "'"}) {
    const Finished finished = RunCommand(wrong);
    EXPECT_EQ(finished.exit_code, 2) << wrong << '\n' << finished.output;
  }
}

TEST(BenchCommandTest, NothingToReadIsOne) {
  const TemporaryFolder folder;
  for (const char* input : {"missing", "", "*.png"}) {
    const Finished finished = RunCommand("bench --input '" + (folder / input) + "'");
    EXPECT_EQ(finished.exit_code, 1) << input << '\n' << finished.output;
  }
}

TEST(BenchCommandTest, AMissingModelIsThree) {
  const TemporaryFolder folder;
  const Finished finished =
      RunCommand("bench --input '" + std::string(kSamples) + "' --size tiny --models '" + (folder / "") + "'");
  EXPECT_EQ(finished.exit_code, 3) << finished.output;
}

// Measures the samples with tiny, their own texts being the truth, and compares the result with changed copies of it.
TEST(BenchCommandTest, MeasuresScoresAndFindsPlantedErrors) {
  if (!HasTinyModels()) GTEST_SKIP() << "no tiny models";
  const TemporaryFolder folder;
  const std::string bench = "bench --size tiny --official --words --warmup 0 --input '" + std::string(kSamples) + "' ";
  const std::string first = folder / "first.json";
  ASSERT_EQ(RunCommand(bench + "--out '" + first + "'").exit_code, 0);

  // The result itself is a truth of which everything is right, whatever the workers.
  const std::string second = folder / "second.json";
  const Finished again =
      RunCommand(bench + "--workers 2 --stream --truth '" + first + "' --cls --rounds 1 --out '" + second + "'");
  ASSERT_EQ(again.exit_code, 0) << again.output;
  const Json result = Load(second);
  const Json& summary = result["summary"];
  ASSERT_GT(summary["lines"], 0);
  EXPECT_EQ(summary["exact_lines"], summary["truth_lines"]);
  EXPECT_EQ(summary["exact_images"], summary["images"]);
  EXPECT_EQ(summary["cer"], 0.0);
  EXPECT_GT(summary["words"], 10);
  EXPECT_GT(summary["word_iou"], 0.999);
  EXPECT_GT(summary["word_centres"], 0.999);
  EXPECT_EQ(summary["lines_turned"], 0);
  EXPECT_GT(summary["rss_peak_bytes"], summary["rss_after_load_bytes"]);
  EXPECT_EQ(result["engine"]["workers"], 2);
  EXPECT_EQ(summary["decoded_bytes"], 0);
  EXPECT_GT(Load(first)["summary"]["decoded_bytes"], 0);
  const auto compare = [&](const std::string& other) {
    return RunCommand("bench --compare '" + first + "' '" + other + "'");
  };
  EXPECT_EQ(compare(second).exit_code, 0);

  Json changed = Load(first);
  Json* image = &changed["images"][1];
  std::string text = (*image)["lines"][0]["text"];
  (*image)["lines"][0]["text"] = text + "x";
  const Finished one_character = compare(folder.Put("changed.json", changed.dump()));
  EXPECT_EQ(one_character.exit_code, 1);
  EXPECT_NE(one_character.output.find((*image)["file"].get<std::string>() + " (1 character edited)"), std::string::npos)
      << one_character.output;

  Json dropped = Load(first);
  image = &dropped["images"][2];
  (*image)["lines"].erase(0);
  const Finished one_box = compare(folder.Put("dropped.json", dropped.dump()));
  EXPECT_EQ(one_box.exit_code, 1);
  EXPECT_NE(one_box.output.find("worst image: " + (*image)["file"].get<std::string>()), std::string::npos)
      << one_box.output;
}

TEST(BenchCommandTest, FaultsOfTheFolderAreNamed) {
  if (!HasTinyModels()) GTEST_SKIP() << "no tiny models";
  const TemporaryFolder folder;
  folder.Put("a.png", Png(8));
  const std::string bench = "bench --size tiny --input '" + (folder / "") + "' ";
  EXPECT_EQ(RunCommand(bench).exit_code, 0);
  const std::string truth = folder.Put("truth.json", R"({"images": [{"file": "other.png", "lines": []}]})");
  const Finished unnamed = RunCommand(bench + "--truth '" + truth + "'");
  EXPECT_EQ(unnamed.exit_code, 2);
  EXPECT_NE(unnamed.output.find("does not name a.png"), std::string::npos) << unnamed.output;
  folder.Put("more/a.png", Png(8));
  EXPECT_EQ(RunCommand(bench).exit_code, 1);
  std::filesystem::rename(folder / "more/a.png", folder / "more/b.png");
  folder.Put("c.png", Png(8).substr(0, 30));
  const TemporaryFolder results;
  const std::string old = results.Put("old.json", "old");
  const Finished broken = RunCommand(bench + "--out '" + old + "'");
  EXPECT_EQ(std::filesystem::file_size(old), 3u);
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_NE(broken.output.find("c.png: "), std::string::npos) << broken.output;
}

}  // namespace
}  // namespace inkread::test
