#include "apps/completion.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "apps/help_format.h"
#include "apps/usage.h"

namespace inkread {
namespace {

struct Value {
  enum Kind { kNone, kAny, kFile, kFolder, kWords } kind = kNone;
  std::string words;  // with blanks between them
};

// From the name of a value, which is what people read in --help.
Value ValueOf(const CLI::Option& option) {
  const std::string name = ValueName(option);
  if (option.get_type_size() == 0) return {};
  if (name == "DIR") return {Value::kFolder, ""};
  if (name == "FILE" || name == "OUT" || name == "INPUT") return {Value::kFile, ""};
  if (name.find('|') == std::string::npos) return {Value::kAny, ""};
  std::string words = name;
  std::replace(words.begin(), words.end(), '|', ' ');
  return {Value::kWords, words};
}

struct Command {
  std::string path;                         // "models fetch"; "" of the whole
  std::vector<const CLI::App*> below;       // its commands
  std::vector<const CLI::Option*> options;  // with names
  std::vector<const CLI::Option*> arguments;
};

void AddCommands(const CLI::App& app, const std::string& path, std::vector<Command>* commands) {
  Command command{path, CommandsOf(app), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    (option->nonpositional() ? command.options : command.arguments).push_back(option);
  }
  commands->push_back(command);
  for (const CLI::App* below : CommandsOf(app)) {
    AddCommands(*below, path.empty() ? below->get_name() : path + " " + below->get_name(), commands);
  }
}

// "-h", "--help" and so on.
std::vector<std::string> NamesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// For single quotes.
std::string Quotable(const std::string& text) { return Replaced(text, "'", "'\\''"); }

// The first sentence of a description: completions have a line for each option.
std::string Short(const std::string& description) {
  size_t end = description.size();
  for (const char* stop : {". ", "; ", ": ", " (default"}) end = std::min(end, description.find(stop));
  return description.substr(0, end);
}

// What is completed where no option's value stands.
Value ArgumentOf(const Command& command) {
  return command.arguments.empty() ? Value{} : ValueOf(*command.arguments.front());
}

std::string BashScript(const std::vector<Command>& commands) {
  std::string levels, values, words;
  for (const Command& command : commands) {
    if (!command.path.empty()) levels += (levels.empty() ? "'" : " | '") + command.path + "'";
    std::string names;
    for (const CLI::App* below : command.below) names += below->get_name() + " ";
    std::string flags;
    for (const CLI::Option* option : command.options) {
      const Value value = ValueOf(*option);
      std::string pattern;
      for (const std::string& name : NamesOf(*option)) {
        flags += name + " ";
        pattern += (pattern.empty() ? "'" : " | '") + command.path + " " + name + "'";
      }
      const std::string action = value.kind == Value::kWords    ? "_inkread_words '" + value.words + "'"
                                 : value.kind == Value::kFile   ? "_inkread_paths -f"
                                 : value.kind == Value::kFolder ? "_inkread_paths -d"
                                                                : "COMPREPLY=()";
      if (value.kind != Value::kNone) values += "    " + pattern + ") " + action + "; return ;;\n";
    }
    const Value argument = ArgumentOf(command);
    if (argument.kind == Value::kWords) names += argument.words;
    words += "    '" + command.path + "') flags='" + flags + "' words='" + names + "'" +
             (argument.kind == Value::kFile ? " files=yes" : "") + " ;;\n";
  }
  return R"(# bash completion of inkread, printed by `inkread completion bash`
_inkread_words() { COMPREPLY=($(compgen -W "$1" -- "$current")); }
_inkread_paths() {
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}
_inkread() {
  local current=${COMP_WORDS[COMP_CWORD]} command='' flags='' words='' files='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "${command:+$command }${COMP_WORDS[i]}" in
      )" +
         levels + R"() command=${command:+$command }${COMP_WORDS[i]} ;;
    esac
  done
  case "$command ${COMP_WORDS[COMP_CWORD - 1]}" in
)" + values +
         R"(  esac
  case "$command" in
)" + words +
         R"(  esac
  if [[ $current == -* ]]; then
    _inkread_words "$flags"
  elif [[ -n $files ]]; then
    _inkread_paths -f
  else
    _inkread_words "$words"
  fi
}
complete -F _inkread inkread
)";
}

// For a description within _arguments' brackets.
std::string ZshText(const std::string& text) {
  return Quotable(Replaced(Replaced(Replaced(text, "[", "\\["), "]", "\\]"), ":", "\\:"));
}

