// JSON and JSON lines.
#include "formats/reading_json.h"
#include "inkread/formats.h"

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

Json PageJson(const Page& page, const RunInfo& info) {
  if (!page.error.ok()) {
    Json json = {{"file", FileNameText(page.file)}};
    if (page.pages > 1) {
      json["page"] = page.page;
      json["pages"] = page.pages;
    }
    json["error"] = {{"code", StatusCodeName(page.error.code())}, {"message", page.error.message()}};
    return json;
  }
  const Reading& reading = page.reading;
  Json lines = Json::array();
  for (const Line& line : reading.lines) lines.push_back(LineJson(line, info));
  Json json = {{"file", FileNameText(page.file)},
               {"page", page.page},
               {"pages", page.pages},
               {"width", reading.width_px},
               {"height", reading.height_px},
               {"turned", DegreesJson(reading.turned_deg)},
               {"backend", BackendName(reading.backend)},
               {"warnings", page.warnings},
               {"dropped", reading.dropped},
               {"lines", std::move(lines)}};
  if (!info.times) return json;
  Json ms = {{"total", MillisecondsJson(reading.ms.total)}, {"load", MillisecondsJson(page.load_ms)}};
  ms.update(StagesJson(reading.ms));
  json["ms"] = std::move(ms);
  return json;
}

class JsonWriter : public PageWriter {
 public:
  JsonWriter(const RunInfo& info, std::ostream* out) : info_(info), out_(*out) {
    const Json engine = {{"version", info.version},
                         {"size", ModelSizeName(info.size)},
                         {"profile", ProfileName(ProfileOf(info.read))},
                         {"precision", PrecisionName(info.precision)},
                         {"official", info.read.official},
                         {"order", LineOrderName(info.read.official ? LineOrder::kOfficial : info.read.order)}};
    out_ << "{\"schema\": 1, \"engine\": " << Dump(engine) << ", \"images\": [";
  }
  void Write(const Page& page) override {
    out_ << (first_ ? "\n" : ",\n") << Dump(PageJson(page, info_));
    first_ = false;
  }
  void End() override { out_ << "\n]}\n"; }
  bool carries_warnings() const override { return true; }

 private:
  const RunInfo info_;
  std::ostream& out_;
  bool first_ = true;
};

class JsonLinesWriter : public PageWriter {
 public:
  JsonLinesWriter(const RunInfo& info, std::ostream* out) : info_(info), out_(*out) {}
  void Write(const Page& page) override { out_ << Dump(PageJson(page, info_)) << '\n' << std::flush; }
  bool carries_warnings() const override { return true; }

 private:
  const RunInfo info_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<PageWriter> MakeJsonWriter(const RunInfo& info, std::ostream* out) {
  return std::make_unique<JsonWriter>(info, out);
}
std::unique_ptr<PageWriter> MakeJsonLinesWriter(const RunInfo& info, std::ostream* out) {
  return std::make_unique<JsonLinesWriter>(info, out);
}

}  // namespace inkread
