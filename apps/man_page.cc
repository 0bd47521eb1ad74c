#include "apps/man_page.h"

#include <sstream>
#include <utility>
#include <vector>

#include "apps/help_format.h"
#include "apps/usage.h"
#include "inkread/version.h"

namespace inkread {
namespace {

constexpr std::pair<const char*, const char*> kEnvironment[] = {
    {"INKREAD_MODELS", "Folder of the models, in place of the user's cache folder; --models goes before it."},
    {"INKREAD_BACKEND", "The backend where --backend names none or auto."},
    {"INKREAD_DISABLE",
     "What the CPU must not use, with commas: instruction sets as VersionString names them (avx3_spr, avx3, avx2), "
     "amx, "
     "bf16, bands. For tests and measurements."},
    {"INKREAD_TOKEN", "What inkread serve asks of requests as a bearer token; --token-file goes before it."},
    {"XDG_CACHE_HOME, HOME",
     "The user's cache folder is $XDG_CACHE_HOME/inkread, else ~/.cache/inkread. Without HOME the user's entry in the "
     "password database is asked."},
    {"XDG_DATA_DIRS",
     "Folders in which inkread/models may hold models for every user (default: /usr/local/share:/usr/share)."},
    {"https_proxy, no_proxy", "For inkread models fetch, as curl(1) and pip follow them."}};

constexpr std::pair<const char*, const char*> kExitCodes[] = {
    {"0", "Every image was read; the command did what it was asked for."},
    {"1", "Some file failed, or an argument names nothing to read; of bench also: a gate does not hold."},
    {"2", "Wrong usage, or an output that cannot be written."},
    {"3", "Engine or model: a model is missing or damaged, a device failed under --strict."},
    {"4", "As 1 or 2, but a refused permission is the only reason."},
    {"130, 143", "Ended by SIGINT or SIGTERM before everything was done."}};

// Plain text as roff: hyphens that can be copied, and no line that begins like a request.
std::string Roff(const std::string& text) {
  std::string roff;
  for (const char c : text) {
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else if ((c == '.' || c == '\'') && (roff.empty() || roff.back() == '\n')) {
      roff += std::string("\\&") + c;
    } else {
      roff += c;
    }
  }
  return roff;
}

void AddEntry(const std::string& term, const std::string& what, std::ostream& page) {
  page << ".TP\n\\fB" << Roff(term) << "\\fR\n" << Roff(what) << '\n';
}

void AddCommand(const CLI::App& app, const std::string& name, std::ostream& page) {
  std::string arguments, entries;
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) continue;
    const std::string shown = option->get_name(true) + (option->get_expected_max() > 1 ? "..." : "");
    arguments += " " + (option->get_required() ? shown : "[" + shown + "]");
  }
  page << ".SS \"" << Roff(name) << " [OPTION...]" << Roff(arguments) << "\"\n" << Roff(app.get_description()) << ".\n";
  for (const CLI::Option* option : app.get_options()) {
    if (option == app.get_help_ptr()) continue;
    const std::string value = ValueName(*option), notes = OptionNotes(*option);
    std::string term = option->get_name(option->get_positional(), option->nonpositional());
    if (option->nonpositional() && !value.empty()) term += " " + value;
    std::string what = option->get_description();
    if (option->get_positional() && value.find('|') != std::string::npos) what += ": " + value;
    AddEntry(term, what + "." + (notes.empty() ? "" : " " + notes), page);
  }
  if (const std::string footer = app.get_footer(); !footer.empty()) page << ".PP\n" << Roff(footer) << '\n';
  for (const CLI::App* below : CommandsOf(app)) AddCommand(*below, name + " " + below->get_name(), page);
}

}  // namespace

std::string ManPage(const CLI::App& app) {
  std::ostringstream page;
  page << ".TH INKREAD 1 \"\" \"inkread " INKREAD_VERSION "\" \"User Commands\"\n"
       << ".SH NAME\ninkread \\- find and read the text in images\n"
       << ".SH SYNOPSIS\n.B inkread\n.I command\n.RI [ option ...]\n.RI [ argument ...]\n"
       << ".SH DESCRIPTION\n"
       << Roff(app.get_footer()) << "\n.SH COMMANDS\n";
  for (const CLI::App* command : CommandsOf(app)) AddCommand(*command, command->get_name(), page);
  page << ".SH \"EXIT STATUS\"\n";
  for (const auto& [code, what] : kExitCodes) AddEntry(code, what, page);
  page << ".SH ENVIRONMENT\n";
  for (const auto& [name, what] : kEnvironment) AddEntry(name, what, page);
  page << ".SH FILES\n";
  AddEntry("~/.cache/inkread/models", "The models, unless a variable or an option names another folder.", page);
  AddEntry("/usr/local/share/inkread/models", "Models for every user, looked for after the user's own.", page);
  page << ".SH EXAMPLES\n";
  AddEntry("inkread models fetch small", "Download the models of the default size.", page);
  AddEntry("inkread read photo.jpg", "Print the text of an image.", page);
  AddEntry("inkread read scans/ --jsonl --out out.jsonl --resume", "Read a folder; start it again to go on.", page);
  return page.str();
}

}  // namespace inkread
