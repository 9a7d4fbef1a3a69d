// Completions for fish.
#include <fmt/format.h>

#include "audit/cli/shell/forms.h"
#include "audit/cli/shell/quoted.h"

namespace assay::cli {

namespace {

/// The switches that say what a value can be.
std::string value_switches(const OptionText& option) {
  switch (option.kind) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kChoice:
      // Lists with commas are completed part by part.
      return option.list
                 ? fmt::format(" -x -a \"(__fish_append , {})\"", words_text(option.choices))
                 : fmt::format(" -x -a {}", fish_quoted(words_text(option.choices)));
    case ValueKind::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::kFile:
      return " -r -F";
    case ValueKind::kOther:
      return " -x";
  }
  return "";
}

std::string option_line(const OptionText& option, const std::string& condition) {
  std::string text = "complete -c assay -n " + fish_quoted(condition);
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  text += value_switches(option);
  return text + " -d " + fish_quoted(option.description) + "\n";
}

std::string option_lines(const CommandText& command, const std::string& condition) {
  std::string text;
  for (const OptionText& option : command.options) {
    if (!option.names.empty()) {
      text += option_line(option, condition);
    } else if (option.kind == ValueKind::kFile) {
      text += "complete -c assay -n " + fish_quoted(condition) + " -F\n";
    }
  }
  return text;
}

}  // namespace

std::string fish_completion(const CommandText& program) {
  std::string text =
      "# fish completion of assay. Written by `assay --generate fish`.\ncomplete -c assay -f\n";
  text += option_lines(program, "__fish_use_subcommand");
  for (const CommandText& command : program.commands) {
    if (command.hidden) continue;
    text += fmt::format("complete -c assay -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(command.description));
    text += option_lines(command, "__fish_seen_subcommand_from " + command.name);
  }
  return text;
}

}  // namespace assay::cli
