#include "apps/bench/result.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "apps/order_score.h"
#include "apps/text_score.h"
#include "apps/word_score.h"
#include "inkread/formats.h"

namespace inkread {
namespace {

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value.has_value() ? Json(*value) : Json();
}

Quad WithFractions(const std::array<Point, 4>& quad) {
  Quad corners;
  for (size_t i = 0; i < 4; ++i) corners[i] = {static_cast<double>(quad[i].x), static_cast<double>(quad[i].y)};
  return corners;
}

// The part of "0.1.0 (commit 1a2b3c4, cpu avx3_dl)" between `before` and `after`.
std::string PartOf(const std::string& text, const std::string& before, const std::string& after) {
  const size_t start = text.find(before);
  if (start == std::string::npos) return "";
  const size_t first = start + before.size();
  return text.substr(first, text.find(after, first) - first);
}

// The GPUs that read images, in the engine's order: "vulkan NVIDIA H200, vulkan NVIDIA H200". Empty where none did.
std::string GpusOf(const EngineInfo& engine) {
  std::string gpus;
  for (const DeviceUse& device : engine.devices) {
    if (device.backend == OcrBackend::kCpu || device.num_reads == 0) continue;
    gpus += (gpus.empty() ? "" : ", ") + device.name;
  }
  return gpus;
}

Json MachineJson(const BenchSetup& setup) {
  const std::string version = VersionString();
  const std::string gpus = GpusOf(setup.engine);
  return {{"cpu", setup.machine.cpu},
          {"instruction_set", PartOf(version, ", cpu ", ")")},
          {"gpu", gpus.empty() ? Json() : Json(gpus)},
          {"driver", nullptr},
          {"cores", setup.machine.num_cores},
          {"memory_bytes", setup.machine.memory_bytes},
          {"compiler", setup.machine.compiler},
          {"commit", PartOf(version, "(commit ", ",")}};
}

Json EngineJson(const BenchSetup& setup) {
  const std::string version = VersionString();
  std::string settings = setup.read.official ? "official, " : "";
  if (!setup.read.official && setup.read.order == LineOrder::kOfficial) settings += "official order, ";
  settings += setup.engine.has_classifier ? "classifier, " : "";
  settings += setup.read.words ? "words, " : "";
  settings += std::to_string(setup.run.num_warmups) + " warming rounds, median of " +
              std::to_string(setup.run.num_rounds) + " rounds";
  return {{"name", "inkread"},
          {"version", version.substr(0, version.find(' '))},
          {"size", ModelSizeName(setup.engine.size)},
          {"profile", ProfileName(ProfileOf(setup.read))},
          {"precision", PrecisionName(setup.engine.precision)},
          {"backend", BackendName(setup.engine.backend)},
          {"threads", setup.engine.num_threads},
          {"workers", setup.run.num_workers},
          {"settings", settings}};
}

Json ImageJson(const BenchImage& image, const TimedImage& timed, bool words) {
  Json lines = Json::array();
  for (const Line& line : timed.reading.lines) {
    lines.push_back({{"text", line.text}, {"score", ScoreJson(line.score)}, {"quad", QuadJson(line.quad)}});
    if (words) lines.back()["words"] = WordsJson(line.words);
  }
  Json rounds = Json::array();
  for (const double ms : timed.rounds_ms) rounds.push_back(MillisecondsJson(ms));
  return {{"file", FileNameText(image.file)}, {"width", image.image.width_px},
          {"height", image.image.height_px},  {"ms", MillisecondsJson(Median(timed.rounds_ms))},
          {"rounds_ms", std::move(rounds)},   {"stages", StagesJson(timed.reading.ms)},
          {"lines", std::move(lines)}};
}

// Adds the fields of the score in one form; `ending` tells the forms apart.
void AddScore(const std::optional<TextScore>& score, const std::string& ending, Json* summary) {
  (*summary)["exact_lines" + ending] = score.has_value() ? Json(score->exact_lines) : Json();
  (*summary)["exact_images" + ending] = score.has_value() ? Json(score->exact_images) : Json();
  (*summary)["cer" + ending] = score.has_value() ? OrNull(score->Cer()) : Json();
}

// Adds how well words are placed, where they were asked for.
void AddWordScore(const BenchTimes& times, const std::optional<std::vector<ImageLines>>& truth, Json* summary) {
  WordScore score;
  for (size_t i = 0; truth.has_value() && i < times.images.size(); ++i) {
    AddWords((*truth)[i].lines, PlacedLines(times.images[i].reading.lines), &score);
  }
  (*summary)["words"] = truth.has_value() ? Json(score.words) : Json();
  (*summary)["word_iou"] = OrNull(score.Iou());
  (*summary)["word_centres"] = OrNull(score.Centres());
}

// Adds the share of neighbouring lines in order, over all images and over those of each kind.
void AddOrderScore(const BenchTimes& times, const std::optional<std::vector<ImageLines>>& truth, Json* summary) {
  OrderScore all;
  std::map<std::string, OrderScore> by_kind;
  for (size_t i = 0; truth.has_value() && i < times.images.size(); ++i) {
    const ImageLines& wanted = (*truth)[i];
    const std::vector<PlacedLine> found = PlacedLines(times.images[i].reading.lines);
    AddOrder(wanted.lines, found, &all);
    if (!wanted.kind.empty()) AddOrder(wanted.lines, found, &by_kind[wanted.kind]);
  }
  (*summary)["pairs_in_order"] = OrNull(all.Share());
  for (const auto& [kind, score] : by_kind) (*summary)["pairs_in_order_by_kind"][kind] = OrNull(score.Share());
}

Json SummaryJson(const BenchSetup& setup, const std::vector<BenchImage>& images, const BenchTimes& times,
                 const std::optional<std::vector<ImageLines>>& truth) {
  std::vector<double> ms;
  int64_t num_lines = 0;
  int64_t num_turned = 0;
  size_t decoded_bytes = 0;  // held the whole time, so part of the peak
  for (const BenchImage& image : images) decoded_bytes += image.image.pixels.size();
  std::optional<TextScore> raw;
  std::optional<TextScore> nfkc;
  if (truth.has_value()) raw = nfkc = TextScore();
  for (size_t i = 0; i < times.images.size(); ++i) {
    const TimedImage& image = times.images[i];
    ms.push_back(Median(image.rounds_ms));
    num_lines += static_cast<int64_t>(image.reading.lines.size());
    for (const Line& line : image.reading.lines) num_turned += line.rotated_180 ? 1 : 0;
    if (!truth.has_value()) continue;
    const std::vector<PlacedLine> found = PlacedLines(image.reading.lines);
    AddImage((*truth)[i].lines, found, TextForm::kRaw, &*raw);
    AddImage((*truth)[i].lines, found, TextForm::kNfkcWithoutSpaces, &*nfkc);
  }
  const double wall_ms = Median(times.rounds_ms);
  const double num_reads = static_cast<double>(ms.size() * times.rounds_ms.size());
  Json summary = {{"images", ms.size()},
                  {"mean_ms", MillisecondsJson(Mean(ms))},
                  {"median_ms", MillisecondsJson(Median(ms))},
                  {"p95_ms", MillisecondsJson(Percentile(ms, 0.95))},
                  {"images_per_s", wall_ms > 0 ? static_cast<double>(ms.size()) / wall_ms * 1e3 : 0.0},
                  {"cpu_ms_per_image", MillisecondsJson(times.used.cpu_s * 1e3 / num_reads)},
                  {"switches_per_image", static_cast<double>(times.used.num_switches) / num_reads},
                  {"page_faults_per_image", static_cast<double>(times.used.num_page_faults) / num_reads},
                  {"rss_after_load_bytes", OrNull(setup.resident_after_load_bytes)},
                  {"rss_peak_bytes", OrNull(setup.resident_peak_bytes)},
                  {"decoded_bytes", decoded_bytes},
                  {"lines", num_lines},
                  {"truth_lines", raw.has_value() ? Json(raw->lines) : Json()}};
  AddScore(raw, "", &summary);
  AddScore(nfkc, "_nfkc", &summary);
  if (setup.read.words) AddWordScore(times, truth, &summary);
  AddOrderScore(times, truth, &summary);
  if (setup.engine.devices.size() > 1) {
    std::string reads;
    for (const DeviceUse& device : setup.engine.devices)
      reads += (reads.empty() ? "" : ", ") + std::string(BackendName(device.backend)) + " " +
               std::to_string(device.num_reads);
    summary["reads_by_device"] = reads;
  }
  summary["lines_turned"] = setup.engine.has_classifier ? Json(num_turned) : Json();
  return summary;
}

}  // namespace

