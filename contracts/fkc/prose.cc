#include "contracts/fkc/prose.h"

#include <iterator>
#include <string>

#include "contracts/fkc/yaml_lines.h"

namespace assay::fkc {

namespace {

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
      const bool apart = content.empty() || content[0] == '#' || content[0] == '|';
      if (apart || content.starts_with("- ") || content.starts_with("* ")) flush();
      if (apart) continue;
      const auto column = static_cast<int>(content.data() - line.data()) + 1;
      paragraph_.push_back({std::string(content), {number, column}});
    }
    flush();
  }

  void comments(Chunk chunk) {
    for (int number = chunk.first; number < chunk.end; ++number) {
      const std::string_view line = lines_[static_cast<std::size_t>(number) - 1];
      const std::size_t hash = comment_start(line);
      const bool own_line = hash != std::string_view::npos && trim(line.substr(0, hash)).empty();
      if (!own_line) flush();
      if (hash == std::string_view::npos) continue;
      paragraph_.push_back(
          {std::string(line.substr(hash + 1)), {number, static_cast<int>(hash) + 2}});
    }
    flush();
  }

  std::vector<Sentence> take() { return std::move(sentences_); }

 private:
  void flush() {
    std::vector<Sentence> sentences = sentences_of(paragraph_);
    std::move(sentences.begin(), sentences.end(), std::back_inserter(sentences_));
    paragraph_.clear();
  }

  const Lines& lines_;
  std::vector<ProseLine> paragraph_;
  std::vector<Sentence> sentences_;
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
