#include "contracts/fkc/formatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "contracts/fkc/block_shape.h"
#include "contracts/fkc/document.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/same_tree.h"
#include "contracts/fkc/scalar.h"
#include "contracts/fkc/yaml_lines.h"
#include "contracts/fkc/yaml_tree.h"

namespace assay::fkc {

namespace {

struct Comment {
  int line = 0;
  std::size_t at = 0;  ///< the index of its `#`
  std::string text;    ///< from the `#` on
  bool own_line = false;
  bool goes_on = false;  ///< it stands in the line behind another comment: one text to readers
  bool below = false;    ///< it goes on with a comment behind a value, right below that one's `#`
};

std::vector<Comment> comments_of(const Lines& lines, Chunk chunk) {
  std::vector<Comment> comments;
  OpenEnds open;
  std::size_t text_indent = std::string_view::npos;  // of the key whose block scalar goes on
  for (int number = chunk.first; number < chunk.end; ++number) {
    const std::string_view line = lines[static_cast<std::size_t>(number) - 1];
    const std::size_t indent = line.find_first_not_of(" \t");
    if (indent == std::string_view::npos) continue;
    if (text_indent != std::string_view::npos && indent > text_indent) continue;
    text_indent = std::string_view::npos;
    const bool starts_inside = open.any();
    const std::size_t hash = open.read(line);
    if (hash != std::string_view::npos) {
      Comment comment{number, hash, std::string(trim(line.substr(hash))), hash == indent};
      if (comment.own_line && !comments.empty() && comments.back().line == number - 1) {
        const Comment& last = comments.back();
        comment.goes_on = true;
        comment.below = last.at == hash && (last.below || !last.own_line);
      }
      comments.push_back(std::move(comment));
    }
    if (starts_inside || open.any()) continue;
    const std::string_view content = trim(line.substr(0, hash));
    const std::size_t colon = content.rfind(": ");
    const std::string_view value =
        colon == std::string_view::npos ? std::string_view() : trim(content.substr(colon + 2));
    if (opens_block_scalar(value)) text_indent = indent;
  }
  return comments;
}

/// What a comment can stand at: an entry of a mapping or an item of a list that is written in block
/// style. Comments inside brackets belong to what the brackets belong to.
class Anchors {
 public:
  struct Text {
    std::string text;
    int number = 0;  ///< of the comment among those of the block
    bool goes_on = false;
  };
  using Texts = std::vector<Text>;

  Anchors(const Node& root, const std::vector<Comment>& comments) {
    collect(root);
    std::stable_sort(anchors_.begin(), anchors_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const Comment& comment : comments) place(comment);
  }

  const Texts& before(const void* node) const { return find(before_, node); }
  /// The first is behind the value, the others go on below it.
  const Texts& behind(const void* node) const { return find(behind_, node); }
  const Texts& at_end() const { return at_end_; }

 private:
  using Places = std::map<const void*, Texts>;

  static const Texts& find(const Places& places, const void* node) {
    static const Texts none;
    const auto entry = places.find(node);
    return entry == places.end() ? none : entry->second;
  }

  // Trees are at most kMaxNesting deep.
  void collect(const Node& node) {
    if (node.flow) return;
    for (const Entry& entry : node.entries) {
      anchors_.emplace_back(entry.key.place.line, &entry);
      collect(entry.value);
    }
    for (const Node& item : node.items) {
      anchors_.emplace_back(item.place.line, &item);
      if (item.is_mapping()) collect(item);
    }
  }

  void place(const Comment& comment) {
    if (!comment.below) last_ = &texts_for(comment);
    last_->push_back({comment.text, ++count_, comment.goes_on});
  }

  Texts& texts_for(const Comment& comment) {
    const auto by_line = [](int line, const auto& anchor) { return line < anchor.first; };
    const auto next = std::upper_bound(anchors_.begin(), anchors_.end(), comment.line, by_line);
    if (comment.own_line || next == anchors_.begin()) {
      return next == anchors_.end() ? at_end_ : before_[next->second];
    }
    const auto own = std::prev(next);
    return own->first == comment.line ? behind_[own->second] : before_[own->second];
  }

