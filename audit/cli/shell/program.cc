#include "audit/cli/shell/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace assay::cli {

namespace {

/// Placeholders of values that are neither files nor folders. Any other is taken for a file's:
/// that offers too much rather than too little.
constexpr std::array<std::string_view, 16> kNotFiles = {
    "N",   "GLOB",  "TIME",    "TOKEN", "BITS", "KERNEL", "K/N",  "CLAIM",
    "INT", "FLOAT", "VARIANT", "UINT",  "NAME", "LABEL",  "TEXT", "NUMBER"};

/// The words between the braces of "TEXT:{text,json}", which is how a closed set is described.
std::vector<std::string> choices_of(const std::string& type) {
  std::vector<std::string> words;
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open == type.npos ? 0 : open);
  if (open == type.npos || close == type.npos) return words;
  std::size_t at = open + 1;
  while (at < close) {
    const std::size_t end = std::min(type.find(',', at), close);
    words.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

ValueKind kind_of(const OptionText& option, const std::string& placeholder) {
  if (!option.choices.empty()) return ValueKind::kChoice;
  if (placeholder == "DIR") return ValueKind::kFolder;
  const bool other = std::find(kNotFiles.begin(), kNotFiles.end(), placeholder) != kNotFiles.end();
  return other ? ValueKind::kOther : ValueKind::kFile;
}

/// "[markdown,json]", as lists are shown, without the brackets.
std::string without_brackets(const std::string& text) {
  const bool list = text.size() >= 2 && text.front() == '[' && text.back() == ']';
  return list ? text.substr(1, text.size() - 2) : text;
}

OptionText describe(const CLI::Option& option) {
  OptionText text;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  text.description = option.get_description();
  text.required = option.get_required();
  text.fallback = without_brackets(option.get_default_str());
  if (option.get_type_size() == 0 || option.get_items_expected_max() == 0) return text;
  const std::string type = option.get_type_name();
  const std::string placeholder = type.substr(0, type.find(':'));
  text.choices = choices_of(type);
  text.list = option.get_delimiter() != '\0';
  text.repeatable = option.get_expected_max() > 1 && !text.list;
  if (text.names.empty()) {
    text.value = option.get_name(true);
    text.kind = kind_of(text, text.value);
    return text;
  }
  text.kind = kind_of(text, placeholder);
  text.value = placeholder;
  // A placeholder that says nothing, beside words that say all.
  if (!text.choices.empty() && placeholder == "TEXT") {
    text.value.clear();
    for (const std::string& choice : text.choices) {
      text.value += (text.value.empty() ? "" : "|") + choice;
    }
  }
  return text;
}

}  // namespace

CommandText describe(const CLI::App& app) {
  CommandText text;
  text.name = app.get_name();
  text.description = app.get_description();
  text.footer = app.get_footer();
  text.hidden = app.get_group().empty();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) text.options.push_back(describe(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandText inner = describe(*command);
    if (!inner.name.empty()) {
      text.commands.push_back(std::move(inner));
    } else {  // a group of this command's options
      text.options.insert(text.options.end(), inner.options.begin(), inner.options.end());
    }
  }
  return text;
}

}  // namespace assay::cli
