#include "audit/score/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "audit/score/json.h"
#include "kernels/mutants/fault_kinds.h"
#include "reports/markdown_text.h"
#include "reports/text.h"

namespace assay::score {

namespace {

struct Numbers {
  std::size_t planted = 0;
  std::size_t refuted = 0;
  std::size_t permitted = 0;
  std::size_t kept = 0;
  std::size_t alarms = 0;  ///< of permitted variants, and of planted faults beside what they break
  std::size_t known_least = 0;
  std::size_t at_least = 0;  ///< counterexamples of as few elements as any can have
  std::size_t not_run = 0;   ///< and failed
  std::size_t faulty_cases = 0;
};

bool ran(const Scored& score) {
  return score.outcome != Outcome::kNotRun && score.outcome != Outcome::kFailed;
}

Numbers numbers_of(const Table& table) {
  Numbers numbers;
  for (std::size_t i = 0; i < table.scores.size(); ++i) {
    const Scored& score = table.scores[i];
    ++(score.planted() ? numbers.planted : numbers.permitted);
    numbers.refuted += score.outcome == Outcome::kRefuted ? 1 : 0;
    numbers.kept += score.outcome == Outcome::kKept ? 1 : 0;
    numbers.alarms += score.alarms.empty() ? 0 : 1;
    numbers.not_run += ran(score) ? 0 : 1;
    numbers.faulty_cases += score.case_fault.empty() ? 0 : 1;
    const std::uint64_t least = table.mutants[i].least_elements;
    if (least == 0 || !score.size) continue;
    ++numbers.known_least;
    numbers.at_least += score.size->elements <= least ? 1 : 0;
  }
  return numbers;
}

std::vector<std::string> number_lines(const Table& table) {
  const Numbers n = numbers_of(table);
  std::vector<std::string> lines = {
      fmt::format("{} of {} planted faults refuted under the right claim", n.refuted, n.planted),
      fmt::format("{} of {} permitted variants kept", n.kept, n.permitted),
      fmt::format("{} with a claim that fell and should not have", n.alarms),
      fmt::format("{} of {} counterexamples with as few elements as can show the fault", n.at_least,
                  n.known_least)};
  if (n.not_run > 0) lines.push_back(fmt::format("{} NOT RUN to the end", n.not_run));
  if (n.faulty_cases > 0) {
    lines.push_back(fmt::format("{} counterexamples that do not stand", n.faulty_cases));
  }
  return lines;
}

std::string reason_of(const Table& table, const Scored& score) {
  for (const FloorRow& row : table.floor) {
    if (row.name == score.name && row.effort == table.effort && !row.reason.empty()) {
      return row.reason;
    }
  }
  return score.why.empty() ? "no reason known" : score.why;
}

bool not_caught(const Scored& score) {
  return score.planted() && score.outcome != Outcome::kRefuted;
}

std::string known(const std::optional<std::uint64_t>& value) {
  return value ? with_thousands(*value) : "-";
}

/// Rows "what | refuted | of" of planted faults, grouped.
template <class Key>
std::string grouped(const Table& table, const std::string& heading, Key&& key) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> groups;
  for (const Scored& score : table.scores) {
    if (!score.planted()) continue;
    auto& [refuted, all] = groups[key(score)];
    refuted += score.outcome == Outcome::kRefuted ? 1 : 0;
    ++all;
  }
  std::string text = md_head({heading, "refuted", "planted"});
  for (const auto& [name, counts] : groups) {
    text += md_row({md_code(name), std::to_string(counts.first), std::to_string(counts.second)});
  }
  return text + "\n";
}

std::string by_kind(const Table& table) {
  std::string text = md_head({"kind of fault", "refuted", "planted"});
  for (const FaultKind& kind : fault_kinds()) {
    std::size_t refuted = 0;
    std::size_t planted = 0;
    for (std::size_t i = 0; i < table.scores.size(); ++i) {
      if (!table.scores[i].planted() || !is_of(kind, table.mutants[i])) continue;
      ++planted;
      refuted += table.scores[i].outcome == Outcome::kRefuted ? 1 : 0;
    }
    if (planted == 0) continue;
    text += md_row({md_text(kind.what), std::to_string(refuted), std::to_string(planted)});
  }
  return text + "\n";
}

}  // namespace

