#include "contracts/fkc/yaml_events.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "contracts/fkc/yaml_lines.h"
#include "contracts/unicode.h"

namespace assay::fkc {

namespace {

/// Ends the parse where nesting is too deep; never leaves this file.
struct TooDeep : std::exception {};

bool is_norway_token(std::string text) {
  constexpr std::array<std::string_view, 6> kTokens = {"y", "n", "yes", "no", "on", "off"};
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(kTokens.begin(), kTokens.end(), text) != kTokens.end();
}

/// yaml-cpp makes one byte of the escapes `\N` (U+0085) and `\_` (U+00A0). The document is UTF-8,
/// so a byte that is not can only come from them.
std::string as_utf8(const std::string& value) {
  std::string result;
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t length = first_code_point(std::string_view(value).substr(i)).length;
    if (length == 0) result += '\xC2';
    result.append(value, i, std::max<std::size_t>(1, length));
    i += std::max<std::size_t>(1, length);
  }
  return result;
}

/// Builds the tree from yaml-cpp's events and reports what the subset refuses.
class Builder final : public YAML::EventHandler {
 public:
  Builder(std::string_view text, int first_line, Reporter& reporter)
      : text_(text), first_line_(first_line), reporter_(reporter) {}

  /// The tree, unless a fault leaves its form uncertain.
  std::optional<Node> take_root() {
    return uncertain_ ? std::nullopt : std::exchange(root_, std::nullopt);
  }

  /// True if values are missing from the tree that the document means to have.
  bool holes() const { return holes_; }

  /// Where a quote opens that runs to the end of the text.
  std::optional<Place> open_quote() const { return open_quote_; }

  Place place(const YAML::Mark& mark) const {
    if (mark.is_null()) return {first_line_, 1};
    return {first_line_ + mark.line, mark.column + 1};
  }

  /// The byte of the chunk at `mark`, or NUL behind its end.
  char byte_at(const YAML::Mark& mark) const {
    const auto position = static_cast<std::size_t>(mark.pos);
    return mark.pos >= 0 && position < text_.size() ? text_[position] : '\0';
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    Node node;
    node.place = place(mark);
    // yaml-cpp marks a value that was left out where the next token stands; people look for it at
    // its key.
    const Place* key = pending_key();
    const bool written = byte_at(mark) == '~' || byte_at(mark) == 'n' || byte_at(mark) == 'N';
    if (written && (key == nullptr || key->line == node.place.line)) {
      node.text = "~";
    } else if (key != nullptr) {
      node.place = *key;
    }
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse_alias(mark);
    Node node;
    node.text = "*";
    node.place = place(mark);
    add(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    Node node;
    node.kind = Node::Kind::kScalar;
    node.text = as_utf8(value);
    node.quoted = tag == "!";
    node.place = place(mark);
    const char first = byte_at(mark);
    if (first == '"' || first == '\'') {
      // yaml-cpp takes the end of the input for the closing quote.
      if (end_of_quoted(text_, static_cast<std::size_t>(mark.pos)) == std::string_view::npos) {
        reporter_.error("Yaml", node.place, "this quote is not closed",
                        fmt::format("end the value with {}", first));
        open_quote_ = node.place;
        uncertain_ = true;
      }
    }
    scalar_end_ = 0;
    const auto position = static_cast<std::size_t>(std::max(0, mark.pos));
    if (!node.quoted && position < text_.size() &&
        text_.substr(position, node.text.size()) == node.text) {
      scalar_end_ = position + node.text.size();
    }
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(Node::Kind::kSequence, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(Node::Kind::kMapping, mark, tag, anchor, style);
  }
  void OnMapEnd() override { close(); }

  void refuse_alias(const YAML::Mark& mark) {
    holes_ = true;
    reporter_.error("AliasDisallowed", place(mark), "an alias (*name)",
                    "write the value out, or quote the text");
  }

 private:
  struct Frame {
    Node node;
    std::optional<Node> key;                          ///< a mapping's key that waits for its value
    std::size_t key_end = 0;                          ///< the byte behind it; 0: not known
    std::map<std::string, int, std::less<>> seen_at;  ///< a mapping's keys and their lines
  };

  const Place* pending_key() const {
    return !stack_.empty() && stack_.back().key ? &stack_.back().key->place : nullptr;
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor == 0) return;
    reporter_.error("AnchorDisallowed", place(mark), "an anchor (&name)",
                    "write the value out where it is used, or quote the text");
  }

  /// Untagged nodes have the tags "?" (plain) and "!" (quoted); a written "!" begins with itself.
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag == "?" || tag.empty() || (tag == "!" && byte_at(mark) != '!')) return;
    // Properties come in any order: behind an anchor the mark stands on the anchor.
    if (tag == "!" && byte_at(mark) == '&') return;
    reporter_.error("Yaml", place(mark), "an explicit tag (!type)",
                    "the schema fixes the types; remove the tag, or quote the text");
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (stack_.size() >= kMaxNesting) {
      reporter_.error("Yaml", place(mark), fmt::format("nested deeper than {} levels", kMaxNesting),
                      "no field of a contract is nested that deep");
      throw TooDeep();
    }
    Frame frame;
    frame.node.kind = kind;
    frame.node.flow = style == YAML::EmitterStyle::Flow;
    frame.node.place = place(mark);
    stack_.push_back(std::move(frame));
  }