std::string FileNameOf(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::vector<PlacedLine> PlacedLines(const std::vector<Line>& lines) {
  std::vector<PlacedLine> placed;
  for (const Line& line : lines) {
    PlacedLine& added = placed.emplace_back();
    added.text = line.text;
    added.quad = WithFractions(line.quad);
    for (const Word& word : line.words) added.words.push_back(WithFractions(word.quad));
  }
  return placed;
}

Json BenchDocument(const BenchSetup& setup, const std::vector<BenchImage>& images, const BenchTimes& times,
                   const std::optional<std::vector<ImageLines>>& truth) {
  Json entries = Json::array();
  for (size_t i = 0; i < images.size(); ++i) entries.push_back(ImageJson(images[i], times.images[i], setup.read.words));
  return {{"schema", 2},
          {"machine", MachineJson(setup)},
          {"engine", EngineJson(setup)},
          {"summary", SummaryJson(setup, images, times, truth)},
          {"images", std::move(entries)}};
}

std::string BenchDocumentText(const Json& document) {
  std::string text = "{";
  for (const auto& [key, value] : document.items()) {
    if (text.size() > 1) text += ",\n";
    text += Dump(key) + ": ";
    if (!value.is_array()) {
      text += Dump(value);
      continue;
    }
    std::string separator = "[\n";
    for (const Json& element : value) {
      text += separator + Dump(element);
      separator = ",\n";
    }
    text += "]";
  }
  return text + "}\n";
}

}  // namespace inkread
