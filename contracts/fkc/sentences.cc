#include "contracts/fkc/sentences.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace assay::fkc {

namespace {

constexpr std::string_view kEmDash = "\xE2\x80\x94";
constexpr std::string_view kAtMost = "\xE2\x89\xA4";
constexpr std::string_view kAtLeast = "\xE2\x89\xA5";

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_:^'.").find(c) != std::string_view::npos;
}

/// Abbreviations whose period ends no sentence.
bool is_abbreviation(std::string_view word) {
  constexpr std::array<std::string_view, 5> kWords = {"e.g", "i.e", "vs", "cf", "approx"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

class Splitter {
 public:
  std::vector<Sentence> run(const std::vector<ProseLine>& paragraph) {
    for (const ProseLine& line : paragraph) {
      if (!current_.text.empty()) current_.text += ' ';
      read(line);
    }
    finish();
    return std::move(sentences_);
  }

 private:
  void read(const ProseLine& line) {
    const std::string_view text = line.text;
    std::size_t i = 0;
    while (i < text.size()) {
      const std::size_t start = i;
      const Place place{line.place.line, line.place.column + static_cast<int>(start)};
      if (is_word_char(text[i])) {
        while (i < text.size() && is_word_char(text[i])) ++i;
        current_.text.append(text, start, i - start);
        if (word(text.substr(start, i - start), place) && ends_clause(text, i)) finish();
        continue;
      }
      i += symbol(text.substr(i), place);
      current_.text.append(text, start, i - start);
      if (text[start] == ';' ||
          ((text[start] == '!' || text[start] == '?') && (i == text.size() || text[i] == ' '))) {
        finish();
      }
    }
  }

  /// A period ends a sentence before a blank, a closing mark or the end of the line.
  static bool ends_clause(std::string_view text, std::size_t behind) {
    return behind == text.size() ||
           std::string_view(" \t)*\"`").find(text[behind]) != std::string_view::npos;
  }

  /// Adds a word; true where a period behind it may end the sentence.
  bool word(std::string_view raw, Place place) {
    const bool period = raw.back() == '.';
    const auto is_edge = [](char c) { return c == '.' || c == ':' || c == '\'' || c == '^'; };
    while (!raw.empty() && is_edge(raw.back())) raw.remove_suffix(1);
    while (!raw.empty() && is_edge(raw.front())) {
      raw.remove_prefix(1);
      ++place.column;
    }
    if (raw.empty()) return period;
    std::string lower(raw);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool abbreviation = is_abbreviation(lower);
    add(std::move(lower), place);
    return period && !abbreviation;
  }

  /// Reads one mark that is no part of a word; returns its length.
  std::size_t symbol(std::string_view text, Place place) {
    if (text.starts_with(kEmDash) || text.starts_with(" - ") || text.starts_with("--")) {
      ++part_;
      return text.starts_with(kEmDash) ? kEmDash.size() : 2;
    }
    for (const auto& [mark, words] : {std::pair(kAtMost, "<="), std::pair(kAtLeast, ">=")}) {
      if (!text.starts_with(mark)) continue;
      add(words, place);
      return mark.size();
    }
    if (text.starts_with("->")) return 2;
    if (text.starts_with("<=") || text.starts_with(">=")) {
      add(std::string(text.substr(0, 2)), place);
      return 2;
    }
    if (text[0] == '<' || text[0] == '>') add(std::string(text.substr(0, 1)), place);
    if (text[0] == ',') comma_ = true;
    return 1;
  }

  void add(std::string text, Place place) {
    current_.words.push_back({std::move(text), place, comma_, part_});
    comma_ = false;
  }

  void finish() {
    const std::size_t first = current_.text.find_first_not_of(" \t");
    if (!current_.words.empty()) {
      current_.text.erase(0, first);
      sentences_.push_back(std::move(current_));
    }
    current_ = {};
    comma_ = false;
    part_ = 0;
  }

  std::vector<Sentence> sentences_;
  Sentence current_;
  bool comma_ = false;
  int part_ = 0;
};

}  // namespace

std::vector<Sentence> sentences_of(const std::vector<ProseLine>& paragraph) {
  return Splitter().run(paragraph);
}

}  // namespace assay::fkc
