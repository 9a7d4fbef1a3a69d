// The `audit:` mapping. contracts/README.md describes it for authors of contracts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "contracts/fkc/claims.h"
#include "contracts/fkc/domain.h"
#include "contracts/fkc/map_reader.h"

namespace assay::fkc {

namespace {

/// A written token and the value that it stands for.
template <typename T>
struct Choice {
  std::string_view token;
  T value;
};

constexpr std::array<Choice<Rounding>, 3> kRoundings = {{{"exact", Rounding::kExact},
                                                         {"nearest_even", Rounding::kNearestEven},
                                                         {"toward_zero", Rounding::kTowardZero}}};
constexpr std::array<Choice<OverflowRule>, 3> kOverflowRules = {
    {{"infinity", OverflowRule::kInfinity},
     {"saturate", OverflowRule::kSaturate},
     {"caller_error", OverflowRule::kCallerError}}};
constexpr std::array<Choice<NanRule>, 4> kNanRules = {{{"preserved", NanRule::kPreserved},
                                                       {"zero", NanRule::kZero},
                                                       {"ignored", NanRule::kIgnored},
                                                       {"caller_error", NanRule::kCallerError}}};
constexpr std::array<Choice<Accumulator>, 2> kAccumulators = {
    {{"nested_sum", Accumulator::kNestedSum}, {"scattered_sum", Accumulator::kScatteredSum}}};
constexpr std::array<Choice<BiasOrder>, 2> kBiasOrders = {
    {{"last", BiasOrder::kLast}, {"first", BiasOrder::kFirst}}};

/// Entries that know one value.
constexpr std::array<Choice<std::monostate>, 1> kPreserved = {{{"preserved", {}}}};
constexpr std::array<Choice<std::monostate>, 1> kGamma = {{{"gamma_n", {}}}};
constexpr std::array<Choice<std::monostate>, 1> kSkipped = {{{"skipped", {}}}};
constexpr std::array<Choice<std::monostate>, 1> kExactSelection = {{{"exact", {}}}};

constexpr std::array<std::string_view, 13> kKeys = {
    "rounding", "overflow",    "nan",     "infinity",  "signed_zero",  "subnormals",  "accumulator",
    "bias",     "error_bound", "padding", "selection", "domain_exact", "caller_error"};

/// One entry of the mapping that holds a token.
template <typename T>
struct Rule {
  const Node* node = nullptr;  ///< nullptr where absent or faulty
  T value{};
};

bool none_floating(const std::vector<Dtype>& dtypes) {
  return !dtypes.empty() && std::none_of(dtypes.begin(), dtypes.end(),
                                         [](Dtype dtype) { return traits(dtype).is_floating(); });
}

class AuditReader {
 public:
  AuditReader(const Node& audit, KernelContract& contract, ClaimWriter& claims, Reporter& reporter)
      : audit_(audit),
        contract_(contract),
        claims_(claims),
        reporter_(reporter),
        fields_(audit, "audit", reporter) {}

  void run() {
    check_keys();
    rounding_ = rule("rounding", ClaimKind::kRounding, kRoundings);
    overflow_ = rule("overflow", ClaimKind::kOverflow, kOverflowRules);
    nan_ = rule("nan", ClaimKind::kNan, kNanRules);
    infinity_ = rule("infinity", ClaimKind::kInfinity, kPreserved);
    signed_zero_ = rule("signed_zero", ClaimKind::kSignedZero, kPreserved);
    subnormals_ = rule("subnormals", ClaimKind::kSubnormals, kPreserved);
    const auto accumulator = rule("accumulator", ClaimKind::kAccumulator, kAccumulators);
    const Rule<BiasOrder> bias = token("bias", kBiasOrders);
    const auto error_bound = rule("error_bound", ClaimKind::kErrorBound, kGamma);
    const auto padding = rule("padding", ClaimKind::kPaddingSkipped, kSkipped);
    const auto selection = rule("selection", ClaimKind::kSelectionExact, kExactSelection);
    read_domain_exact();
    read_caller_error();
    check_rules();
    check_dtypes();
    if (contract_.op_kind == "Cast") {
      constexpr std::string_view kHint = "remove the entry; a cast takes its elements one by one";
      refuse(accumulator.node, "a cast sums nothing", kHint);
      refuse(error_bound.node, "a cast sums nothing", kHint);
      refuse(padding.node, "a cast pads nothing", kHint);
      refuse(selection.node, "a cast selects nothing", kHint);
      refuse(bias.node, "a cast sums nothing", kHint);
      if (nan_.value == NanRule::kIgnored) refuse(nan_.node, "a cast selects nothing", kHint);
    } else if (bias.node != nullptr) {
      read_bias(bias);
    }
  }

