#include "contracts/fkc/condition.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "contracts/fkc/split.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

namespace {

struct RelationRow {
  std::string_view text;
  Relation relation;
  std::string_view negation;  ///< as words: "is not below"
};

// Longer spellings first.
constexpr std::array<RelationRow, 6> kRelations = {{
    {"==", Relation::kEqual, "is not"},
    {"!=", Relation::kNotEqual, "is"},
    {"<=", Relation::kLessOrEqual, "is above"},
    {">=", Relation::kGreaterOrEqual, "is below"},
    {"<", Relation::kLess, "is not below"},
    {">", Relation::kGreater, "is not above"},
}};

const RelationRow* relation_at(std::string_view text) {
  for (const RelationRow& row : kRelations) {
    if (text.substr(0, row.text.size()) == row.text) return &row;
  }
  return nullptr;
}

const RelationRow& row(Relation relation) {
  for (const RelationRow& candidate : kRelations) {
    if (candidate.relation == relation) return candidate;
  }
  return kRelations[0];
}

std::optional<Expression> expression(std::string_view text) {
  auto result = parse_expression(text);
  if (!result) return std::nullopt;
  return std::move(*result);
}

/// The relations of a chain stand outside of all brackets: the grammar of terms has none.
std::optional<Chain> parse_chain(std::string_view text, std::string_view subject) {
  Chain chain;
  std::size_t start = 0;
  const auto add_term = [&](std::size_t end) {
    std::string_view term = trim(text.substr(start, end - start));
    if (term.empty() && chain.terms.empty()) term = subject;
    auto parsed = expression(term);
    if (parsed) chain.terms.push_back(std::move(*parsed));
    return parsed.has_value();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const RelationRow* found = relation_at(text.substr(i));
    if (found == nullptr) continue;
    if (!add_term(i)) return std::nullopt;
    chain.relations.push_back(found->relation);
    start = i + found->text.size();
    i = start - 1;
  }
  if (chain.relations.empty() || !add_term(text.size())) return std::nullopt;
  return chain;
}

/// `[term] in {a, b}`.
std::optional<Membership> parse_membership(std::string_view text, std::string_view subject) {
  if (text.empty() || text.back() != '}') return std::nullopt;
  const std::size_t open = text.find('{');
  if (open == std::string_view::npos) return std::nullopt;
  std::string_view before = trim(text.substr(0, open));
  if (before != "in" && !before.ends_with(" in")) return std::nullopt;
  before.remove_suffix(2);
  auto term = expression(trim(before).empty() ? subject : trim(before));
  if (!term) return std::nullopt;
  Membership membership{std::move(*term), {}};
  for (const std::string_view item :
       split_outside_brackets(text.substr(open + 1, text.size() - open - 2), ",")) {
    auto element = expression(item);
    if (!element) return std::nullopt;
    membership.set.push_back(std::move(*element));
  }
  return membership;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (const std::string_view piece : split_outside_brackets(text, "&&")) {
    for (const std::string_view part : split_outside_brackets(piece, " and ")) {
      parts.push_back(part);
    }
  }
  return parts;
}

Finding fault_finding(const EvaluationFault& fault) {
  // A negative dividend or an overflow is no answer either; the condition stays open.
  return not_checked(fault.message);
}

bool related(const Rational& a, Relation relation, const Rational& b) {
  switch (relation) {
    case Relation::kEqual:
      return a == b;
    case Relation::kNotEqual:
      return !(a == b);
    case Relation::kLess:
      return a < b;
    case Relation::kLessOrEqual:
      return a <= b;
    case Relation::kGreater:
      return a > b;
    case Relation::kGreaterOrEqual:
      return a >= b;
  }
  return false;
}

/// "`groups` is 3", or "3" where the text is the number itself.
std::string with_value(const Expression& term, const Rational& value) {
  const std::string number = to_string(value);
  return term.text() == number ? number : fmt::format("`{}` (which is {})", term.text(), number);
}

Finding check_part(const Chain& chain, const Scope& scope) {
  std::vector<Rational> values;
  for (const Expression& term : chain.terms) {
    const auto value = evaluate(term, scope, Division::kExact);
    if (!value) return fault_finding(value.error());
    values.push_back(*value);
  }
  for (std::size_t i = 0; i < chain.relations.size(); ++i) {
    if (related(values[i], chain.relations[i], values[i + 1])) continue;
    return violated(fmt::format("{} {} {}", with_value(chain.terms[i], values[i]),
                                row(chain.relations[i]).negation,
                                with_value(chain.terms[i + 1], values[i + 1])));
  }
  return holds();
}

Finding check_part(const Membership& membership, const Scope& scope) {
  const auto value = evaluate(membership.term, scope, Division::kExact);
  if (!value) return fault_finding(value.error());
  std::string set;
  for (const Expression& item : membership.set) {
    const auto element = evaluate(item, scope, Division::kExact);
    if (!element) return fault_finding(element.error());
    if (*element == *value) return holds();
    set += (set.empty() ? "" : ", ") + to_string(*element);
  }
  return violated(fmt::format("{} is not in {{{}}}", with_value(membership.term, *value), set));
}

Finding check_part(const MustBeNone& part, const Scope& scope) {
  const auto entry = scope.names.find(part.name);
  if (entry == scope.names.end()) return not_checked(fmt::format("`{}` is not known", part.name));
  if (std::holds_alternative<std::monostate>(entry->second)) return holds();
  return violated(fmt::format("`{}` is {} and must be none", part.name, to_string(entry->second)));
}

}  // namespace

std::optional<ParamCondition> parse_condition(std::string_view text, std::string_view subject) {
  ParamCondition condition;
  for (const std::string_view part : parts_of(text)) {
    if (part == "must be None") {
      condition.parts.emplace_back(MustBeNone{std::string(subject)});
    } else if (auto membership = parse_membership(part, subject)) {
      condition.parts.emplace_back(std::move(*membership));
    } else if (auto chain = parse_chain(part, subject)) {
      condition.parts.emplace_back(std::move(*chain));
    } else {
      return std::nullopt;
    }
  }
  return condition;
}

Finding check(const ParamCondition& condition, const Scope& scope) {
  Finding result;
  for (const auto& part : condition.parts) {
    Finding finding =
        std::visit([&](const auto& content) { return check_part(content, scope); }, part);
    if (finding.standing == Standing::kViolated) return finding;
    if (result.standing == Standing::kHolds) result = std::move(finding);
  }
  return result;
}

}  // namespace assay::fkc
