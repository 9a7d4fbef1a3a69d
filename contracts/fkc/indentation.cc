#include "contracts/fkc/indentation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "contracts/fkc/document.h"
#include "contracts/fkc/yaml_lines.h"
#include "contracts/fkc/yaml_tree.h"

namespace assay::fkc {

namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// `key: value` or `key:`.
struct KeyLine {
  std::string_view key;
  std::string_view value;  ///< without a comment behind; may be empty
};

std::optional<KeyLine> key_line(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_char(text[end])) ++end;
  const std::string_view key = text.substr(0, end);
  const std::size_t colon = text.find_first_not_of(" \t", end);
  if (key.empty() || colon == std::string_view::npos || text[colon] != ':') return std::nullopt;
  const std::string_view rest = text.substr(colon + 1);
  if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t') return std::nullopt;
  const std::string_view value = trim(rest);
  return KeyLine{key, !value.empty() && value[0] == '#' ? std::string_view() : value};
}

class Rebuilder {
 public:
  explicit Rebuilder(const MapShape& root) { stack_.push_back({&root, false, 0}); }

  RebuiltLines run(const Lines& lines, Chunk chunk) {
    for (number_ = chunk.first; number_ < chunk.end; ++number_) {
      add(trim(lines[static_cast<std::size_t>(number_) - 1]));
    }
    flush_comments(0);
    return {std::move(result_), std::move(doubtful_)};
  }

 private:
  /// An open mapping or list. `shape` of a list is that of its items, nullptr for scalars.
  struct Level {
    const MapShape* shape;
    bool list;
    std::size_t indent;
    const KeyShape* last = nullptr;  ///< the last key of a mapping that the schema knows
  };

  void emit(std::string_view line, std::size_t indent) {
    flush_comments(indent);
    result_.push_back(line.empty() ? std::string() : std::string(indent, ' ').append(line));
  }

  /// Comments stand where the line behind them does.
  void flush_comments(std::size_t indent) {
    for (const std::string_view comment : comments_) {
      result_.push_back(comment.empty() ? std::string() : std::string(indent, ' ').append(comment));
    }
    comments_.clear();
  }

  void add(std::string_view line) {
    if (open_.any()) {
      open_.read(line);
      return emit(line, stack_.back().indent + 4);
    }
    if (in_text_) {
      const auto key = key_line(line);
      const bool item = line.starts_with("- ");
      if (!item && !(key && knower(key->key, key->value) < stack_.size())) {
        return emit(line, stack_.back().indent + 4);
      }
      // In canonical order the key may be the next field. In any other it may as well be a line of
      // the text, and nothing tells the two apart.
      if (!item && out_of_order(stack_[knower(key->key, key->value)], key->key)) {
        doubtful_.push_back(number_);
      }
      in_text_ = false;
    }
    if (line.empty() || line[0] == '#') {
      comments_.push_back(line);
    } else if (line == "-" || line.starts_with("- ")) {
      item(trim(line.substr(1)), line);
    } else if (const auto key = key_line(line)) {
      const std::size_t level = knower(key->key, key->value);
      if (level < stack_.size()) stack_.resize(level + 1);
      while (stack_.back().list && stack_.size() > 1) stack_.pop_back();
      emit(line, stack_.back().indent);
      enter(*key);
    } else {
      // The rest of a plain value, or nothing that a contract knows.
      emit(line, stack_.back().indent + 4);
    }
  }

  static bool knows(const Level& level, std::string_view key, std::string_view value) {
    if (level.list || level.shape == nullptr) return false;
    if (level.shape->free_names != nullptr) return !value.empty() && value[0] == '{';
    return level.shape->find(key) != nullptr;
  }

  static bool out_of_order(const Level& level, std::string_view key) {
    const KeyShape* shape = level.shape->find(key);
    return shape != nullptr && level.last != nullptr && shape <= level.last;
  }

  /// The innermost open mapping that knows the key, or the number of levels.
  std::size_t knower(std::string_view key, std::string_view value) const {
    for (std::size_t i = stack_.size(); i > 0; --i) {
      if (knows(stack_[i - 1], key, value)) return i - 1;
    }
    return stack_.size();
  }

