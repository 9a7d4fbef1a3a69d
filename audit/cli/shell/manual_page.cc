// The manual page.
#include <fmt/format.h>

#include <cctype>

#include "audit/cli/shell/forms.h"

namespace assay::cli {

namespace {

/// Text for troff: a minus that can be copied, no escapes, no line taken for a request.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

/// "REPORT" and whether there may be several or none.
std::string argument(const OptionText& option) {
  const std::string text = italic(option.value) + (option.repeatable ? "..." : "");
  return option.required ? text : "[" + text + "]";
}

std::string usage(const std::string& program, const CommandText& command) {
  std::string text = bold(program + " " + command.name);
  bool options = false;
  for (const OptionText& option : command.options) {
    options = options || !option.names.empty();
    if (!option.names.empty() && option.required) {
      text += " " + bold(option.names.back()) + " " + italic(option.value);
    }
  }
  if (options) text += " [" + italic("OPTION") + "...]";
  for (const OptionText& option : command.options) {
    if (option.names.empty()) text += " " + argument(option);
  }
  return text;
}

/// A sentence: begins with a capital, unless with a file's name, and ends with a full stop.
std::string sentence(std::string text) {
  if (text.empty()) return text;
  const std::string first = text.substr(0, text.find(' '));
  if (first.find_first_of("./_") == first.npos) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  }
  if (text.back() != '.') text += '.';
  return text;
}

std::string option_item(const OptionText& option) {
  std::string heading;
  for (const std::string& name : option.names) {
    heading += (heading.empty() ? "" : ", ") + bold(name);
  }
  if (!option.value.empty()) heading += (heading.empty() ? "" : " ") + italic(option.value);
  std::string text = fmt::format(".TP\n{}\n{}\n", heading, escaped(sentence(option.description)));
  if (option.kind == ValueKind::kChoice && option.value.find('|') == std::string::npos) {
    const char* before = option.list ? "Of these, with commas between them: " : "One of ";
    for (const std::string& choice : option.choices) {
      text += before + bold(choice);
      before = ", ";
    }
    text += ".\n";
  }
  if (option.repeatable && !option.names.empty()) text += "May be given several times.\n";
  if (!option.fallback.empty()) {
    text += fmt::format("Default: {}.\n", escaped(option.fallback));
  }
  return text;
}

std::string option_items(const CommandText& command) {
  std::string text;
  for (const OptionText& option : command.options) text += option_item(option);
  return text;
}

/// The command with its options, and those that it has itself.
std::string command_section(const std::string& program, const CommandText& command) {
  const std::string name = program + " " + command.name;
  std::string text;
  // A command that only holds others cannot be called.
  if (command.commands.empty()) {
    text += fmt::format(".SS \"{}\"\n{}\n.PP\n{}\n{}", escaped(name), usage(program, command),
                        escaped(sentence(command.description)), option_items(command));
  }
  for (const CommandText& inner : command.commands) text += command_section(name, inner);
  return text;
}

std::string sections(const CommandText& program, bool hidden) {
  std::string text;
  for (const CommandText& command : program.commands) {
    if (command.hidden == hidden) text += command_section(program.name, command);
  }
  return text;
}

std::string synopsis(const CommandText& program) {
  std::string text;
  for (const CommandText& command : program.commands) {
    if (command.hidden) continue;
    text += (text.empty() ? "" : ".br\n") + usage(program.name, command) + "\n";
  }
  for (const OptionText& option : program.options) {
    text += ".br\n" + bold(program.name) + " " + bold(option.names.back());
    if (!option.value.empty()) text += " " + italic(option.value);
    text += "\n";
  }
  return text;
}

/// "Exit status: 0 this; 1 that." as a list of its statuses.
std::string exit_statuses(const std::string& footer) {
  const std::string_view head = "Exit status: ";
  std::string_view rest = footer;
  if (!rest.starts_with(head)) return escaped(rest) + "\n";
  rest.remove_prefix(head.size());
  std::string text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("; "), rest.size());
    std::string_view item = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    const std::size_t blank = std::min(item.find(' '), item.size());
    std::string meaning(item.substr(std::min(blank + 1, item.size())));
    text += fmt::format(".TP\n{}\n{}\n", bold(item.substr(0, blank)), escaped(sentence(meaning)));
  }
  return text;
}

}  // namespace

std::string manual_page(const CommandText& program, std::string_view version) {
  std::string page = fmt::format(".TH ASSAY 1 \"\" \"assay {}\" \"User Commands\"\n.nh\n.ad l\n",
                                 escaped(version));
  page += ".SH NAME\nassay \\- audit numeric kernels against their contracts\n";
  page += ".SH SYNOPSIS\n" + synopsis(program);
  page += ".SH DESCRIPTION\n" + escaped(program.description) + "\n";
  page +=
      "A contract is a section of a document in the FKC format: Markdown with a block of YAML for\n"
      "each kernel.\n"
      "Kernels are driven with generated inputs, on every instruction set of the machine, and "
      "each\n"
      "result is compared with the exact one.\n"
      "Every promise of the contract is given one verdict for each variant of its kernel: upheld,\n"
      "refuted, unclaimed (only measured), undecided or error.\n";
  page += ".SH COMMANDS\n" + sections(program, false);
  page += ".SH OPTIONS\n" + option_items(program);
  const std::string hidden = sections(program, true);
  if (!hidden.empty()) {
    page += ".SH COMMANDS FOR BUILD SYSTEMS\n";
    page += "The CMake function\n.B assay_add_tests\ncalls these.\n" + hidden;
  }
  page += ".SH EXIT STATUS\n" + exit_statuses(program.footer);
  page +=
      ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf set, nothing is printed in colour, whatever the "
      "terminal.\n";
  page += ".SH EXAMPLES\n";
  page +=
      "Audit the kernels of a shared library under their contract, quickly:\n"
      ".PP\n.nf\n.RS\n"
      "assay audit casts.fkc.md \\-\\-kernels ./libcasts.so \\-\\-effort quick\n"
      ".RE\n.fi\n"
      ".PP\nSee what a contract promises, and where it says so:\n"
      ".PP\n.nf\n.RS\n"
      "assay list casts.fkc.md\n"
      ".RE\n.fi\n";
  page += ".SH SEE ALSO\n\\fBctest\\fR(1), \\fBcmake\\-modules\\fR(7)\n";
  return page;
}

}  // namespace assay::cli