std::string ZshAction(const Value& value) {
  switch (value.kind) {
    case Value::kWords:
      return "(" + value.words + ")";
    case Value::kFile:
      return "_files";
    case Value::kFolder:
      return "_files -/";
    default:
      return "";
  }
}

std::string ZshFunction(const std::string& path) {
  return "_inkread" + (path.empty() ? "" : "_" + Replaced(path, " ", "_"));
}

std::string ZshScript(const std::vector<Command>& commands) {
  std::string script = "#compdef inkread\n# zsh completion of inkread, printed by `inkread completion zsh`\n";
  for (const Command& command : commands) {
    script += ZshFunction(command.path) + "() {\n";
    if (!command.below.empty()) {
      script += "  local curcontext=$curcontext state line\n  local -a commands=(\n";
      for (const CLI::App* below : command.below) {
        script += "    '" + below->get_name() + ":" + Quotable(below->get_description()) + "'\n";
      }
      script += "  )\n";
    }
    script += command.below.empty() ? "  _arguments" : "  _arguments -C";
    for (const CLI::Option* option : command.options) {
      const Value value = ValueOf(*option);
      const bool repeats = option->get_expected_max() > 1;
      for (const std::string& name : NamesOf(*option)) {
        script += std::string(" \\\n    '") + (repeats ? "*" : "") + name + "[" +
                  ZshText(Short(option->get_description())) + "]" +
                  (value.kind == Value::kNone ? "" : ":" + ZshText(ValueName(*option)) + ":" + ZshAction(value)) + "'";
      }
    }
    if (command.below.empty()) {
      for (const CLI::Option* argument : command.arguments) {
        script += " \\\n    '*:" + ZshText(argument->get_name(true)) + ":" + ZshAction(ValueOf(*argument)) + "'";
      }
      script += "\n}\n";
      continue;
    }
    script += " \\\n    '1:command:->command' '*::argument:->argument'\n";
    script += "  case $state in\n    command) _describe command commands ;;\n    argument)\n      case $words[1] in\n";
    for (const CLI::App* below : command.below) {
      const std::string& name = below->get_name();
      script +=
          "        " + name + ") " + ZshFunction(command.path.empty() ? name : command.path + " " + name) + " ;;\n";
    }
    script += "      esac ;;\n  esac\n}\n";
  }
  // The file is either a function that zsh loads when it is first called, or a script that is sourced.
  return script +
         "if [ \"$funcstack[1]\" = _inkread ]; then\n  _inkread \"$@\"\nelse\n  compdef _inkread inkread\nfi\n";
}

std::string FishScript(const std::vector<Command>& commands) {
  std::string script = "# fish completion of inkread, printed by `inkread completion fish`\ncomplete -c inkread -f\n";
  for (const Command& command : commands) {
    std::string seen, names;
    std::istringstream levels(command.path);
    for (std::string level; levels >> level;) {
      seen += (seen.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + level);
    }
    for (const CLI::App* below : command.below) names += " " + below->get_name();
    const std::string here = "complete -c inkread -n '" + (seen.empty() ? "__fish_use_subcommand" : seen) + "'";
    const std::string before =
        seen.empty() ? here : "complete -c inkread -n '" + seen + "; and not __fish_seen_subcommand_from" + names + "'";
    for (const CLI::App* below : command.below) {
      script += before + " -a " + below->get_name() + " -d '" + Quotable(below->get_description()) + "'\n";
    }
    for (const CLI::Option* option : command.options) {
      const Value value = ValueOf(*option);
      script += command.below.empty() ? here : before;
      for (const std::string& name : option->get_snames()) script += " -s " + name;
      for (const std::string& name : option->get_lnames()) script += " -l " + name;
      if (value.kind == Value::kWords) script += " -x -a '" + value.words + "'";
      if (value.kind == Value::kAny) script += " -x";
      if (value.kind == Value::kFile) script += " -r -F";
      if (value.kind == Value::kFolder) script += " -x -a '(__fish_complete_directories)'";
      script += " -d '" + Quotable(Short(option->get_description())) + "'\n";
    }
    const Value argument = ArgumentOf(command);
    if (argument.kind == Value::kWords) script += here + " -a '" + argument.words + "'\n";
    if (argument.kind == Value::kFile) script += here + " -F\n";
  }
  return script;
}

}  // namespace

std::string CompletionScript(const CLI::App& app, const std::string& shell) {
  std::vector<Command> commands;
  AddCommands(app, "", &commands);
  if (shell == "zsh") return ZshScript(commands);
  if (shell == "fish") return FishScript(commands);
  return BashScript(commands);
}

}  // namespace inkread