  void item(std::string_view content, std::string_view line) {
    const auto key = content.empty() || content[0] == '{' ? std::nullopt : key_line(content);
    std::size_t level = stack_.size();
    for (std::size_t i = stack_.size(); i > 0 && level == stack_.size(); --i) {
      const Level& candidate = stack_[i - 1];
      if (!candidate.list) continue;
      // No list of mappings stands in another: an item of one is the inner one's, whatever its key.
      const bool is_mapping = key || (!content.empty() && content[0] == '{');
      if (is_mapping == (candidate.shape != nullptr)) level = i - 1;
    }
    if (level == stack_.size()) return emit(line, stack_.back().indent);
    stack_.resize(level + 1);
    const Level list = stack_.back();
    emit(line, list.indent);
    if (key) {
      stack_.push_back({list.shape, false, list.indent + 2});
      enter(*key);
    } else {
      open_.read(content);
    }
  }

  /// What the value of a key opens. The innermost level is the key's mapping.
  void enter(const KeyLine& line) {
    const MapShape* shape = stack_.back().shape;
    const KeyShape* key = shape == nullptr ? nullptr : shape->find(line.key);
    if (key != nullptr) stack_.back().last = key;
    if (opens_block_scalar(line.value)) {
      in_text_ = true;
      return;
    }
    open_.read(line.value);
    if (key == nullptr || !line.value.empty()) return;
    const std::size_t indent = stack_.back().indent + 2;
    if (key->value == KeyShape::Value::kMapping) stack_.push_back({key->child, false, indent});
    if (key->value == KeyShape::Value::kList) stack_.push_back({key->child, true, indent});
  }

  std::vector<Level> stack_;
  std::vector<std::string_view> comments_;
  OpenEnds open_;
  bool in_text_ = false;
  int number_ = 0;
  std::vector<std::string> result_;
  std::vector<int> doubtful_;
};

/// True if a structure that was rebuilt is not that of a contract.
bool is_misbuilt(const std::string& text) {
  constexpr std::array<std::string_view, 6> kKinds = {"BadScalarType",   "DuplicateKey",
                                                      "IndentationLost", "MissingRequiredField",
                                                      "TabIndentation",  "Yaml"};
  const Document document = parse_document(text, "");
  return std::any_of(document.diagnostics.begin(), document.diagnostics.end(),
                     [&](const Diagnostic& fault) {
                       return std::find(kKinds.begin(), kKinds.end(), fault.kind) != kKinds.end();
                     });
}

}  // namespace

RebuiltLines rebuilt_lines(const Lines& lines, Chunk chunk, const MapShape& shape) {
  return Rebuilder(shape).run(lines, chunk);
}

std::optional<std::string> repair_indentation(const std::string& text) {
  const Lines lines = split_lines(text);
  Reporter unheard("");
  const Markdown markdown = split_markdown(lines, unheard);
  std::vector<std::pair<Chunk, const MapShape*>> chunks;
  if (markdown.front_matter) chunks.emplace_back(*markdown.front_matter, &front_matter_shape());
  for (const Section& section : markdown.sections) {
    if (section.block) chunks.emplace_back(*section.block, &block_shape());
  }
  // Views of lines point into the text: what stands between them (line ends, a byte order mark) is
  // copied with what stays.
  std::string result;
  std::size_t copied = 0;
  bool changed = false;
  for (const auto& [chunk, shape] : chunks) {
    Reporter faults("");
    const ParsedYaml parsed = parse_yaml(lines, chunk, *shape, faults);
    if (!parsed.rebuilt) continue;
    if (!parsed.good()) return std::nullopt;
    const std::vector<std::string> rebuilt = rebuilt_lines(lines, chunk, *shape).lines;
    for (int number = chunk.first; number < chunk.end; ++number) {
      const std::string_view old = lines[static_cast<std::size_t>(number) - 1];
      const auto at = static_cast<std::size_t>(old.data() - text.data());
      result.append(text, copied, at - copied);
      result += rebuilt[static_cast<std::size_t>(number - chunk.first)];
      copied = at + old.size();
      changed = true;
    }
  }
  if (!changed) return std::nullopt;
  result.append(text, copied);
  if (is_misbuilt(result)) return std::nullopt;
  return result;
}

}  // namespace assay::fkc
