#include "contracts/fkc/prose.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "contracts/fkc/prose_vocabulary.h"
#include "contracts/fkc/yaml_lines.h"

namespace assay::fkc {

namespace {

/// "- a", "* a", "+ a", "1. a", "1) a".
bool is_list_item(std::string_view content) {
  const std::size_t mark = content.find_first_not_of("0123456789");
  if (mark == std::string_view::npos || mark + 1 >= content.size()) return false;
  const std::string_view marks = mark == 0 ? "-*+" : ".)";
  return marks.find(content[mark]) != std::string_view::npos && content[mark + 1] == ' ';
}

/// The line under a heading, or one that parts paragraphs.
bool is_rule(std::string_view content) {
  return content.size() > 1 && (content.find_first_not_of('-') == std::string_view::npos ||
                                content.find_first_not_of('=') == std::string_view::npos);
}

/// "# nan: preserved": a key that was taken out, and promises nothing.
bool is_commented_out(std::string_view comment) {
  comment = trim(comment);
  return is_list_item(comment) || comment.ends_with(':') ||
         comment.find(": ") != std::string_view::npos;
}

class Collector {
 public:
  explicit Collector(const Lines& lines) : lines_(lines) {}

  /// A text of the block: its lines are those of the file only where it is written on one.
  void value(const Node* node) {
    if (node == nullptr || !node->is_scalar()) return;
    const int quote = node->quoted ? 1 : 0;
    paragraph_ = {{node->text, {node->place.line, node->place.column + quote}}};
    flush();
  }

  void text(Chunk chunk) {
    for (int number = chunk.first; number < chunk.end; ++number) {
      const std::string_view line = lines_[static_cast<std::size_t>(number) - 1];
      const std::string_view content = trim(line);
      if (is_rule(content) && !paragraph_.empty() && !in_item_) {
        heading_ok_ = introduces(joined());
        paragraph_.clear();
        continue;
      }
      const bool heading = content.starts_with('#');
      const bool apart = content.empty() || heading || content[0] == '|' || is_rule(content);
      const bool item = is_list_item(content);
      if (apart || item) end_of_text();
      if (heading) {
        heading_ok_ =
            introduces(content.substr(std::min(content.find_first_not_of('#'), content.size())));
        lead_ok_ = true;
      }
      if (apart) continue;
      const auto column = static_cast<int>(content.data() - line.data()) + 1;
      // An indented paragraph behind an item belongs to it.
      if (item || (paragraph_.empty() && column == 1)) in_item_ = item;
      // Indented by four blanks a paragraph is code.
      const bool code = paragraph_.empty() && !in_item_ && column > 4;
      hidden_ = hidden_ || content.find("<!--") != content.npos;
      quoted_ = quoted_ || code || hidden_ || content[0] == '>';
      if (content.find("-->") != content.npos) hidden_ = false;
      paragraph_.push_back({std::string(content), {number, column}});
    }
    end_of_text();
  }

  void comments(Chunk chunk) {
    for (int number = chunk.first; number < chunk.end; ++number) {
      const std::string_view line = lines_[static_cast<std::size_t>(number) - 1];
      const std::size_t hash = comment_start(line);
      const bool own_line = hash != std::string_view::npos && trim(line.substr(0, hash)).empty();
      if (!own_line) flush();
      if (hash == std::string_view::npos) continue;
      plain_ = plain_ && !is_commented_out(line.substr(hash + 1));
      paragraph_.push_back(
          {std::string(line.substr(hash + 1)), {number, static_cast<int>(hash) + 2}});
    }
    flush();
  }

  std::vector<Sentence> take() { return std::move(sentences_); }

 private:
  std::string joined() const {
    std::string text;
    for (const ProseLine& line : paragraph_) text.append(line.text).append(1, ' ');
    return text;
  }

  /// What stands under "Not promised" is not promised. So a list, and a paragraph behind one that
  /// ends without a period, count only where what leads to them leaves nothing open.
  void end_of_text() {
    if (paragraph_.empty()) return;
    plain_ = heading_ok_ && !quoted_ && (lead_ok_ || !(in_item_ || lead_open_));
    const bool leads = !in_item_ && !quoted_;
    quoted_ = false;
    if (leads) {
      const std::string text = joined();
      const std::size_t last = text.find_last_not_of(" *_)`");
      lead_open_ = last == std::string::npos || text[last] != '.';
      lead_ok_ = introduces(text);
    }
    flush();
  }

  void flush() {
    std::vector<Sentence> sentences = sentences_of(paragraph_);
    for (Sentence& sentence : sentences) {
      sentence.plain = sentence.plain && plain_;
      sentence.statement += statements_;
    }
    // The gap tells that no statement follows another one across paragraphs.
    if (!sentences.empty()) statements_ = sentences.back().statement + 2;
    std::move(sentences.begin(), sentences.end(), std::back_inserter(sentences_));
    paragraph_.clear();
    plain_ = true;
  }

  const Lines& lines_;
  std::vector<ProseLine> paragraph_;
  std::vector<Sentence> sentences_;
  int statements_ = 0;
  bool plain_ = true;       ///< of the paragraph
  bool quoted_ = false;     ///< it has a line of a block quotation, of code or of a hidden comment
  bool hidden_ = false;     ///< a comment of HTML is open
  bool in_item_ = false;    ///< it is part of a list
  bool heading_ok_ = true;  ///< of what the paragraph stands under
  bool lead_ok_ = true;     ///< of the last paragraph that is no part of a list
  bool lead_open_ = false;  ///< it ends without a period
};

}  // namespace

std::vector<Sentence> prose_of(const Node& root, const Lines& lines, const Section& section) {
  Collector collector(lines);
  collector.value(root.find("blurb"));
  const Node* precision = root.find("precision");
  if (precision != nullptr) collector.value(precision->find("notes"));
  for (const Chunk& chunk : section.prose) collector.text(chunk);
  if (section.block) collector.comments(*section.block);
  return collector.take();
}

}  // namespace assay::fkc