 private:
  void check_keys() {
    for (const Entry& entry : audit_.entries) {
      if (std::find(kKeys.begin(), kKeys.end(), entry.key.text) != kKeys.end()) continue;
      reporter_.error("UnknownAuditKey", entry.key.place,
                      fmt::format("`audit.{}` is no audit entry", entry.key.text),
                      "write " + join_tokens({kKeys.begin(), kKeys.end()}));
    }
  }

  /// An entry that makes a claim.
  template <typename T, std::size_t N>
  Rule<T> rule(std::string_view key, ClaimKind kind, const std::array<Choice<T>, N>& choices) {
    const Rule<T> chosen = token(key, choices);
    if (chosen.node != nullptr) {
      claims_.add(kind, SourceKind::kAuditEntry, chosen.node->place, chosen.node->text,
                  chosen.value);
    }
    return chosen;
  }

  template <typename T, std::size_t N>
  Rule<T> token(std::string_view key, const std::array<Choice<T>, N>& choices) {
    const Node* node = fields_.value(key);
    if (node == nullptr) return {};
    std::vector<std::string_view> tokens;
    for (const Choice<T>& choice : choices) {
      tokens.push_back(choice.token);
      if (!node->is_scalar() || node->text != choice.token) continue;
      return {node, choice.value};
    }
    reporter_.error("UnknownAuditValue", node->place,
                    fmt::format("`audit.{}` is \"{}\"", key, node->text),
                    "write " + join_tokens(tokens));
    return {};
  }

  void contradiction(const Node& node, std::string message, std::string hint) {
    reporter_.error("AuditContradiction", node.place, std::move(message), std::move(hint));
  }

  /// The conditions of a domain entry, each on the kernel's one input; empty if absent or faulty.
  std::vector<Condition> read_domain(const Node* node, std::string_view key) {
    if (node == nullptr) return {};
    if (!node->is_scalar()) {
      reporter_.error("BadScalarType", node->place, fmt::format("`audit.{}` is no text", key),
                      "write \"src < 2^24\"");
      return {};
    }
    auto result = parse_domain(node->text);
    if (const auto* fault = std::get_if<DomainFault>(&result)) {
      reporter_.error(
          "AuditDomain", inside(*node, fault->column),
          fmt::format("`audit.{}`, character {}: {}", key, fault->column, fault->message),
          "write conditions like \"src < 2^24\", \"0 <= src < 10\" or \"src is nan\", "
          "joined by \"or\"");
      return {};
    }
    auto conditions = std::get<std::vector<Condition>>(std::move(result));
    if (contract_.inputs.size() != 1) {
      reporter_.error(
          "AuditDomain", node->place,
          fmt::format("`audit.{}` of a kernel with {} inputs", key, contract_.inputs.size()),
          "a domain can be given for a kernel with exactly one input");
      return {};
    }
    for (const Condition& condition : conditions) {
      if (condition.role == contract_.inputs[0].name.value) continue;
      reporter_.error("UnknownRole", node->place,
                      fmt::format("`audit.{}`: `{}` is no input", key, condition.role),
                      fmt::format("the input is named `{}`", contract_.inputs[0].name.value));
      return {};
    }
    return conditions;
  }

  /// The file's column of a character of a quoted or plain text on one line. None of the grammar's
  /// characters needs an escape, so up to a fault file and text agree.
  static Place inside(const Node& node, std::size_t column) {
    return {node.place.line,
            node.place.column + static_cast<int>(column) - 1 + (node.quoted ? 1 : 0)};
  }

  void read_domain_exact() {
    const Node* node = fields_.value("domain_exact");
    const std::vector<Condition> conditions = read_domain(node, "domain_exact");
    if (conditions.empty()) return;
    if (conditions.size() != 1 || !conditions[0].interval) {
      reporter_.error("AuditDomain", node->place, "`audit.domain_exact` is no single interval",
                      "write one condition on numbers, like \"src < 2^24\"");
      return;
    }
    claims_.add(ClaimKind::kDomainExact, SourceKind::kAuditEntry, node->place, node->text,
                *conditions[0].interval);
  }

  void read_caller_error() {
    caller_error_ = fields_.value("caller_error");
    for (Condition& condition : read_domain(caller_error_, "caller_error")) {
      if (condition.interval) {
        contract_.caller_error.push_back(std::move(*condition.interval));
      } else {
        contract_.caller_error_nan = true;
      }
    }
  }

  /// What completes the accumulator's claim, so that there must be one, and a bias.
  void read_bias(const Rule<BiasOrder>& bias) {
    const bool has_operand =
        std::any_of(contract_.inputs.begin(), contract_.inputs.end(),
                    [](const InputOperand& input) { return input.name.value == "bias"; });
    if (!has_operand) {
      contradiction(*bias.node, "`bias` of a kernel without an operand of that name",
                    "remove the entry, or name the operand `bias`");
    } else if (fields_.value("accumulator") == nullptr) {
      contradiction(*bias.node, "`bias` without the `accumulator` whose order it completes",
                    "add `accumulator: nested_sum` or `scattered_sum`, or remove the entry");
    } else {
      contract_.bias_order = bias.value;
    }
  }

