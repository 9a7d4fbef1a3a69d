#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "contracts/fkc/edit.h"
#include "contracts/unicode.h"
#include "reports/suggest.h"
#include "reports/unified_diff.h"

namespace assay {

namespace {

/// What is wrong with a document, without places, which an edit moves.
std::multiset<std::string> faults_of(const fkc::Document& document) {
  std::multiset<std::string> faults;
  for (const fkc::Diagnostic& fault : document.diagnostics) {
    if (fault.severity != fkc::Severity::kNote) faults.insert(fault.kind + ": " + fault.message);
  }
  return faults;
}

/// Why the edited document is no good; empty if it says what it should, and no fault is new.
std::string fault_of_edit(const std::string& before, const std::string& after,
                          const Suggestion& suggestion) {
  const fkc::Document document = fkc::parse_document(after, "");
  std::multiset<std::string> faults = faults_of(document);
  for (const std::string& old : faults_of(fkc::parse_document(before, ""))) {
    const auto known = faults.find(old);
    if (known != faults.end()) faults.erase(known);
  }
  if (!faults.empty()) return fmt::format("with `{}` there, {}", suggestion.value, *faults.begin());
  const auto contract = std::find_if(
      document.kernels.begin(), document.kernels.end(),
      [&](const fkc::KernelContract& one) { return one.line == suggestion.section_line; });
  if (contract == document.kernels.end()) return "the section would not be read any more";
  const Claim* claim = contract->claim(suggestion.claim);
  if (claim == nullptr || claim->declared != suggestion.value) {
    return "the section would not say so";
  }
  return "";
}

std::string comment_of(const Suggestion& suggestion, double margin) {
  std::string text =
      fmt::format("# {}: {}: {} -> {}\n", one_line(suggestion.kernel), row(suggestion.claim).id,
                  suggestion.declared.empty() ? "not declared" : one_line(suggestion.declared),
                  suggestion.value);
  if (suggestion.loosens) text += "# this LOOSENS a declared bound, which is refuted\n";
  if (suggestion.from_samples) {
    text +=
        fmt::format("# from a sample, with a margin of {} %: other inputs may be worse\n", margin);
  }
  text += fmt::format("# evidence: {}\n", one_line(suggestion.evidence));
  return text + fmt::format("# probes: {}\n", one_line(suggestion.space));
}

}  // namespace

std::string suggestion_patch(const std::string& text, std::string_view path, double margin,
                             Suggestions& suggestions) {
  std::string patch;
  std::string current = text;
  std::vector<Suggestion> written;
  // From the end: lines above an edit, and with them the places of sections, stay. What is added to
  // a mapping comes first in it, so that the last suggestion has to be the first edit.
  std::vector<Suggestion> made = std::move(suggestions.made);
  std::ranges::reverse(made);
  std::ranges::stable_sort(made, std::greater(), &Suggestion::section_line);
  for (Suggestion& suggestion : made) {
    const auto edited = fkc::set_field(
        current, {suggestion.section_line, suggestion.mapping, suggestion.key}, suggestion.value);
    std::string why;
    if (const auto* refusal = std::get_if<fkc::EditRefusal>(&edited)) {
      why = fmt::format("{} is supported ({}), but {}", suggestion.value, suggestion.evidence,
                        refusal->why);
    } else {
      why = fault_of_edit(current, std::get<std::string>(edited), suggestion);
    }
    if (!why.empty()) {
      suggestions.not_made.push_back(
          {suggestion.kernel, std::string(row(suggestion.claim).id), std::move(why)});
      continue;
    }
    const std::string& next = std::get<std::string>(edited);
    patch += (patch.empty() ? "" : "\n") + comment_of(suggestion, margin) +
             unified_diff(current, next, path);
    current = next;
    written.push_back(std::move(suggestion));
  }
  std::ranges::reverse(written);
  suggestions.made = std::move(written);
  return patch;
}

std::string no_suggestion_lines(const Suggestions& suggestions) {
  std::string text;
  for (const NoSuggestion& one : suggestions.not_made) {
    text += fmt::format("# {}{}{}: {}\n", one_line(one.kernel), one.subject.empty() ? "" : ": ",
                        one_line(one.subject), one_line(one.why));
  }
  return text;
}

}  // namespace assay
