#include "contracts/fkc/sentences.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace assay::fkc {

namespace {

constexpr std::string_view kApostrophe = "\xE2\x80\x99";
/// Marks that part words and change nothing: dashes, arrows, "+-", and blanks that do not break.
constexpr std::array<std::string_view, 5> kMarks = {"\xE2\x80\x94", "\xE2\x80\x93", "\xE2\x86\x92",
                                                    "\xC2\xB1", "\xC2\xA0"};
/// Behind these, words may be somebody else's, or taken back.
constexpr std::array<std::string_view, 8> kQuotes = {"\"",           "~~",           "\xE2\x80\x9C",
                                                     "\xE2\x80\x9D", "\xE2\x80\x9E", "\xC2\xAB",
                                                     "\xC2\xBB",     "\xE2\x80\x98"};
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
    if (quoted_) {
      for (Sentence& sentence : sentences_) sentence.plain = false;
    }
    return std::move(sentences_);
  }

 private:
  void read(const ProseLine& line) {
    const std::string_view text = line.text;
    std::size_t i = 0;
    while (i < text.size()) {
      const std::size_t start = i;
      const Place place{line.place.line, line.place.column + static_cast<int>(start)};
      if (const std::size_t end = word_end(text, i); end > i) {
        i = end;
        current_.text.append(text, start, i - start);
        if (word(text.substr(start, i - start), place) && ends_clause(text, i)) {
          finish();
          ended_ = true;
        }
        continue;
      }
      i += symbol(text.substr(i), place);
      current_.text.append(text, start, i - start);
      const bool blank_follows = i == text.size() || text[i] == ' ';
      if (text[start] == ';') finish();
      if ((text[start] == '!' || text[start] == '?') && blank_follows) {
        finish();
        ended_ = true;
      }
    }
  }

  /// Where the word ends that starts at `i`; `i` where none does.
  static std::size_t word_end(std::string_view text, std::size_t i) {
    while (i < text.size()) {
      if (is_word_char(text[i])) {
        ++i;
      } else if (text.substr(i, kApostrophe.size()) == kApostrophe) {
        i += kApostrophe.size();
      } else {
        break;
      }
    }
    return i;
  }

  /// A period ends a sentence before a blank, a closing mark or the end of the line.
  static bool ends_clause(std::string_view text, std::size_t behind) {
    return behind == text.size() ||
           std::string_view(" \t)*\"`").find(text[behind]) != std::string_view::npos;
  }

  /// Adds a word; true where a period behind it may end the sentence.
  bool word(std::string_view written, Place place) {
    std::string plain(written);
    for (std::size_t at = plain.find(kApostrophe); at != std::string::npos;
         at = plain.find(kApostrophe, at)) {
      plain.replace(at, kApostrophe.size(), "'");
    }
    std::string_view raw = plain;
    const bool colon = raw.back() == ':';
    const bool period = raw.back() == '.';
    const auto is_edge = [](char c) {
      return c == '.' || c == ':' || c == '\'' || c == '^' || c == '_';
    };
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
    if (ended_ && std::islower(static_cast<unsigned char>(raw[0])) == 0 &&
        std::isdigit(static_cast<unsigned char>(raw[0])) == 0) {
      ++statement_;
    }
    ended_ = false;
    add(std::move(lower), place);
    apart_ = colon;
    return period && !abbreviation;
  }

  /// Reads one mark that is no part of a word; returns its length.
  std::size_t symbol(std::string_view text, Place place) {
    const auto at = [&](std::string_view mark) { return text.starts_with(mark); };
    for (const auto& [mark, words] : {std::pair(kAtMost, "<="), std::pair(kAtLeast, ">=")}) {
      if (!at(mark)) continue;
      add(words, place);
      return mark.size();
    }
    if (at("->")) return 2;
    if (at("<=") || at(">=")) {
      add(std::string(text.substr(0, 2)), place);
      return 2;
    }
    if (text[0] == '<' || text[0] == '>') {
      add(std::string(text.substr(0, 1)), place);
      return 1;
    }
    quoted_ = quoted_ || std::any_of(kQuotes.begin(), kQuotes.end(), at);
    if (const auto mark = std::find_if(kMarks.begin(), kMarks.end(), at); mark != kMarks.end()) {
      apart_ = true;
      return mark->size();
    }
    if (std::string_view(",()[]").find(text[0]) != std::string_view::npos || at("--") ||
        at(" - ")) {
      apart_ = true;
    }
    // What is unknown may mean anything, and so may a question.
    if (std::string_view(" \t\n,;()[]/+-*`=").find(text[0]) == std::string_view::npos) {
      current_.plain = false;
    }
    return 1;
  }

  void add(std::string text, Place place) {
    current_.words.push_back({std::move(text), place, apart_});
    apart_ = false;
  }

  void finish() {
    const std::size_t first = current_.text.find_first_not_of(" \t");
    if (!current_.words.empty()) {
      current_.text.erase(0, first);
      current_.statement = statement_;
      sentences_.push_back(std::move(current_));
    } else if (!current_.plain && !sentences_.empty()) {
      sentences_.back().plain = false;  // marks alone belong to what they stand behind
    }
    current_ = {};
    apart_ = false;
  }

  std::vector<Sentence> sentences_;
  Sentence current_;
  bool apart_ = false;
  bool ended_ = false;   ///< by a period, `!` or `?`
  bool quoted_ = false;  ///< the paragraph has a mark of quotation or strikethrough
  int statement_ = 0;
};

}  // namespace

std::vector<Sentence> sentences_of(const std::vector<ProseLine>& paragraph) {
  return Splitter().run(paragraph);
}

}  // namespace assay::fkc
