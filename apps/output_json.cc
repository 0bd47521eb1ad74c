// JSON and JSON lines.
#include "apps/output.h"
#include "apps/profile.h"
#include "apps/reading_json.h"

namespace inkread {
namespace {

Json LineJson(const Line& line, const RunInfo& info) {
  Json json = {{"text", line.text},
               {"score", ScoreJson(line.score)},
               {"det_score", ScoreJson(line.det_score)},
               {"quad", QuadJson(line.quad)}};
  if (info.read.words) json["words"] = WordsJson(line.words);
  if (info.read.chars) json["chars"] = WordsJson(line.chars);
  return json;
}

Json EntryJson(const Entry& entry, const RunInfo& info) {
  if (!entry.error.ok()) {
    Json json = {{"file", FileNameText(entry.file)}};
    if (entry.pages > 1) {
      json["page"] = entry.page;
      json["pages"] = entry.pages;
    }
    json["error"] = {{"code", StatusCodeName(entry.error.code())}, {"message", entry.error.message()}};
    return json;
  }
  const Reading& reading = entry.reading;
  Json lines = Json::array();
  for (const Line& line : reading.lines) lines.push_back(LineJson(line, info));
  Json ms = {{"total", MillisecondsJson(reading.ms.total)}, {"load", MillisecondsJson(entry.load_ms)}};
  ms.update(StagesJson(reading.ms));
  return {{"file", FileNameText(entry.file)},
          {"page", entry.page},
          {"pages", entry.pages},
          {"width", reading.width_px},
          {"height", reading.height_px},
          {"turned", DegreesJson(reading.turned_deg)},
          {"backend", BackendName(reading.backend)},
          {"warnings", entry.warnings},
          {"dropped", reading.dropped},
          {"lines", std::move(lines)},
          {"ms", std::move(ms)}};
}

class JsonOutput : public Output {
 public:
  JsonOutput(const RunInfo& info, std::ostream* out) : info_(info), out_(*out) {
    const Json engine = {{"version", info.version},
                         {"size", ModelSizeName(info.size)},
                         {"profile", ProfileName(ProfileOf(info.read))},
                         {"precision", PrecisionName(info.precision)},
                         {"official", info.read.official},
                         {"order", LineOrderName(info.read.official ? LineOrder::kOfficial : info.read.order)}};
    out_ << "{\"schema\": 1, \"engine\": " << Dump(engine) << ", \"images\": [";
  }
  void Write(const Entry& entry) override {
    out_ << (first_ ? "\n" : ",\n") << Dump(EntryJson(entry, info_));
    first_ = false;
  }
  void End() override { out_ << "\n]}\n"; }
  bool carries_warnings() const override { return true; }

 private:
  const RunInfo info_;
  std::ostream& out_;
  bool first_ = true;
};

class JsonLinesOutput : public Output {
 public:
  JsonLinesOutput(const RunInfo& info, std::ostream* out) : info_(info), out_(*out) {}
  void Write(const Entry& entry) override { out_ << Dump(EntryJson(entry, info_)) << '\n' << std::flush; }
  bool carries_warnings() const override { return true; }

 private:
  const RunInfo info_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Output> MakeJsonOutput(const RunInfo& info, std::ostream* out) {
  return std::make_unique<JsonOutput>(info, out);
}
std::unique_ptr<Output> MakeJsonLinesOutput(const RunInfo& info, std::ostream* out) {
  return std::make_unique<JsonLinesOutput>(info, out);
}

}  // namespace inkread
