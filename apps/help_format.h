// How --help is laid out.
#ifndef INKREAD_APPS_HELP_FORMAT_H_
#define INKREAD_APPS_HELP_FORMAT_H_

#include <CLI/CLI.hpp>
#include <string>

namespace inkread {

// The value that an option takes, as help and man page show it: "FILE", "tiny|small|medium", "" of a flag.
std::string ValueName(const CLI::Option& option);

// What to know about an option besides its description: "Needs --rec. Not with --line, --box."; empty if nothing.
std::string OptionNotes(const CLI::Option& option);

// `text` in lines of at most `width` bytes where its words allow it. `indent` comes before every line but the first.
std::string Wrapped(const std::string& text, size_t width, const std::string& indent);

// CLI11's layout with lines that fit the terminal, at most 100 columns, and without the names of types.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace inkread

#endif  // INKREAD_APPS_HELP_FORMAT_H_
