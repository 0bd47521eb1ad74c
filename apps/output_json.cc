// JSON and JSON lines.
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/output.h"

namespace inkread {
namespace {

using Json = nlohmann::ordered_json;

// Scores and times are not more exact than this, and shorter numbers read better.
double Rounded(double value, double steps) { return std::round(value * steps) / steps; }
Json Score(float score) { return Rounded(score, 1e6); }
Json Milliseconds(double ms) { return Rounded(ms, 1e3); }

Json LineJson(const Line& line) {
  Json quad = Json::array();
  for (const Point& p : line.quad) quad.push_back({p.x, p.y});
  return {{"text", line.text},
          {"score", Score(line.score)},
          {"det_score", Score(line.det_score)},
          {"quad", std::move(quad)}};
}

Json EntryJson(const Entry& entry) {
  if (!entry.error.ok()) {
    Json json = {{"file", entry.file}};
    if (entry.pages > 1) {
      json["page"] = entry.page;
      json["pages"] = entry.pages;
    }
    json["error"] = {{"code", StatusCodeName(entry.error.code())}, {"message", entry.error.message()}};
    return json;
  }
  const Reading& reading = entry.reading;
  Json lines = Json::array();
  for (const Line& line : reading.lines) lines.push_back(LineJson(line));
  return {{"file", entry.file},
          {"page", entry.page},
          {"pages", entry.pages},
          {"width", reading.width_px},
          {"height", reading.height_px},
          {"backend", BackendName(reading.backend)},
          {"warnings", entry.warnings},
          {"dropped", reading.dropped},
          {"lines", std::move(lines)},
          {"ms",
           {{"total", Milliseconds(reading.ms.total)},
            {"load", Milliseconds(entry.load_ms)},
            {"detect_input", Milliseconds(reading.ms.detect_input)},
            {"detect", Milliseconds(reading.ms.detect)},
            {"boxes", Milliseconds(reading.ms.boxes)},
            {"crop", Milliseconds(reading.ms.crop)},
            {"recognise", Milliseconds(reading.ms.recognise)},
            {"decode", Milliseconds(reading.ms.decode)}}}};
}

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

class JsonOutput : public Output {
 public:
  JsonOutput(const RunInfo& info, std::ostream* out) : out_(*out) {
    const Json engine = {{"version", info.version},
                         {"size", ModelSizeName(info.size)},
                         {"profile", ProfileName(info.profile)},
                         {"precision", PrecisionName(info.precision)},
                         {"official", info.official}};
    out_ << "{\"schema\": 1, \"engine\": " << Dump(engine) << ", \"images\": [";
  }
  void Write(const Entry& entry) override {
    out_ << (first_ ? "\n" : ",\n") << Dump(EntryJson(entry));
    first_ = false;
  }
  void End() override { out_ << "\n]}\n"; }
  bool carries_warnings() const override { return true; }

 private:
  std::ostream& out_;
  bool first_ = true;
};

class JsonLinesOutput : public Output {
 public:
  explicit JsonLinesOutput(std::ostream* out) : out_(*out) {}
  void Write(const Entry& entry) override { out_ << Dump(EntryJson(entry)) << '\n' << std::flush; }
  bool carries_warnings() const override { return true; }

 private:
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Output> MakeJsonOutput(const RunInfo& info, std::ostream* out) {
  return std::make_unique<JsonOutput>(info, out);
}
std::unique_ptr<Output> MakeJsonLinesOutput(std::ostream* out) { return std::make_unique<JsonLinesOutput>(out); }

}  // namespace inkread