  std::vector<std::pair<int, const void*>> anchors_;
  Places before_;
  Places behind_;
  Texts at_end_;
  Texts* last_ = nullptr;
  int count_ = 0;
};

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

/// Words that YAML readers take for something else than text.
bool is_special(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  constexpr std::string_view kWords[] = {"y",   "n",    "yes",   "no",  "on",
                                         "off", "true", "false", "null"};
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

/// A text that needs no quotes anywhere: a name, perhaps with `::`, `.`, `-` or a call's brackets.
bool is_bare(std::string_view text) {
  if (text.empty() || !is_name(text.substr(0, 1)) || text.back() == ':') return false;
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return is_name(std::string_view(&c, 1)) || (c >= '0' && c <= '9') ||
           std::string_view("():.-").find(c) != std::string_view::npos;
  });
  return plain && !is_special(std::string(text));
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (text[i] == '"' || text[i] == '\\') {
      result += '\\';
      result += text[i];
    } else if (text[i] == '\n') {
      result += "\\n";
    } else if (text[i] == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else if (text.substr(i, 3) == "\xEF\xBB\xBF") {  // no byte order mark inside a document
      result += "\\uFEFF";
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result + "\"";
}

std::string scalar(const Node& node, KeyShape::Value kind, bool in_brackets) {
  if (node.is_null()) return "~";
  const bool number_or_word = !node.quoted && (parse_number(node.text) || is_special(node.text));
  if (kind == KeyShape::Value::kText) return number_or_word ? node.text : in_quotes(node.text);
  if (node.quoted) return is_bare(node.text) ? node.text : in_quotes(node.text);
  const bool breaks = node.text.find('\n') != std::string::npos ||
                      (in_brackets && node.text.find_first_of(",[]{}") != std::string::npos);
  return breaks ? in_quotes(node.text) : node.text;
}

std::string key_text(const Node& key) {
  return is_name(key.text) && !is_special(key.text) ? key.text : in_quotes(key.text);
}

const MapShape& nothing_known() {
  static const MapShape shape;
  return shape;
}

const MapShape& child_shape(const KeyShape* key) {
  return key == nullptr || key->child == nullptr ? nothing_known() : *key->child;
}

KeyShape::Value scalar_kind(const KeyShape* key) {
  return key == nullptr ? KeyShape::Value::kToken : key->value;
}

std::vector<const Entry*> in_order(const Node& mapping, const MapShape& shape) {
  std::vector<const Entry*> entries;
  for (const Entry& entry : mapping.entries) entries.push_back(&entry);
  const auto rank = [&](const Entry* entry) {
    const KeyShape* key = shape.find(entry->key.text);
    return key == nullptr ? shape.keys.size() : static_cast<std::size_t>(key - shape.keys.data());
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry* a, const Entry* b) { return rank(a) < rank(b); });
  return entries;
}

/// On one line, in brackets. `shape` is that of the mapping, or of a list's mappings.
std::string in_line(const Node& node, const MapShape& shape, KeyShape::Value kind) {
  std::string content;
  const auto append = [&](const std::string& part) {
    content += (content.empty() ? "" : ", ") + part;
  };
  if (node.is_mapping()) {
    for (const Entry* entry : in_order(node, shape)) {
      const KeyShape* key = shape.find(entry->key.text);
      const MapShape& inner = shape.free_names == nullptr ? child_shape(key) : *shape.free_names;
      append(key_text(entry->key) + ": " + in_line(entry->value, inner, scalar_kind(key)));
    }
    return content.empty() ? "{}" : "{ " + content + " }";
  }
  if (node.is_sequence()) {
    for (const Node& item : node.items) append(in_line(item, shape, KeyShape::Value::kToken));
    return "[" + content + "]";
  }
  return scalar(node, kind, true);
}

class Writer {
 public:
  explicit Writer(const Anchors& anchors) : anchors_(anchors) {}

  std::vector<std::string> run(const Node& root, const MapShape& shape) {
    mapping(root, shape, 0, {});
    comments(anchors_.at_end(), 0);
    return std::move(lines_);
  }

