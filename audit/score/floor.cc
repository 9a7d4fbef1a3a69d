#include "audit/score/floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace assay::score {

namespace {

const FloorRow* row_of(const std::vector<FloorRow>& rows, const std::string& name, Effort effort) {
  const auto row = std::ranges::find_if(
      rows, [&](const FloorRow& one) { return one.name == name && one.effort == effort; });
  return row == rows.end() ? nullptr : &*row;
}

/// "other claim" is two words.
std::string word_for(Outcome outcome) {
  std::string word = to_string(outcome);
  std::ranges::replace(word, ' ', '_');
  return word;
}

template <class Value>
std::string number(const std::optional<Value>& value) {
  return value ? std::to_string(*value) : "-";
}

std::optional<std::uint64_t> number_from(const std::string& word, const std::string& where) {
  if (word == "-") return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) {
    throw std::runtime_error(where + "a number or - is due, not \"" + word + "\"");
  }
  return value;
}

template <class Value>
Value named(const std::string& word, int last, std::string (*name)(Value),
            const std::string& where) {
  for (int i = 0; i <= last; ++i) {
    if (name(static_cast<Value>(i)) == word) return static_cast<Value>(i);
  }
  throw std::runtime_error(where + "unknown word \"" + word + "\"");
}

std::string effort_word(Effort effort) {
  return to_string(effort);
}

std::string line_of(const FloorRow& row) {
  const auto elements = row.size ? std::optional(row.size->elements) : std::nullopt;
  const auto set_bits = row.size ? std::optional(row.size->set_bits) : std::nullopt;
  std::string line = fmt::format("{:<10} {:<46} {:<9} {:>6} {:>6} {:>12}", to_string(row.effort),
                                 row.name, word_for(row.outcome), number(elements),
                                 number(set_bits), number(row.first_violation));
  if (!row.reason.empty()) line += " " + row.reason;
  return line + "\n";
}

/// Fewer elements are better, and among as few, fewer set bits.
bool larger(const std::optional<Size>& size, const std::optional<Size>& floor) {
  if (!floor) return false;
  if (!size) return true;
  if (size->elements != floor->elements) return size->elements > floor->elements;
  return size->set_bits > floor->set_bits;
}

bool caught(Outcome outcome) {
  return outcome == Outcome::kRefuted || outcome == Outcome::kKept;
}

}  // namespace

std::vector<FloorRow> read_floor(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  std::vector<FloorRow> rows;
  int number_of_line = 0;
  for (std::string line; std::getline(file, line);) {
    ++number_of_line;
    if (line.empty() || line.front() == '#') continue;
    const std::string where = fmt::format("{}:{}: ", path.string(), number_of_line);
    std::istringstream words(line);
    std::string effort, outcome, elements, bits, probes;
    FloorRow row;
    if (!(words >> effort >> row.name >> outcome >> elements >> bits >> probes)) {
      throw std::runtime_error(where + "six words are due");
    }
    row.effort = named<Effort>(effort, 2, effort_word, where);
    row.outcome = named<Outcome>(outcome, static_cast<int>(Outcome::kNotRun), word_for, where);
    const auto size = number_from(elements, where);
    const auto set_bits = number_from(bits, where);
    if (size && set_bits) row.size = Size{*size, *set_bits};
    row.first_violation = number_from(probes, where);
    std::getline(words >> std::ws, row.reason);
    if (row_of(rows, row.name, row.effort) != nullptr) {
      throw std::runtime_error(where + row.name + " is there twice");
    }
    if (!caught(row.outcome) && row.reason.empty()) {
      throw std::runtime_error(where + "a reason is due for what is not caught");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string floor_text(std::vector<FloorRow> rows, const std::vector<Scored>& scores,
                       Effort effort) {
  std::vector<FloorRow> fresh;
  for (const Scored& score : scores) {
    const FloorRow* old = row_of(rows, score.name, effort);
    const std::string reason = old != nullptr && !caught(score.outcome) ? old->reason : "";
    fresh.push_back({effort, score.name, score.outcome, {}, {}, reason});
    if (effort == Effort::kQuick && !score.unsteady) {
      fresh.back().size = score.size;
      fresh.back().first_violation = score.first_violation;
    }
    if (!caught(score.outcome) && reason.empty()) fresh.back().reason = "REASON?";
  }
  std::erase_if(rows, [&](const FloorRow& row) { return row.effort == effort; });
  rows.insert(rows.end(), fresh.begin(), fresh.end());
  std::ranges::stable_sort(rows, {}, &FloorRow::effort);
  std::string text =
      "# What each planted fault and each permitted variant must come to. ci/score.sh compares a "
      "run "
      "with\n# it, and writes it anew with --write-floor; a reason is written by hand.\n"
      "# effort   name                                           outcome   elements, set bits, "
      "probe\n";
  for (const FloorRow& row : rows) text += line_of(row);
  return text;
}

std::vector<std::string> below_floor(const std::vector<FloorRow>& rows,
                                     const std::vector<Scored>& scores, Effort effort, bool all) {
  std::vector<std::string> worse;
  for (const Scored& score : scores) {
    const auto say = [&](const std::string& what) { worse.push_back(score.name + ": " + what); };
    for (const std::string& alarm : score.alarms) {
      say(alarm + (score.planted() ? " fell too, and this fault does not break it"
                                   : " fell: a false alarm"));
    }
    if (!score.case_fault.empty()) say(score.case_fault);
    const FloorRow* floor = row_of(rows, score.name, effort);
    if (floor == nullptr) {
      say(fmt::format("not in the floor, at {}", to_string(effort)));
      continue;
    }
    if (caught(floor->outcome) && !caught(score.outcome)) {
      say(fmt::format("{}, and was {} before{}", to_string(score.outcome),
                      to_string(floor->outcome), score.why.empty() ? "" : " (" + score.why + ")"));
      continue;
    }
    if (score.outcome == Outcome::kFailed || score.outcome == Outcome::kNotRun) {
      say(fmt::format("{} ({})", to_string(score.outcome), score.why));
    }
    if (larger(score.size, floor->size)) {
      say(fmt::format("the counterexample has {} elements and {} set bits, and had {} and {}",
                      score.size ? score.size->elements : 0, score.size ? score.size->set_bits : 0,
                      floor->size->elements, floor->size->set_bits));
    }
  }
  if (!all) return worse;
  for (const FloorRow& row : rows) {
    const bool scored =
        std::ranges::any_of(scores, [&](const Scored& score) { return score.name == row.name; });
    if (row.effort == effort && !scored) {
      worse.push_back(row.name + ": in the floor, and there is no such case any more");
    }
  }
  return worse;
}

std::vector<std::string> above_floor(const std::vector<FloorRow>& rows,
                                     const std::vector<Scored>& scores, Effort effort) {
  std::vector<std::string> better;
  for (const Scored& score : scores) {
    const FloorRow* floor = row_of(rows, score.name, effort);
    if (floor == nullptr) continue;
    if (caught(score.outcome) && !caught(floor->outcome)) {
      better.push_back(fmt::format("{}: {} now", score.name, to_string(score.outcome)));
    } else if (floor->size && score.size && larger(floor->size, score.size)) {
      better.push_back(score.name + ": a smaller counterexample");
    }
  }
  return better;
}

}  // namespace assay::score