std::string console_text(const Table& table) {
  std::string text;
  for (const std::string& line : number_lines(table)) text += "  " + line + "\n";
  for (const Scored& score : table.scores) {
    if (!not_caught(score)) continue;
    text += fmt::format("  {}: {} ({})\n", to_string(score.outcome), score.name,
                        reason_of(table, score));
  }
  return text;
}

std::string markdown_text(const Table& table) {
  std::string text = fmt::format(
      "# Score of planted faults, effort {}\n\nKernels with one fault each, and kernels that "
      "differ "
      "where the contracts permit it, each audited as the only variant of its kernel (seed {}, "
      "{:.0f} s).\n\n",
      to_string(table.effort), table.seed, table.seconds);
  for (const std::string& line : number_lines(table)) text += "- " + line + "\n";
  text += "\n" + grouped(table, "claim", [](const Scored& score) { return score.claim; });
  text += grouped(table, "kernel", [](const Scored& score) { return score.kernel; });

  text += "By kind of fault; a fault may be of several.\n\n" + by_kind(table);

  text += "## Not refuted under the right claim\n\n";
  bool any = false;
  for (const Scored& score : table.scores) {
    if (!not_caught(score)) continue;
    any = true;
    text += fmt::format("- {}, {}: {}; {}\n", md_code(score.name), to_string(score.outcome),
                        md_text(score.what), md_text(reason_of(table, score)));
  }
  if (!any) text += "None.\n";

  text +=
      "\n## Every planted fault\n\nElements and set bits are those of all inputs of the "
      "counterexample, beside the fewest that can show the fault where that is known. The probe is "
      "the first that violates the claim, in the plan's order.\n\n";
  text += md_head({"fault", "claim", "outcome", "elements", "fewest", "set bits", "fewest",
                   "found at probe", "what"});
  for (std::size_t i = 0; i < table.scores.size(); ++i) {
    const Scored& score = table.scores[i];
    const Mutant& mutant = table.mutants[i];
    if (!score.planted()) continue;
    text += md_row({md_code(score.name), md_code(score.claim), to_string(score.outcome),
                    score.size ? std::to_string(score.size->elements) : "-",
                    mutant.least_elements > 0 ? std::to_string(mutant.least_elements) : "-",
                    score.size ? std::to_string(score.size->set_bits) : "-",
                    mutant.least_bits ? std::to_string(*mutant.least_bits) : "-",
                    known(score.first_violation), md_text(score.what)});
  }
  text += "\n## Every permitted variant\n\n" + md_head({"variant", "kernel", "outcome", "what"});
  for (const Scored& score : table.scores) {
    if (score.planted()) continue;
    text += md_row({md_code(score.name), md_code(score.kernel), to_string(score.outcome),
                    md_text(score.what)});
  }
  return text;
}

nlohmann::json json_text(const Table& table) {
  nlohmann::json cases = nlohmann::json::array();
  for (std::size_t i = 0; i < table.scores.size(); ++i) {
    nlohmann::json one = json_of(table.scores[i]);
    const Mutant& mutant = table.mutants[i];
    one["fewest_elements"] =
        mutant.least_elements > 0 ? nlohmann::json(mutant.least_elements) : nlohmann::json(nullptr);
    one["fewest_set_bits"] =
        mutant.least_bits ? nlohmann::json(*mutant.least_bits) : nlohmann::json(nullptr);
    cases.push_back(std::move(one));
  }
  const Numbers n = numbers_of(table);
  return {{"schema", "assay-score/1"}, {"effort", to_string(table.effort)},
          {"seed", table.seed},        {"seconds", table.seconds},
          {"planted", n.planted},      {"refuted", n.refuted},
          {"permitted", n.permitted},  {"with_alarms", n.alarms},
          {"not_run", n.not_run},      {"cases", std::move(cases)}};
}

}  // namespace assay::score