  void check_rules() {
    if (rounding_.node != nullptr && overflow_.node != nullptr) {
      if (rounding_.value == Rounding::kExact && overflow_.value != OverflowRule::kCallerError) {
        contradiction(*overflow_.node, "an exact result never overflows",
                      "remove `overflow`, write `overflow: caller_error`, or weaken `rounding` to "
                      "`nearest_even` or `toward_zero`");
      }
      // IEEE 754-2019 section 7.4: toward zero, what overflows becomes the largest finite number.
      if (rounding_.value == Rounding::kTowardZero && overflow_.value == OverflowRule::kInfinity) {
        contradiction(*overflow_.node, "rounding toward zero never gives infinity",
                      "write `overflow: saturate` or `overflow: caller_error`");
      }
    }
    const bool names_numbers = !contract_.caller_error.empty();
    if (overflow_.node != nullptr && overflow_.value == OverflowRule::kCallerError &&
        !names_numbers) {
      contradiction(*overflow_.node, "`overflow: caller_error` without the inputs that are meant",
                    "add `caller_error: \"src < 0 or src > 4294967295\"`, with the kernel's range");
    }
    const bool nan_is_error = nan_.node != nullptr && nan_.value == NanRule::kCallerError;
    if (contract_.caller_error_nan && nan_.node != nullptr && !nan_is_error) {
      contradiction(*nan_.node, "`caller_error` excludes the NaN that `nan` makes a promise about",
                    "write `nan: caller_error`, or remove \"is nan\" from `caller_error`");
    }
    if (nan_is_error) contract_.caller_error_nan = true;
  }

  void check_dtypes() {
    const OutputOperand* output = contract_.outputs.empty() ? nullptr : &contract_.outputs.front();
    if (output != nullptr && output->fixed_dtype) {
      check_output(traits(*output->fixed_dtype).is_floating());
    }
    if (contract_.inputs.empty()) return;
    const bool integer_inputs =
        std::all_of(contract_.inputs.begin(), contract_.inputs.end(),
                    [](const InputOperand& input) { return none_floating(input.dtypes); });
    if (!integer_inputs) return;
    constexpr std::string_view kHint = "remove the entry; integers are finite and have one zero";
    refuse(nan_.node, "an integer input is never NaN", kHint);
    refuse(infinity_.node, "an integer input is never infinite", kHint);
    refuse(signed_zero_.node, "an integer zero has no sign", kHint);
    refuse(subnormals_.node, "an integer is never subnormal", kHint);
    if (contract_.caller_error_nan && nan_.node == nullptr) {
      refuse(caller_error_, "an integer input is never NaN", "remove \"is nan\"");
    }
  }

  void check_output(bool floating) {
    if (floating) {
      if (nan_.node != nullptr && nan_.value == NanRule::kZero) {
        contradiction(*nan_.node, "`nan: zero` is a rule for integer results",
                      "write `nan: preserved` or `nan: caller_error`");
      }
      return;
    }
    constexpr std::string_view kHint =
        "an integer output has no NaN, infinity, signed zero or "
        "subnormal; remove the entry";
    if (overflow_.node != nullptr && overflow_.value == OverflowRule::kInfinity) {
      contradiction(*overflow_.node, "an integer output has no infinity",
                    "write `overflow: saturate` or `overflow: caller_error`");
    }
    if (nan_.node != nullptr && nan_.value == NanRule::kPreserved) {
      contradiction(*nan_.node, "an integer output has no NaN",
                    "write `nan: zero` or `nan: caller_error`");
    }
    refuse(infinity_.node, "an integer output has no infinity", kHint);
    refuse(signed_zero_.node, "an integer output has no signed zero", kHint);
    refuse(subnormals_.node, "an integer output has no subnormals", kHint);
  }

  void refuse(const Node* node, std::string_view message, std::string_view hint) {
    if (node != nullptr) contradiction(*node, std::string(message), std::string(hint));
  }

  const Node& audit_;
  KernelContract& contract_;
  ClaimWriter& claims_;
  Reporter& reporter_;
  MapReader fields_;
  Rule<Rounding> rounding_;
  Rule<OverflowRule> overflow_;
  Rule<NanRule> nan_;
  Rule<std::monostate> infinity_;
  Rule<std::monostate> signed_zero_;
  Rule<std::monostate> subnormals_;
  const Node* caller_error_ = nullptr;
};

}  // namespace

void read_audit(const Node& audit, KernelContract& contract, ClaimWriter& claims,
                Reporter& reporter) {
  AuditReader(audit, contract, claims, reporter).run();
}

}  // namespace assay::fkc
