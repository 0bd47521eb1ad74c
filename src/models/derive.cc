#include "models/derive.h"

#include <yaml-cpp/yaml.h>

#include <utility>

namespace inkread::models {
namespace {

// Calls `read` with the parsed text and turns exceptions of yaml-cpp into a Status.
template <typename Read>
Result<std::string> WithYaml(const char* what, const std::string& text, const Read& read) {
  try {
    return read(YAML::Load(text));
  } catch (const YAML::Exception& e) {
    return CorruptModel(what, ": ", e.what());
  }
}

// The node PostProcess.KEY, undefined if missing.
YAML::Node PostProcess(const YAML::Node& root, const char* key) {
  if (!root.IsMap() || !root["PostProcess"].IsDefined() || !root["PostProcess"].IsMap()) {
    return YAML::Node(YAML::NodeType::Undefined);
  }
  return root["PostProcess"][key];
}

}  // namespace

Result<std::string> DeriveDictionary(const std::string& rec_yml) {
  return WithYaml("rec.yml", rec_yml, [](const YAML::Node& root) -> Result<std::string> {
    const YAML::Node list = PostProcess(root, "character_dict");
    if (!list.IsDefined() || !list.IsSequence()) {
      return CorruptModel("rec.yml: expected a list PostProcess.character_dict, found none");
    }
    std::string text;
    for (const YAML::Node& entry : list) {
      const std::string& character = entry.Scalar();
      if (character.empty() || character.find_first_of("\r\n") != std::string::npos) {
        return CorruptModel("rec.yml: line ", entry.Mark().line + 1, ": expected a character, found '", character, "'");
      }
      text += character + '\n';
    }
    return text;
  });
}

Result<std::string> DeriveSettings(const SizeEntry& size, const std::string& det_yml, const Form& dictionary) {
  return WithYaml("det.yml", det_yml, [&](const YAML::Node& root) -> Result<std::string> {
    std::string text = "size " + size.size + "\n";
    for (const auto& [key, yml_key] : {std::pair("det_thresh", "thresh"),
                                       {"det_box_thresh", "box_thresh"},
                                       {"det_unclip_ratio", "unclip_ratio"},
                                       {"det_max_candidates", "max_candidates"}}) {
      const YAML::Node value = PostProcess(root, yml_key);
      if (!value.IsDefined()) return CorruptModel("det.yml: expected a number PostProcess.", yml_key, ", found none");
      (void)value.as<double>();  // throws if it is not a number
      text += std::string(key) + " " + value.Scalar() + "\n";
    }
    text += "cls_kind " + size.cls_kind + "\n";
    const auto add = [&](const std::string& name, const Form& form) {
      text += StrCat("sha256 ", name, " ", form.sha256, " ", form.bytes, "\n");
    };
    for (const SourceFile& file : size.sources) {
      if (file.IsKept()) add(file.name, file.form);
    }
    add("dictionary.txt", dictionary);
    return text;
  });
}

}  // namespace inkread::models
