// Completions for bash.
#include <fmt/format.h>

#include "audit/cli/shell/forms.h"
#include "audit/cli/shell/quoted.h"

namespace assay::cli {

namespace {

/// What completes a value, as a call of the functions below.
std::string completer(const OptionText& option) {
  switch (option.kind) {
    case ValueKind::kChoice:
      return fmt::format("{} {}", option.list ? "_assay_list" : "_assay_words",
                         shell_quoted(words_text(option.choices)));
    case ValueKind::kFolder:
      return "_assay_folders";
    case ValueKind::kFile:
      return "_assay_files";
    case ValueKind::kOther:
    case ValueKind::kNone:
      break;
  }
  return ":";
}

/// The case of one command (or of the program before a command): its options and their values.
std::string command_case(const CommandText& command, const std::string& pattern) {
  std::string names, values, arguments = ":";
  for (const OptionText& option : command.options) {
    if (option.names.empty()) {
      if (option.kind != ValueKind::kOther) arguments = completer(option);
      continue;
    }
    names += (names.empty() ? "" : " ") + words_text(option.names);
    if (option.kind == ValueKind::kNone) continue;
    std::string alternatives;
    for (const std::string& name : option.names) {
      alternatives += (alternatives.empty() ? "" : "|") + name;
    }
    values += fmt::format("        {}) {}; return ;;\n", alternatives, completer(option));
  }
  std::string text = fmt::format("    {})\n", pattern);
  if (!values.empty()) text += "      case $previous in\n" + values + "      esac\n";
  text += fmt::format(
      "      if [[ $current == -* ]]; then _assay_words {}; else {}; fi\n"
      "      ;;\n",
      shell_quoted(names), arguments);
  return text;
}

constexpr std::string_view kHelpers = R"(# The word under the cursor, completed from these words.
_assay_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }

# The same for the last part of a list with commas.
_assay_list() {
  local done=
  if [[ $current == *,* ]]; then done=${current%,*},; fi
  mapfile -t COMPREPLY < <(compgen -P "$done" -W "$1" -- "${current##*,}")
  compopt -o nospace 2>/dev/null
}

_assay_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}
_assay_files() { _assay_paths -f; }
_assay_folders() { _assay_paths -d; }
)";

}  // namespace

std::string bash_completion(const CommandText& program) {
  std::string commands, cases;
  CommandText outside = program;  // of any command
  for (const CommandText& command : program.commands) {
    if (command.hidden) continue;
    commands += (commands.empty() ? "" : " ") + command.name;
    cases += command_case(command, command.name);
  }
  // In the place of a command stand the commands.
  OptionText any;
  any.kind = ValueKind::kChoice;
  any.choices = {commands};
  outside.options.push_back(any);
  std::string alternatives = commands;
  for (char& c : alternatives) c = c == ' ' ? '|' : c;
  return fmt::format(
      "# bash completion of assay. Written by `assay --generate bash`.\n{}\n"
      "_assay() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous= command= i\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD > 0)); then previous=${{COMP_WORDS[COMP_CWORD - 1]}}; fi\n"
      "  # bash takes --option=value for three words.\n"
      "  if [[ $current == = ]]; then\n"
      "    current=\n"
      "  elif [[ $previous == = ]] && ((COMP_CWORD > 1)); then\n"
      "    previous=${{COMP_WORDS[COMP_CWORD - 2]}}\n"
      "  fi\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case ${{COMP_WORDS[i]}} in\n"
      "      {}) command=${{COMP_WORDS[i]}}; break ;;\n"
      "    esac\n"
      "  done\n"
      "  case $command in\n{}{}  esac\n"
      "}}\n"
      "complete -F _assay assay\n",
      kHelpers, alternatives, command_case(outside, "''"), cases);
}

}  // namespace assay::cli
