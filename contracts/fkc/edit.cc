#include "contracts/fkc/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "contracts/fkc/block_shape.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/same_tree.h"
#include "contracts/fkc/text.h"
#include "contracts/fkc/yaml_tree.h"

namespace assay::fkc {

namespace {

/// Bytes [at, at + length) of the text make way for `with`.
struct Replacement {
  std::size_t at = 0;
  std::size_t length = 0;
  std::string with;
};

/// A document's lines, and one of its blocks as a tree.
struct Block {
  Lines lines;
  Chunk chunk;
  Node root;
};

std::optional<Block> block_at(const std::string& text, int section_line) {
  Block block;
  block.lines = split_lines(text);
  if (!text_faults(block.lines).empty()) return std::nullopt;
  Reporter faults("");
  const Markdown markdown = split_markdown(block.lines, faults);
  const auto section =
      std::find_if(markdown.sections.begin(), markdown.sections.end(),
                   [&](const Section& candidate) { return candidate.line == section_line; });
  if (section == markdown.sections.end() || !section->block) return std::nullopt;
  block.chunk = *section->block;
  ParsedYaml parsed = parse_yaml(block.lines, block.chunk, block_shape(), faults);
  if (!parsed.good() || parsed.rebuilt) return std::nullopt;
  block.root = std::move(*parsed.root);
  return block;
}

class Editor {
 public:
  Editor(const std::string& text, const Block& block, const FieldPath& path, std::string_view value)
      : text_(text), block_(block), path_(path), value_(value) {}

  std::variant<Replacement, EditRefusal> run() const {
    const Node* mapping = block_.root.find(path_.mapping);
    if (mapping == nullptr) return add_mapping();
    if (!mapping->is_mapping() || mapping->entries.empty()) {
      return refuse(fmt::format("`{}` is written, and holds no entry", path_.mapping));
    }
    for (const Entry& entry : mapping->entries) {
      if (entry.key.text == path_.key) return replace(entry);
    }
    return add_key(*mapping);
  }

 private:
  EditRefusal refuse(std::string_view what) const {
    return {fmt::format("{}: write `{}: {}` there by hand", what, path_.key, value_)};
  }

  std::string_view line(int number) const {
    return block_.lines[static_cast<std::size_t>(number) - 1];
  }
  std::size_t offset(Place place) const {
    return static_cast<std::size_t>(line(place.line).data() - text_.data()) +
           static_cast<std::size_t>(place.column) - 1;
  }
  /// The rest of the line from a place on.
  std::string_view rest(Place place) const {
    const std::string_view whole = line(place.line);
    const auto begin = static_cast<std::size_t>(place.column) - 1;
    return begin < whole.size() ? whole.substr(begin) : std::string_view();
  }
  /// The line end behind a line.
  std::string_view line_end(int number) const {
    const std::string_view whole = line(number);
    const auto end = static_cast<std::size_t>(whole.data() - text_.data()) + whole.size();
    return text_.compare(end, 2, "\r\n") == 0 ? "\r\n" : "\n";
  }

  std::variant<Replacement, EditRefusal> replace(const Entry& entry) const {
    const Node& old = entry.value;
    if (old.is_null() && old.text.empty()) {  // left out: the value comes behind the colon
      const std::string key = entry.key.text + ":";
      if (!rest(entry.key.place).starts_with(key)) {
        return refuse(
            fmt::format("line {}: this value cannot be changed safely", entry.key.place.line));
      }
      return Replacement{offset(entry.key.place) + key.size(), 0, fmt::format(" {}", value_)};
    }
    const std::string_view written = rest(old.place);
    std::size_t length = old.text.size();
    if (old.is_null()) length = written.starts_with('~') ? 1 : std::string_view("null").size();
    const bool plain =
        !old.quoted && (old.is_null() || (old.is_scalar() && written.starts_with(old.text)));
    if (!plain) {
      return refuse(fmt::format("line {}: this value cannot be changed safely", old.place.line));
    }
    return Replacement{offset(old.place), length, std::string(value_)};
  }

  std::variant<Replacement, EditRefusal> add_key(const Node& mapping) const {
    if (mapping.flow) {
      if (!rest(mapping.place).starts_with('{')) {
        return refuse(
            fmt::format("line {}: this mapping cannot be changed safely", mapping.place.line));
      }
      const bool blank = rest(mapping.place).substr(1).starts_with(' ');
      return Replacement{
          offset(mapping.place) + 1, 0,
          fmt::format("{}{}: {},{}", blank ? " " : "", path_.key, value_, blank ? "" : " ")};
    }
    const Place first = mapping.entries.front().key.place;
    const std::string_view indent =
        line(first.line).substr(0, static_cast<std::size_t>(first.column) - 1);
    if (indent.find_first_not_of(' ') != std::string_view::npos) {
      return refuse(fmt::format("line {}: this mapping cannot be changed safely", first.line));
    }
    return Replacement{offset({first.line, 1}), 0,
                       fmt::format("{}{}: {}{}", indent, path_.key, value_, line_end(first.line))};
  }

  std::variant<Replacement, EditRefusal> add_mapping() const {
    if (block_.root.flow || block_.root.entries.empty()) {
      return refuse("the block is written in braces");
    }
    const int column = block_.root.entries.front().key.place.column;
    const std::string indent(static_cast<std::size_t>(column) - 1, ' ');
    const std::string_view end = line_end(block_.chunk.first - 1);
    return Replacement{offset({block_.chunk.end, 1}), 0,
                       fmt::format("{}{}:{}{}  {}: {}{}", indent, path_.mapping, end, indent,
                                   path_.key, value_, end)};
  }

  const std::string& text_;
  const Block& block_;
  const FieldPath& path_;
  std::string_view value_;
};

Node scalar(std::string_view text) {
  Node node;
  node.kind = Node::Kind::kScalar;
  node.text = text;
  return node;
}

/// Sets `mapping[key]`.
void put(Node& mapping, std::string_view key, Node value) {
  for (Entry& entry : mapping.entries) {
    if (entry.key.text != key) continue;
    entry.value = std::move(value);
    return;
  }
  mapping.entries.push_back({scalar(key), std::move(value)});
}

/// The block as it has to be after the edit.
Node expected(const Node& root, const FieldPath& path, std::string_view value) {
  Node result = root;
  const Node* old = root.find(path.mapping);
  Node mapping;
  if (old != nullptr) mapping = *old;
  mapping.kind = Node::Kind::kMapping;
  put(mapping, path.key, scalar(value));
  put(result, path.mapping, std::move(mapping));
  return result;
}

}  // namespace

std::variant<std::string, EditRefusal> set_field(const std::string& text, const FieldPath& path,
                                                 std::string_view value) {
  const std::optional<Block> block = block_at(text, path.section_line);
  if (!block) {
    return EditRefusal{
        "the section's block has faults or has lost its indentation: see `assay lint`, and "
        "`assay lint --fix`"};
  }
  const auto edit = Editor(text, *block, path, value).run();
  if (const auto* refusal = std::get_if<EditRefusal>(&edit)) return *refusal;
  const auto& replacement = std::get<Replacement>(edit);
  std::string result = text;
  result.replace(replacement.at, replacement.length, replacement.with);
  const std::optional<Block> again = block_at(result, path.section_line);
  if (!again || !same_tree(expected(block->root, path, value), again->root)) {
    return EditRefusal{fmt::format("`{}.{}` cannot be changed safely: write `{}: {}` by hand",
                                   path.mapping, path.key, path.key, value)};
  }
  return result;
}

}  // namespace assay::fkc
