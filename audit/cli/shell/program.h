// The command line as a value: what the manual page and the shells' completions are written from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace assay::cli {

/// What can be put in the place of an option's value or of an argument.
enum class ValueKind : std::uint8_t {
  kNone,    ///< a flag has none
  kChoice,  ///< one of `choices`
  kFolder,
  kFile,   ///< or a folder of them
  kOther,  ///< numbers, patterns, names: nothing that a shell could know
};

/// An option, or an argument that stands by itself.
struct OptionText {
  std::vector<std::string> names;  ///< "-h", "--help"; none: an argument that stands by itself
  std::string value;               ///< what stands for the value: "GLOB"; empty for a flag
  ValueKind kind = ValueKind::kNone;
  std::vector<std::string> choices;
  bool list = false;        ///< takes several choices, with commas between them
  bool repeatable = false;  ///< may be given several times
  bool required = false;
  std::string fallback;  ///< the default, as `--help` shows it; empty: none
  std::string description;
};

struct CommandText {
  std::string name;
  std::string description;
  std::string footer;
  bool hidden = false;  ///< not in `--help`: for other programs to call
  std::vector<OptionText> options;
  std::vector<CommandText> commands;
};

/// The program with all its commands, in the order in which they were added. Hidden options are
/// left out, hidden commands are marked.
CommandText describe(const CLI::App& app);

}  // namespace assay::cli
