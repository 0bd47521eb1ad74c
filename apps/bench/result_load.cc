// Reads result and truth files. They may come from other programs, so each field is checked before it is used.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>

#include "apps/bench/result.h"

namespace inkread {
namespace {

constexpr size_t kShown = 60;  // characters of a wrong value in a message

Status Wrong(const std::string& where, const std::string& expected, const Json* got) {
  std::string shown = got == nullptr ? "nothing" : got->dump(-1, ' ', true, Json::error_handler_t::replace);
  if (shown.size() > kShown) shown = shown.substr(0, kShown) + "...";
  return Status(StatusCode::kInvalidArgument, where + ": expected " + expected + ", got " + shown);
}

// A member of an object; null when there is none.
const Json* Member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

Status ReadQuad(const Json* json, const std::string& where, Quad* quad) {
  const Status wrong = Wrong(where, "four corners [x, y]", json);
  if (json == nullptr || !json->is_array() || json->size() != 4) return wrong;
  for (size_t i = 0; i < 4; ++i) {
    const Json& corner = (*json)[i];
    if (!corner.is_array() || corner.size() != 2 || !corner[0].is_number() || !corner[1].is_number()) return wrong;
    (*quad)[i] = {corner[0].get<double>(), corner[1].get<double>()};
  }
  return Status();
}

// The places of words. They may be missing.
Status ReadWords(const Json* json, const std::string& where, std::vector<Quad>* words) {
  if (json == nullptr) return Status();
  if (!json->is_array()) return Wrong(where, "an array", json);
  for (size_t i = 0; i < json->size(); ++i) {
    const std::string at = where + "[" + std::to_string(i) + "]";
    const Json& entry = (*json)[i];
    if (!entry.is_object()) return Wrong(at, "an object", &entry);
    if (Status status = ReadQuad(Member(entry, "quad"), at + ".quad", &words->emplace_back()); !status.ok()) {
      return status;
    }
  }
  return Status();
}

Status ReadLines(const Json* json, const std::string& where, std::vector<PlacedLine>* lines) {
  if (json == nullptr || !json->is_array()) return Wrong(where, "an array", json);
  for (size_t i = 0; i < json->size(); ++i) {
    const std::string at = where + "[" + std::to_string(i) + "]";
    const Json& entry = (*json)[i];
    if (!entry.is_object()) return Wrong(at, "an object", &entry);
    const Json* text = Member(entry, "text");
    if (text == nullptr || !text->is_string()) return Wrong(at + ".text", "a text", text);
    PlacedLine& line = lines->emplace_back();
    line.text = text->get<std::string>();
    if (Status status = ReadQuad(Member(entry, "quad"), at + ".quad", &line.quad); !status.ok()) return status;
    if (Status status = ReadWords(Member(entry, "words"), at + ".words", &line.words); !status.ok()) return status;
  }
  return Status();
}

Result<std::vector<ImageLines>> ReadImages(const Json& document, const std::string& path) {
  const Json* json = Member(document, "images");
  if (json == nullptr || !json->is_array()) return Wrong(path + ": images", "an array", json);
  std::vector<ImageLines> images;
  std::set<std::string> names;
  for (size_t i = 0; i < json->size(); ++i) {
    const std::string at = path + ": images[" + std::to_string(i) + "]";
    const Json& entry = (*json)[i];
    if (!entry.is_object()) return Wrong(at, "an object", &entry);
    const Json* file = Member(entry, "file");
    if (file == nullptr || !file->is_string()) return Wrong(at + ".file", "a text", file);
    ImageLines& image = images.emplace_back();
    image.file = file->get<std::string>();
    if (!names.insert(FileNameOf(image.file)).second) {
      return Wrong(at + ".file", "a name that no other image has", file);
    }
    if (const Json* kind = Member(entry, "kind"); kind != nullptr) {
      if (!kind->is_string()) return Wrong(at + ".kind", "a text", kind);
      image.kind = kind->get<std::string>();
    }
    if (Status status = ReadLines(Member(entry, "lines"), at + ".lines", &image.lines); !status.ok()) return status;
  }
  return images;
}

Result<Json> ReadDocument(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return Status(StatusCode::kNotFound, path + ": cannot be opened: " + std::strerror(errno));
  Json document = Json::parse(file.get(), nullptr, false);
  if (std::ferror(file.get()) != 0) return Status(StatusCode::kNotFound, path + ": cannot be read");
  if (document.is_discarded()) return Status(StatusCode::kInvalidArgument, path + ": this is not JSON");
  if (!document.is_object()) return Wrong(path, "an object", &document);
  return document;
}

}  // namespace

Result<BenchResult> LoadBenchResult(const std::string& path) {
  const Result<Json> document = ReadDocument(path);
  if (!document.ok()) return document.status();
  const Json* schema = Member(*document, "schema");
  if (schema == nullptr || *schema != 2) return Wrong(path + ": schema", "2", schema);
  BenchResult result;
  result.path = path;
  const std::pair<const char*, Json*> objects[] = {
      {"machine", &result.machine}, {"engine", &result.engine}, {"summary", &result.summary}};
  for (const auto& [name, object] : objects) {
    const Json* member = Member(*document, name);
    if (member == nullptr || !member->is_object()) return Wrong(path + ": " + name, "an object", member);
    *object = *member;
  }
  Result<std::vector<ImageLines>> images = ReadImages(*document, path);
  if (!images.ok()) return images.status();
  result.images = std::move(*images);
  return result;
}

Result<std::vector<ImageLines>> LoadTruth(const std::string& path) {
  const Result<Json> document = ReadDocument(path);
  if (!document.ok()) return document.status();
  return ReadImages(*document, path);
}

}  // namespace inkread
