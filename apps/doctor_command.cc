#include "apps/doctor_command.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "apps/clock.h"
#include "apps/doctor_image.h"
#include "apps/exit_codes.h"
#include "apps/machine.h"
#include "inkread/codec.h"
#include "inkread/models.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

constexpr int64_t kLittleMemory = 500'000'000;  // medium on a photo takes about as much

struct Arguments {
  std::string models;
  int port = 8000;
  bool all_devices = false;
};

// Prints what was found, each with the command that mends it, and counts the problems.
class Findings {
 public:
  void Good(const std::string& what) { Print("ok", what, ""); }
  void Note(const std::string& what) { Print("", what, ""); }
  // Images can be read nevertheless.
  void Warning(const std::string& what, const std::string& mend) { Print("warning", what, mend); }
  void Problem(const std::string& what, const std::string& mend) {
    Print("PROBLEM", what, mend);
    ++num_problems_;
  }
  int num_problems() const { return num_problems_; }

 private:
  static void Print(const std::string& kind, const std::string& what, const std::string& mend) {
    std::cout << kind << std::string(kind.size() < 9 ? 9 - kind.size() : 1, ' ') << what << '\n';
    if (!mend.empty()) std::cout << "         mend: " << mend << '\n';
    std::cout.flush();
  }
  int num_problems_ = 0;
};

std::string Megabytes(int64_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; }

void CheckMachine(Findings* findings) {
  const Machine machine = ThisMachine();
  findings->Good("inkread " + VersionString());
  findings->Good(machine.cpu + ", " + std::to_string(machine.num_cores) + " cores for this process");
  std::ifstream file("/proc/meminfo");
  std::ostringstream text;
  text << file.rdbuf();
  const int64_t free_bytes = std::atoll(FieldOf(text.str(), "MemAvailable").value_or("0").c_str()) * 1024;
  const std::string memory = "memory: " + Megabytes(machine.memory_bytes) + ", " + Megabytes(free_bytes) + " available";
  if (free_bytes > 0 && free_bytes < kLittleMemory) {
    findings->Warning(memory, "inkread read --workers 1 --size tiny takes the least");
  } else {
    findings->Good(memory);
  }
}

// Returns the smallest size that is complete; empty where none is.
std::string CheckModels(const Arguments& arguments, Findings* findings) {
  std::string smallest;
  for (const std::string& size : ModelSizes()) {
    const Result<ModelInfo> model = VerifyModel(size, arguments.models);
    if (!model.ok()) {
      findings->Problem("models: " + model.status().message(),
                        "set the environment variable INKREAD_MODELS to a folder");
      return "";
    }
    const std::string what = "models " + size + ": ";
    if (model->state == ModelState::kComplete) {
      findings->Good(what + "complete, every SHA-256 is right, in " + model->folder);
      if (smallest.empty()) smallest = size;
      continue;
    }
    const auto is_there = [](const ModelFile& file) { return file.state != ModelState::kMissing; };
    if (std::none_of(model->files.begin(), model->files.end(), is_there)) {
      findings->Note(what + "not installed; inkread models fetch " + size);
      continue;
    }
    std::string problems;
    for (const ModelFile& file : model->files) {
      if (!file.problem.empty()) problems += (problems.empty() ? "" : "; ") + file.problem;
    }
    findings->Problem(what + problems, "inkread models fetch " + size);
  }
  if (smallest.empty()) findings->Problem("models: no size is complete", "inkread models fetch small");
  return smallest;
}

// Reads the test image; what is wrong, or empty with the time.
std::string TestRead(const EngineOptions& options, double* ms) {
  const Result<DecodedImage> image = DecodeImage(kDoctorImage);
  if (!image.ok()) return image.status().message();
  const Result<std::unique_ptr<Engine>> engine = Engine::Create(options);
  if (!engine.ok()) return engine.status().message();
  if (const Result<Reading> warm = (*engine)->Read(image->view()); !warm.ok()) return warm.status().message();
  const auto start = Clock::now();
  const Result<Reading> reading = (*engine)->Read(image->view());
  *ms = MillisecondsSince(start);
  if (!reading.ok()) return reading.status().message();
  if (reading->backend != options.backend) return "another device read it: " + (*engine)->Info().fallback_reason;
  if (reading->lines.size() != 1 || reading->lines[0].text != kDoctorText)
    return "read \"" + (reading->lines.empty() ? "" : reading->lines[0].text) + "\" where \"" + kDoctorText +
           "\" stands";
  return "";
}