 private:
  /// `first` is what stands before the first key: the dash of a list item.
  void mapping(const Node& node, const MapShape& shape, std::size_t indent, std::string first) {
    for (const Entry* entry : in_order(node, shape)) {
      const KeyShape* key = shape.find(entry->key.text);
      const MapShape& inner = shape.free_names == nullptr ? child_shape(key) : *shape.free_names;
      comments_before(entry, indent);
      std::string line =
          first.empty() ? std::string(indent, ' ') : std::exchange(first, std::string());
      line += key_text(entry->key) + ":";
      const Node& value = entry->value;
      const bool opens = !value.flow && (value.is_mapping() || value.is_sequence());
      if (!opens) line += " " + in_line_or_scalar(value, inner, scalar_kind(key));
      end_line(std::move(line), entry);
      if (!opens) continue;
      if (value.is_mapping()) {
        mapping(value, inner, indent + 2, {});
      } else {
        sequence(value, inner, indent + 2);
      }
    }
  }

  void sequence(const Node& node, const MapShape& shape, std::size_t indent) {
    for (const Node& item : node.items) {
      const std::string dash = std::string(indent, ' ') + "- ";
      comments_before(&item, indent);
      if (item.is_mapping() && !item.flow) {
        // A comment behind the item's first line stands at the item's first key.
        mapping(item, shape, indent + 2, dash);
      } else {
        end_line(dash + in_line_or_scalar(item, shape, KeyShape::Value::kToken), &item);
      }
    }
  }

  static std::string in_line_or_scalar(const Node& node, const MapShape& shape,
                                       KeyShape::Value kind) {
    const bool brackets = node.is_mapping() || node.is_sequence();
    return brackets ? in_line(node, shape, kind) : scalar(node, kind, false);
  }

  void comments_before(const void* node, std::size_t indent) {
    comments(anchors_.before(node), indent);
  }

  void comments(const Anchors::Texts& texts, std::size_t indent) {
    for (const Anchors::Text& comment : texts) {
      // Comments of neighbouring lines are one text: others stay apart.
      const bool one_text = comment.goes_on && comment.number == last_comment_ + 1;
      if (last_comment_ != 0 && !one_text) lines_.emplace_back();
      lines_.push_back(std::string(indent, ' ') + comment.text);
      last_comment_ = comment.number;
    }
  }

  void end_line(std::string line, const void* node) {
    const Anchors::Texts& texts = anchors_.behind(node);
    last_comment_ = texts.empty() ? 0 : texts.back().number;
    if (texts.empty()) return lines_.push_back(std::move(line));
    const std::string below(line.size() + 2, ' ');
    lines_.push_back(line + "  " + texts.front().text);
    for (std::size_t i = 1; i < texts.size(); ++i) lines_.push_back(below + texts[i].text);
  }

  const Anchors& anchors_;
  std::vector<std::string> lines_;
  int last_comment_ = 0;  ///< the number of the last line's comment; 0 where it has none
};

std::size_t hashes(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '#'));
}

// Trees are at most kMaxNesting deep.
std::size_t hashes(const Node& node) {
  std::size_t count = hashes(node.text);
  for (const Node& item : node.items) count += hashes(item);
  for (const Entry& entry : node.entries) count += hashes(entry.key) + hashes(entry.value);
  return count;
}

/// True if `comments` are the comments of the chunk whose tree is `root`, by the word of the YAML
/// parser: without them the tree is the same, so that each is one, and every other `#` stands in a
/// value, so that none was overlooked. In doubt false.
bool are_comments(const std::vector<Comment>& comments, const Lines& lines, Chunk chunk,
                  const MapShape& shape, const Node& root) {
  std::vector<std::string_view> rest;
  std::size_t left = 0;
  auto comment = comments.begin();
  for (int number = chunk.first; number < chunk.end; ++number) {
    std::string_view line = lines[static_cast<std::size_t>(number) - 1];
    // A written-out `#` would make up for an overlooked one.
    for (const std::string_view escape : {"\\x23", "\\u0023", "\\U00000023"}) {
      if (line.find(escape) != std::string_view::npos) return false;
    }
    if (comment != comments.end() && comment->line == number) {
      line = line.substr(0, comment->at);
      const bool own_line = (comment++)->own_line;
      if (own_line) continue;
    }
    left += hashes(line);
    rest.push_back(line);
  }
  if (left != hashes(root)) return false;
  if (comments.empty()) return true;
  Reporter faults("");
  const ParsedYaml bare = parse_yaml(rest, {1, static_cast<int>(rest.size()) + 1}, shape, faults);
  return bare.good() && same_tree(root, *bare.root);
}

