#include "apps/help_format.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace inkread {
namespace {

constexpr size_t kUsualColumns = 80, kMinColumns = 60, kMaxColumns = 100;
// Where descriptions begin.
constexpr size_t kNameColumns = 26;

size_t Columns() {
  winsize size = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
  return std::clamp<size_t>(size.ws_col, kMinColumns, kMaxColumns);
}

// A name and what it is, side by side, or below one another where the name is long.
std::string Entry(const std::string& name, const std::string& what) {
  const std::string indent(kNameColumns, ' ');
  std::string entry = "  " + name;
  if (entry.size() + 2 > kNameColumns) entry += "\n";
  entry.resize(entry.back() == '\n' ? entry.size() + kNameColumns : kNameColumns, ' ');
  return entry + Wrapped(what, Columns() - kNameColumns, indent) + "\n";
}

std::string NamesOf(const std::set<CLI::Option*>& options) {
  // By name, since a set of pointers has another order in each run.
  std::set<std::string> names;
  for (const CLI::Option* option : options) names.insert(option->get_name());
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
}

}  // namespace

std::string ValueName(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));  // what follows are CLI11's words for its checks
}

std::string OptionNotes(const CLI::Option& option) {
  std::string notes;
  if (!option.get_needs().empty()) notes = "Needs " + NamesOf(option.get_needs()) + ".";
  if (!option.get_excludes().empty())
    notes += (notes.empty() ? "" : " ") + ("Not with " + NamesOf(option.get_excludes()) + ".");
  return notes;
}

std::string Wrapped(const std::string& text, size_t width, const std::string& indent) {
  std::string wrapped;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!wrapped.empty()) wrapped += "\n" + indent;
    std::istringstream words(line);
    size_t column = 0;
    for (std::string word; words >> word;) {
      if (column > 0 && column + 1 + word.size() > width) {
        wrapped += "\n" + indent;
        column = 0;
      }
      wrapped += (column > 0 ? " " : "") + word;
      column += (column > 0 ? 1 : 0) + word.size();
    }
  }
  return wrapped;
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string value = ValueName(*option), notes = OptionNotes(*option);
  const bool has_choice = is_positional && value.find('|') != std::string::npos;
  return Entry(make_option_name(option, is_positional) + (is_positional || value.empty() ? "" : " " + value),
               option->get_description() + (has_choice ? ": " + value : "") + (notes.empty() ? "" : ". " + notes));
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  return Entry(command->get_name(), command->get_description());
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  const std::string footer = app->get_footer();
  return footer.empty() ? "" : Wrapped(footer, Columns(), "") + "\n";
}

}  // namespace inkread
