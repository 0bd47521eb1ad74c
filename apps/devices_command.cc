#include "apps/devices_command.h"

#include <cstdio>
#include <string>

#include "apps/exit_codes.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

void PrintDevice(const DeviceInfo& device) {
  std::string id = BackendName(device.backend);
  if (device.backend != OcrBackend::kCpu && device.index >= 0) id += " " + std::to_string(device.index);
  const std::string& what = device.name.empty() ? device.unusable_reason : device.name;
  std::printf("%-10s %s\n", id.c_str(), what.c_str());
  const auto more = [](const std::string& before, const std::string& text) {
    if (!text.empty()) std::printf("%-10s %s%s\n", "", before.c_str(), text.c_str());
  };
  more("", device.details);
  if (!device.name.empty()) more("cannot be used: ", device.unusable_reason);
  if (device.unusable_reason.empty()) more("not a default device: ", device.not_default_reason);
}

}  // namespace

void AddDevicesCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("devices", "List the devices here, and why some are not used by default");
  command->callback([exit_code] {
    for (const DeviceInfo& device : ListDevices()) PrintDevice(device);
    *exit_code = kExitGood;
  });
}

}  // namespace inkread