/// The chunk's lines in canonical form.
std::optional<std::vector<std::string>> formatted_chunk(const Lines& lines, Chunk chunk,
                                                        const MapShape& shape) {
  Reporter faults("");
  const ParsedYaml parsed = parse_yaml(lines, chunk, shape, faults);
  if (!parsed.good() || parsed.rebuilt) return std::nullopt;
  const std::vector<Comment> comments = comments_of(lines, chunk);
  if (!are_comments(comments, lines, chunk, shape, *parsed.root)) return std::nullopt;
  const Anchors anchors(*parsed.root, comments);
  std::vector<std::string> result = Writer(anchors).run(*parsed.root, shape);
  const Lines views(result.begin(), result.end());
  if (!text_faults(views).empty()) return std::nullopt;
  const Chunk whole{1, static_cast<int>(views.size()) + 1};
  const ParsedYaml again = parse_yaml(views, whole, shape, faults);
  if (!again.good() || !same_tree(*parsed.root, *again.root)) return std::nullopt;
  const std::vector<Comment> written = comments_of(views, whole);
  if (!are_comments(written, views, whole, shape, *again.root)) return std::nullopt;
  // Comments may share a line now; none is lost.
  const auto marks = [](const std::vector<Comment>& list) {
    std::size_t length = 0;
    for (const Comment& comment : list) {
      length += static_cast<std::size_t>(
          std::count_if(comment.text.begin(), comment.text.end(), [](char c) { return c != ' '; }));
    }
    return length;
  };
  if (marks(written) != marks(comments)) return std::nullopt;
  return result;
}

/// What a document promises, and what is noted about its promises, in words.
std::vector<std::string> promises_of(const std::string& text) {
  std::vector<std::string> promises;
  const Document document = parse_document(text, "");
  for (const Diagnostic& fault : document.diagnostics) {
    const bool of_prose = fault.kind == "ProseDisagrees" || fault.kind == "ProseUnclear";
    if (of_prose) promises.push_back(fault.message);
  }
  std::sort(promises.begin(), promises.end());  // places move
  for (const KernelContract& kernel : document.kernels) {
    promises.push_back(kernel.kernel);
    // Of disputed ones the diagnostics tell.
    for (const Claim& claim : kernel.claims) {
      promises.push_back(fmt::format("{} {}", row(claim.kind).id, claim.declared));
    }
    for (const Interval& outside : kernel.caller_error) {
      promises.push_back(fmt::format("outside {} {} {} {}", outside.lower.value_or("-"),
                                     outside.lower_inclusive, outside.upper.value_or("-"),
                                     outside.upper_inclusive));
    }
    promises.push_back(kernel.caller_error_nan ? "outside nan" : "inside nan");
  }
  return promises;
}

}  // namespace

std::optional<std::string> formatted(const std::string& text) {
  const Lines lines = split_lines(text);
  Reporter faults("");
  const Markdown markdown = split_markdown(lines, faults);
  if (!markdown.front_matter || !text_faults(lines).empty()) return std::nullopt;
  std::vector<std::pair<Chunk, const MapShape*>> chunks = {
      {*markdown.front_matter, &front_matter_shape()}};
  for (const Section& section : markdown.sections) {
    if (!section.block) return std::nullopt;
    chunks.emplace_back(*section.block, &block_shape());
  }
  const std::string line_end = text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  std::string result;
  std::size_t copied = 0;
  for (const auto& [chunk, shape] : chunks) {
    const auto block = formatted_chunk(lines, chunk, *shape);
    if (!block) return std::nullopt;
    const auto start = [&](int line) {
      return static_cast<std::size_t>(lines[static_cast<std::size_t>(line) - 1].data() -
                                      text.data());
    };
    result.append(text, copied, start(chunk.first) - copied);
    for (const std::string& line : *block) result += line + line_end;
    copied = start(chunk.end);
  }
  result.append(text, copied);
  // Comments are prose: where keys change places, a sentence may lose its end, or get another one.
  if (promises_of(result) != promises_of(text)) return std::nullopt;
  return result;
}

}  // namespace assay::fkc
