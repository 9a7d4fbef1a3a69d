// Completions for zsh.
#include <fmt/format.h>

#include "audit/cli/shell/forms.h"
#include "audit/cli/shell/quoted.h"

namespace assay::cli {

namespace {

/// Text within a specification of _arguments, where brackets and colons have a meaning.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

/// ":message:action", or nothing for a flag.
std::string value_part(const OptionText& option) {
  if (option.kind == ValueKind::kNone) return "";
  const std::string message = ":" + escaped(option.value) + ":";
  std::string words;
  for (const std::string& choice : option.choices) words += (words.empty() ? "" : " ") + choice;
  switch (option.kind) {
    case ValueKind::kChoice:
      return message + (option.list ? "_sequence compadd - " + words : "(" + words + ")");
    case ValueKind::kFolder:
      return message + "_files -/";
    case ValueKind::kFile:
      return message + "_files";
    default:
      return message;
  }
}

std::string specifications(const OptionText& option) {
  std::string text;
  if (option.names.empty()) {
    return fmt::format("        {} \\\n",
                       shell_quoted((option.repeatable ? "*" : "") + value_part(option)));
  }
  for (const std::string& name : option.names) {
    const std::string word = fmt::format("{}{}[{}]{}", option.repeatable ? "*" : "", name,
                                         escaped(option.description), value_part(option));
    text += fmt::format("        {} \\\n", shell_quoted(word));
  }
  return text;
}

}  // namespace

std::string zsh_completion(const CommandText& program) {
  std::string commands, cases, outside;
  for (const OptionText& option : program.options) outside += specifications(option);
  for (const CommandText& command : program.commands) {
    if (command.hidden) continue;
    commands += fmt::format("        {} \\\n",
                            shell_quoted(command.name + ":" + escaped(command.description)));
    std::string own;
    for (const OptionText& option : command.options) own += specifications(option);
    cases += fmt::format("    ({})\n      _arguments \\\n{}        && return 0\n      ;;\n",
                         command.name, own);
  }
  return fmt::format(
      "#compdef assay\n"
      "# zsh completion of assay. Written by `assay --generate zsh`.\n"
      "_assay() {{\n"
      "  local context state line commands\n"
      "  typeset -A opt_args\n"
      "  _arguments -C \\\n{}"
      "        '1:command:->command' \\\n"
      "        '*::argument:->argument' && return 0\n"
      "  if [[ $state == command ]]; then\n"
      "    commands=( \\\n{}    )\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  case $line[1] in\n{}  esac\n"
      "}}\n"
      "_assay \"$@\"\n",
      outside, commands, cases);
}

}  // namespace assay::cli