  void close() {
    Node node = std::move(stack_.back().node);
    stack_.pop_back();
    add(std::move(node));
  }

  void add(Node node) {
    if (stack_.empty()) {
      if (root_) {
        reporter_.error("Yaml", node.place, "something stands behind the end of the mapping",
                        "a block holds one mapping");
        uncertain_ = true;
      } else {
        root_ = std::move(node);
      }
      return;
    }
    Frame& top = stack_.back();
    if (top.node.is_mapping() && !top.key) {
      check_key(node, top);
      top.key_end = node.is_scalar() ? scalar_end_ : 0;
      top.key = std::move(node);
      return;
    }
    check_value(node, top);
    if (top.node.is_mapping()) {
      top.node.entries.push_back({std::move(*top.key), std::move(node)});
      top.key.reset();
    } else {
      top.node.items.push_back(std::move(node));
    }
  }

  void check_key(const Node& key, Frame& frame) {
    if (!key.is_scalar()) {
      reporter_.error("Yaml", key.place, "a key that is no plain text",
                      "a mapping's keys are the names of fields");
      uncertain_ = true;
      return;
    }
    if (key.text == "<<" && !key.quoted) {
      reporter_.error("MergeKeyDisallowed", key.place, "a merge key (<<)", "write the fields out");
      holes_ = true;
    }
    if (!key.quoted && key.text.find(':') != std::string::npos) {
      reporter_.error("Yaml", key.place, fmt::format("\"{}\" is read as one key", key.text),
                      "put a blank behind the colon");
      uncertain_ = true;
    }
    const auto [entry, is_new] = frame.seen_at.emplace(key.text, key.place.line);
    if (!is_new) {
      reporter_.error(
          "DuplicateKey", key.place,
          fmt::format("\"{}\" is given twice, first in line {}", key.text, entry->second),
          "keep one of them");
    }
  }

  /// `{ kind: (usize, usize) }` has the keys `kind` and `usize)`, and neither is what was meant.
  void check_has_value(const Node& value, const Frame& frame) {
    if (!frame.node.flow || frame.key_end == 0 || !value.is_null() || !value.text.empty()) return;
    if (frame.key->text.find(':') != std::string::npos) return;  // reported as a key
    const std::size_t next = text_.find_first_not_of(" \t\n", frame.key_end);
    if (next == std::string_view::npos || (text_[next] != ',' && text_[next] != '}')) return;
    reporter_.error(
        "Yaml", frame.key->place,
        fmt::format("\"{}\" has no value: in braces a comma begins a new entry", frame.key->text),
        "quote a text that has commas in it");
  }

  void check_value(const Node& value, const Frame& frame) {
    check_has_value(value, frame);
    const bool is_name = frame.key && frame.key->text == "name";
    if (value.is_scalar() && !value.quoted && !is_name && is_norway_token(value.text)) {
      reporter_.error("NorwayToken", value.place,
                      fmt::format("unquoted \"{}\" is a boolean to some YAML readers", value.text),
                      "write true or false, or quote the text");
    }
  }

  std::string_view text_;
  int first_line_;
  Reporter& reporter_;
  std::vector<Frame> stack_;
  std::optional<Node> root_;
  std::size_t scalar_end_ = 0;  ///< the byte behind the last plain scalar; 0 where it is not known
  bool uncertain_ = false;
  bool holes_ = false;
  std::optional<Place> open_quote_;
};

}  // namespace

Parsed run_parser(const Lines& lines, Chunk chunk, Reporter& reporter) {
  Parsed result;
  std::string text;
  for (int line = chunk.first; line < chunk.end; ++line) {
    text += lines[static_cast<std::size_t>(line) - 1];
    text += '\n';
  }
  Builder builder(text, chunk.first, reporter);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      reporter.error("Yaml", {std::max(1, chunk.first - 1), 1}, "the block is empty",
                     "give it the fields of the contract");
      return result;
    }
    // What stands behind the first document would be lost in silence. One look is enough, and
    // yaml-cpp may return the same stray token for ever.
    parser.HandleNextDocument(builder);
  } catch (const TooDeep&) {
    return result;
  } catch (const YAML::Exception& error) {
    if (builder.byte_at(error.mark) == '*') {
      builder.refuse_alias(error.mark);
      return result;
    }
    const Place place = builder.place(error.mark);
    result.open_quote = unclosed_quote(lines, chunk, place.line);
    if (result.open_quote) {
      reporter.error("Yaml", *result.open_quote, "this quote is not closed on its line",
                     fmt::format("the YAML parser gave up at line {}: {}", place.line, error.msg));
    } else {
      reporter.error("Yaml", place, error.msg,
                     "check the indentation, and quote text with \": \", \" #\", brackets or "
                     "commas in it");
    }
    return result;
  }
  result.holes = builder.holes();
  if (const auto quote = builder.open_quote()) {
    const auto first = unclosed_quote(lines, chunk, quote->line);
    result.open_quote = first ? first : quote;
  }
  result.root = builder.take_root();
  if (result.root && !result.root->is_mapping()) {
    reporter.error("Yaml", result.root->place, "not a mapping", "write fields as \"key: value\"");
    result.root.reset();
  }
  return result;
}

}  // namespace assay::fkc
