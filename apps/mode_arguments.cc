#include "apps/mode_arguments.h"

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inkread {
namespace {

constexpr char kRectType[] = "X,Y,WIDTH,HEIGHT";

// "10,20,300,40"; corners up to 2^30, so that their sums are ints.
std::optional<Rect> ParseRect(std::string_view text) {
  std::array<int, 4> numbers{};
  for (size_t i = 0; i < 4; ++i) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc() || numbers[i] < 0 || numbers[i] > (1 << 30)) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (i == 3) break;
    if (!text.starts_with(',')) return std::nullopt;
    text.remove_prefix(1);
  }
  if (!text.empty() || numbers[2] == 0 || numbers[3] == 0) return std::nullopt;
  return Rect{numbers[0], numbers[1], numbers[2], numbers[3]};
}

CLI::Validator IsRect() {
  return CLI::Validator(
      [](const std::string& text) {
        return ParseRect(text) ? "" : "'" + text + "' is not " + kRectType + " in pixels, such as 10,20,300,40";
      },
      "");
}

}  // namespace

void AddModeArguments(CLI::App* command, ReadOptions* read) {
  CLI::Option* const detect = command->add_flag_callback(
      "--detect-only", [read] { read->recognise = false; }, "Find the lines but do not read them");
  CLI::Option* const line = command->add_flag_callback(
      "--line", [read] { read->detect = false; }, "Read each image as one line of text");
  CLI::Option* const box = command->add_option_function<std::vector<std::string>>(
      "--box",
      [read](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
          const Rect r = ParseRect(text).value();
          const int right = r.x + r.width, bottom = r.y + r.height;
          read->boxes.push_back({{{r.x, r.y}, {right, r.y}, {right, bottom}, {r.x, bottom}}});
        }
      },
      "Read this box of each image as one line and look for no others; may be repeated, the order stays");
  box->check(IsRect())->allow_extra_args(false)->type_name(kRectType);
  CLI::Option* const region = command->add_option_function<std::string>(
      "--region", [read](const std::string& text) { read->region = ParseRect(text).value(); },
      "Look at this part of each image only");
  region->check(IsRect())->type_name(kRectType);
  CLI::Option* const limit = command->add_option_function<double>(
      "--time-limit", [read](double seconds) { read->time_limit_ms = seconds * 1000; },
      "Give up an image after so many seconds");
  limit->check(CLI::PositiveNumber)->type_name("SECONDS");
  line->excludes(detect);
  box->excludes(detect)->excludes(line);
  for (CLI::Option* option : {detect, line, box, region, limit}) option->group("Reading");
}

}  // namespace inkread