void CheckDevices(const Arguments& arguments, const std::string& size, Findings* findings) {
  for (const DeviceInfo& device : ListDevices()) {
    const std::string backend = BackendName(device.backend);
    const std::string name = device.name.empty() ? backend : backend + ": " + device.name;
    const bool is_cpu = device.backend == OcrBackend::kCpu;
    if (!device.unusable_reason.empty()) {
      if (is_cpu) {
        findings->Problem(name + " cannot be used: " + device.unusable_reason, "unset INKREAD_DISABLE");
      } else {
        findings->Note(name + " is not taken: " + device.unusable_reason);
      }
      continue;
    }
    const std::string why = device.not_default_reason;
    if (!why.empty() && !arguments.all_devices) {
      findings->Note(name + " is not taken by default: " + why + "; --all-devices tests it");
      continue;
    }
    if (size.empty()) {
      findings->Note(name + " is there; without models nothing can be read on it");
      continue;
    }
    EngineOptions options;
    options.backend = device.backend;
    if (!is_cpu) options.devices = {std::to_string(device.index)};
    options.strict_backend = !is_cpu;
    options.model_folder = arguments.models;
    for (const ModelSize each : {ModelSize::kTiny, ModelSize::kSmall, ModelSize::kMedium}) {
      if (size == ModelSizeName(each)) options.size = each;
    }
    double ms = 0;
    const std::string wrong = TestRead(options, &ms);
    if (wrong.empty()) {
      findings->Good(name + " read the test image with " + size + " in " + std::to_string(static_cast<int>(ms + 0.5)) +
                     " ms" + (why.empty() ? "" : "; not taken by default: " + why));
    } else if (is_cpu) {
      findings->Problem(name + ": " + wrong,
                        "INKREAD_DISABLE=" + device.name.substr(device.name.rfind(' ') + 1) + " inkread doctor");
    } else {
      findings->Problem(name + ": " + wrong, "inkread read --backend cpu IMAGE");
    }
  }
}

void CheckPrograms(Findings* findings) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = folder + "/pdftoppm";
    if (::access(program.c_str(), X_OK) != 0) continue;
    findings->Good("PDF pages that are no single image are drawn by " + program);
    return;
  }
  findings->Warning("pdftoppm is not installed: of PDFs only pages that are a single image can be read",
                    "apt-get install poppler-utils");
}

void CheckPort(int port, Findings* findings) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  const int yes = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  const bool is_free = ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  const std::string why = std::strerror(errno);
  ::close(descriptor);
  const std::string what = "port " + std::to_string(port) + " of 127.0.0.1, for inkread serve, ";
  if (is_free) {
    findings->Good(what + "is free");
  } else {
    findings->Warning(what + "cannot be used: " + why, "inkread serve --port 0 takes a free one");
  }
}

int RunDoctor(const Arguments& arguments) {
  Findings findings;
  CheckMachine(&findings);
  const std::string size = CheckModels(arguments, &findings);
  CheckDevices(arguments, size, &findings);
  CheckPrograms(&findings);
  CheckPort(arguments.port, &findings);
  if (findings.num_problems() == 0) {
    std::cout << "Images can be read.\n";
    return kExitGood;
  }
  std::cout << findings.num_problems() << (findings.num_problems() == 1 ? " problem.\n" : " problems.\n");
  return kExitEngine;
}

}  // namespace

void AddDoctorCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("doctor", "Check models and devices by reading an image, and say what mends them");
  command->add_option("--models", arguments->models, "Folder of the models (default: see `inkread models path`)")
      ->type_name("DIR");
  command->add_option("--port", arguments->port, "The port that is to be free (default 8000)")
      ->check(CLI::Range(1, 65535))
      ->type_name("PORT");
  command->add_flag("--all-devices", arguments->all_devices, "Also test devices that are not taken by default");
  command->footer("Exit code: 0 images can be read, 2 wrong usage, 3 there is a problem.");
  command->callback([arguments, exit_code] { *exit_code = RunDoctor(*arguments); });
}

}  // namespace inkread
