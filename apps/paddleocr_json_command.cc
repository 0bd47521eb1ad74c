#include "apps/paddleocr_json_command.h"

#include <charconv>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include "apps/exit_codes.h"
#include "apps/interrupt.h"
#include "inkread/server.h"

namespace inkread {
namespace {

using Values = std::map<std::string, std::string>;

Values ParseArguments(const std::vector<std::string>& arguments) {
  Values values;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const size_t start = arguments[i].find_first_not_of('-');
    if (start == std::string::npos) continue;
    const std::string text = arguments[i].substr(start);
    const size_t equals = text.find('=');
    if (equals != std::string::npos) {
      std::string value = text.substr(equals + 1);
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
      values[text.substr(0, equals)] = value;
    } else if (i + 1 < arguments.size() && start > 0 && arguments[i + 1].find('=') == std::string::npos) {
      values[text] = arguments[++i];
    }
  }
  return values;
}

std::string ValueOf(const Values& values, const std::string& name, const std::string& otherwise) {
  const auto found = values.find(name);
  return found == values.end() ? otherwise : found->second;
}

template <typename Enum>
bool FromName(const std::string& name, std::initializer_list<Enum> all, const char* (*name_of)(Enum), Enum* value) {
  for (const Enum one : all) {
    if (name != name_of(one)) continue;
    *value = one;
    return true;
  }
  return false;
}

bool ParseInt(const std::string& text, int min, int max, int* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size() && *value >= min && *value <= max;
}

std::string AddressOf(const std::string& name) {
  if (name == "loopback" || name == "localhost") return "127.0.0.1";
  return name == "any" ? "0.0.0.0" : name;
}

}  // namespace

int RunPaddleOcrJson(const std::vector<std::string>& arguments) {
  const Values values = ParseArguments(arguments);
  EngineOptions options;
  if (!FromName(ValueOf(values, "size", "small"), {ModelSize::kTiny, ModelSize::kSmall, ModelSize::kMedium},
                ModelSizeName, &options.size))
    return Fail(kExitUsage, "-size is tiny, small or medium");
  for (const OcrBackend backend : Backends()) {
    if (ValueOf(values, "backend", "auto") == BackendName(backend)) options.backend = backend;
  }
  options.model_folder = ValueOf(values, "models", "");
  if (!ParseInt(ValueOf(values, "threads", "0"), 0, 1024, &options.num_threads))
    return Fail(kExitUsage, "-threads is a number up to 1024");
  int port = -1;
  if (!ParseInt(ValueOf(values, "port", "-1"), -1, 65535, &port))
    return Fail(kExitUsage, "-port is a number up to 65535");
  PaddleOcrJsonOptions json;
  const std::string ascii = ValueOf(values, "ensure_ascii", "true");
  json.ascii = ascii != "0" && ascii != "false";

  const Result<std::unique_ptr<Engine>> engine = Engine::Create(options);
  if (!engine.ok()) return Fail(kExitEngine, engine.status().message());
  if (const std::string path = ValueOf(values, "image_path", ""); !path.empty()) {
    std::cout << "OCR single image mode. Path: " << path << "\nOCR init completed.\n"
              << PaddleOcrJsonFile(**engine, path, json) << std::endl;
    return kExitGood;
  }
  if (port < 0) {
    std::cout << "OCR anonymous pipe mode.\nOCR init completed." << std::endl;
    ServePaddleOcrJson(**engine, json, &std::cin, &std::cout);
    return kExitGood;
  }
  const std::string name = ValueOf(values, "addr", "loopback");
  CatchInterrupts();
  const auto server = PaddleOcrJsonServer::Start(**engine, AddressOf(name), port, json);
  if (!server.ok()) return Fail(kExitUsage, server.status().message());
  std::cout << "OCR socket mode. Addr: " << name << ", Port: " << port
            << "\nOCR init completed.\nSocket init completed. " << AddressOf(name) << ":" << (*server)->port()
            << std::endl;
  while (InterruptSignal() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  (*server)->Stop();
  return kExitGood;
}

}  // namespace inkread
