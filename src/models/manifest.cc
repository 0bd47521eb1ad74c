#include "models/manifest.h"

#include <nlohmann/json.hpp>

namespace inkread::models {

extern const std::string_view kManifestJson;  // by inkread_embed()

namespace {

using Json = nlohmann::ordered_json;

Form ReadForm(const Json& json) { return {json.at("bytes").get<int64_t>(), json.at("sha256").get<std::string>()}; }

std::optional<Origin> ReadOrigin(const Json& file, const char* kind, const char* place, const Form& form) {
  const auto it = file.find(kind);
  if (it == file.end()) return std::nullopt;
  return Origin{it->at(place).get<std::string>(), it->contains("sha256") ? ReadForm(*it) : form};
}

SourceFile ReadSource(const Json& json) {
  SourceFile file;
  file.name = json.at("name").get<std::string>();
  file.form = ReadForm(json);
  file.pypi = ReadOrigin(json, "pypi", "member", file.form);
  file.official = ReadOrigin(json, "official", "url", file.form);
  return file;
}

Manifest ReadManifest(const Json& json) {
  Manifest manifest;
  manifest.licence = json.at("licence").get<std::string>();
  manifest.package = json.at("pypi").at("package").get<std::string>();
  manifest.version = json.at("pypi").at("version").get<std::string>();
  manifest.wheel_bytes = json.at("pypi").at("bytes").get<int64_t>();
  for (const auto& [size, entry] : json.at("sizes").items()) {
    SizeEntry out;
    out.size = size;
    out.cls_kind = entry.at("cls_kind").get<std::string>();
    for (const Json& file : entry.at("sources")) out.sources.push_back(ReadSource(file));
    for (const Json& file : entry.at("derived")) {
      out.derived.push_back({file.at("name").get<std::string>(), ReadForm(file)});
    }
    manifest.sizes.push_back(std::move(out));
  }
  return manifest;
}

}  // namespace

const SourceFile* SizeEntry::FindSource(std::string_view name) const {
  for (const SourceFile& file : sources) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

Result<const SizeEntry*> Manifest::Find(const std::string& size) const {
  std::string known;
  for (const SizeEntry& entry : sizes) {
    if (entry.size == size) return &entry;
    known += (known.empty() ? "" : ", ") + entry.size;
  }
  return InvalidArgument("no model of size '", size, "', expected one of ", known);
}

Result<Manifest> ParseManifest(std::string_view json) {
  try {
    return ReadManifest(Json::parse(json));
  } catch (const Json::exception& e) {
    return Internal("models/manifest.json: ", e.what());
  }
}

const Manifest& BuiltInManifest() {
  static const Manifest manifest = [] {
    Result<Manifest> parsed = ParseManifest(kManifestJson);
    INKREAD_CHECK(parsed.ok());
    return std::move(parsed).value();
  }();
  return manifest;
}

}  // namespace inkread::models
