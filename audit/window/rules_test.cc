// Single results judged under every rule, with truths made by hand.
#include "audit/window/rules.h"

#include "audit/testing/contract_with.h"
#include "audit/window/testing/reading.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using testing::Reading;

constexpr Bits kOne = 0x3f800000;
constexpr Bits kTwo = 0x40000000;
constexpr Bits kMinusZero = 0x80000000;
constexpr Bits kInfinity = 0x7f800000;
constexpr Bits kMinusInfinity = 0xff800000;
constexpr Bits kNan = 0x7fc00000;
constexpr Bits kOtherNan = 0xff800001;

/// A contract in F32 with these claims and no others.
Reading with(const std::string& kernel, std::vector<Claim> claims,
             std::optional<BiasOrder> bias = {}) {
  return testing::read_changed(kernel, Dtype::kF32, [&](fkc::KernelContract& contract) {
    contract.claims = std::move(claims);
    contract.bias_order = bias;
  });
}

using assay::testing::claim;

/// What a result shows of a claim.
enum class Shows { kNothing, kUpheld, kViolated };

class Judge {
 public:
  Judge(Reading reading, ClaimKind kind)
      : reading_(std::move(reading)),
        rules_(reading_.operation),
        bit_(1u << result_claim_row(kind)) {}

  Shows operator()(const Truth& truth, Bits got, oracle::SumError error = {}) {
    asked_ = false;
    const Judgement judgement = judge_result(rules_, reading_.operation, truth, got, [&] {
      asked_ = true;
      return error;
    });
    CHECK((judgement.violated & ~judgement.in_scope) == 0);
    CHECK((judgement.in_scope & ~bit_) == 0);
    if ((judgement.in_scope & bit_) == 0) return Shows::kNothing;
    return (judgement.violated & bit_) == 0 ? Shows::kUpheld : Shows::kViolated;
  }

  bool asked() const { return asked_; }  ///< for the error of the last result
  const Rules& rules() const { return rules_; }

 private:
  Reading reading_;
  Rules rules_;
  std::uint32_t bit_;
  bool asked_ = false;
};

/// The sum 1, exact and in the declared order.
Truth sum_of_one() {
  Truth truth;
  truth.exact = truth.model = truth.model_bias_first = kOne;
  truth.products = 3;
  truth.finite = truth.bounded = truth.within_bound = true;
  return truth;
}

Truth sum_with_nan() {
  Truth truth;
  truth.exact = truth.model = truth.model_bias_first = kNan;
  truth.has_nan = true;
  return truth;
}

Truth window(Bits greatest, bool has_nan = false) {
  Truth truth;
  truth.exact = truth.model = truth.model_bias_first = greatest;
  truth.finite = truth.bounded = true;
  truth.has_nan = has_nan;
  return truth;
}

Truth window_of_nans() {
  Truth truth;
  truth.has_nan = truth.only_nans = true;
  return truth;
}

Truth window_of_zeros() {
  Truth truth = window(0);
  truth.both_zeros = true;
  return truth;
}

TEST_CASE("claims have their rows, and what is not declared has no say", "[window]") {
  for (std::size_t row = 0; row < kResultClaimCount; ++row) {
    CHECK(result_claim_row(kResultClaims[row]) == row);
  }
  CHECK(result_claim_row(ClaimKind::kBitwise) == kResultClaimCount);
  const Reading bare = with("conv2d", {});
  const Rules rules(bare.operation);
  for (std::size_t row = 0; row < kResultClaimCount; ++row) CHECK_FALSE(rules.judges(row));
  const auto error = [] { return oracle::SumError{}; };
  CHECK(judge_result(rules, bare.operation, sum_of_one(), kNan, error).in_scope == 0);
}

TEST_CASE("claims that an operation cannot keep are not judged", "[window]") {
  const std::vector<Claim> all = {claim(ClaimKind::kSelectionExact), claim(ClaimKind::kErrorBound),
                                  claim(ClaimKind::kAccumulator, Accumulator::kScatteredSum),
                                  claim(ClaimKind::kNan, NanRule::kZero)};
  const auto not_judged = [&](const char* kernel, ClaimKind kind) {
    const Reading reading = with(kernel, all);
    const Rules rules(reading.operation);
    const std::size_t row = result_claim_row(kind);
    CHECK(rules.judges(row) == rules.not_judged[row].empty());
    return rules.not_judged[row];
  };
  CHECK(not_judged("conv2d", ClaimKind::kSelectionExact) == "a sum selects nothing");
  CHECK(not_judged("conv2d", ClaimKind::kErrorBound) == "");
  CHECK(not_judged("conv2d", ClaimKind::kAccumulator) ==
        "there is no oracle for a scattered sum of a direct convolution");
  CHECK(not_judged("conv_transpose2d", ClaimKind::kAccumulator) == "");
  CHECK(not_judged("conv2d", ClaimKind::kNan) == "this rule is not judged for this operation");
  CHECK(not_judged("max_pool2d", ClaimKind::kSelectionExact) == "");
  CHECK(not_judged("max_pool2d", ClaimKind::kErrorBound) == "a selection has no rounding errors");
  CHECK(not_judged("max_pool2d", ClaimKind::kAccumulator) == "a selection adds nothing up");
  CHECK(not_judged("max_pool2d", ClaimKind::kNan) == "this rule is not judged for this operation");
  const Reading nested =
      with("conv_transpose2d", {claim(ClaimKind::kAccumulator, Accumulator::kNestedSum)});
  CHECK(Rules(nested.operation).not_judged[result_claim_row(ClaimKind::kAccumulator)] ==
        "there is no oracle for a nested sum of a transposed convolution");
  const Reading ignored = with("conv2d", {claim(ClaimKind::kNan, NanRule::kIgnored)});
  CHECK_FALSE(Rules(ignored.operation).judges(result_claim_row(ClaimKind::kNan)));
}

TEST_CASE("max_ulp of sums counts steps from the sum that is rounded once", "[window]") {
  Judge judge(with("conv2d", {claim(ClaimKind::kMaxUlp, std::uint64_t{2})}), ClaimKind::kMaxUlp);
  CHECK(judge.rules().max_ulp == 2);
  Truth truth = sum_of_one();
  truth.model = kOne + 9;  // what the declared order gives is no excuse
  CHECK(judge(truth, kOne) == Shows::kUpheld);
  CHECK(judge(truth, kOne + 2) == Shows::kUpheld);
  CHECK(judge(truth, kOne - 2) == Shows::kUpheld);
  CHECK(judge(truth, kOne + 3) == Shows::kViolated);
  CHECK(judge(truth, kOne - 3) == Shows::kViolated);
  CHECK(judge(truth, truth.model) == Shows::kViolated);
  CHECK(judge(truth, kNan) == Shows::kViolated);
  CHECK(judge(truth, kInfinity) == Shows::kViolated);
  CHECK(judge(sum_with_nan(), kOne) == Shows::kNothing);
  // An exact sum beyond the range is the infinity: the number before it is one step away.
  truth.exact = truth.model = kInfinity;
  truth.bounded = false;
  CHECK(judge(truth, kInfinity) == Shows::kUpheld);
  CHECK(judge(truth, kInfinity - 2) == Shows::kUpheld);
  CHECK(judge(truth, kInfinity - 3) == Shows::kViolated);
  CHECK(judge(truth, kMinusInfinity) == Shows::kViolated);
}

TEST_CASE("which zero a sum gives is open", "[window]") {
  Judge judge(with("conv2d", {claim(ClaimKind::kMaxUlp, std::uint64_t{0})}), ClaimKind::kMaxUlp);
  Truth truth = sum_of_one();
  truth.exact = truth.model = truth.model_bias_first = 0;
  CHECK(judge(truth, 0) == Shows::kUpheld);
  CHECK(judge(truth, kMinusZero) == Shows::kUpheld);
  CHECK(judge(truth, 1) == Shows::kViolated);
  CHECK(judge(truth, kMinusZero | 1) == Shows::kViolated);
}

TEST_CASE("relative and absolute bounds take the error that is known, or ask", "[window]") {
  struct Row {
    ClaimKind kind;
    double oracle::SumError::*measure;
    double Truth::*known;
  };
  for (const Row& row :
       {Row{ClaimKind::kMaxRelative, &oracle::SumError::relative, &Truth::relative},
        Row{ClaimKind::kMaxAbsolute, &oracle::SumError::absolute, &Truth::absolute}}) {
    Judge judge(with("conv2d", {claim(row.kind, 0.25)}), row.kind);
    oracle::SumError error;
    Truth truth = sum_of_one();
    truth.*row.known = 0.25;
    error.*row.measure = 9;
    CHECK(judge(truth, kOne, error) == Shows::kUpheld);
    CHECK_FALSE(judge.asked());
    truth.*row.known = 0.3;
    CHECK(judge(truth, kOne, error) == Shows::kViolated);
    CHECK_FALSE(judge.asked());
    error.*row.measure = 0.25;
    CHECK(judge(truth, kTwo, error) == Shows::kUpheld);
    CHECK(judge.asked());
    error.*row.measure = 0.26;
    CHECK(judge(truth, kTwo, error) == Shows::kViolated);
    CHECK(judge(truth, kNan) == Shows::kViolated);
    CHECK(judge(sum_with_nan(), kOne, error) == Shows::kNothing);
  }
}

TEST_CASE("a NaN in a sum comes out of it", "[window]") {
  Judge judge(with("conv2d", {claim(ClaimKind::kNan, NanRule::kPreserved)}), ClaimKind::kNan);
  CHECK(judge(sum_with_nan(), kNan) == Shows::kUpheld);
  CHECK(judge(sum_with_nan(), kOtherNan) == Shows::kUpheld);
  CHECK(judge(sum_with_nan(), kOne) == Shows::kViolated);
  CHECK(judge(sum_with_nan(), kInfinity) == Shows::kViolated);
  CHECK(judge(sum_of_one(), kNan) == Shows::kNothing);
  Truth made = sum_with_nan();  // of infinities: no NaN came in
  made.has_nan = false;
  CHECK(judge(made, kOne) == Shows::kNothing);
}

TEST_CASE("NaNs that are the caller's error are not judged in sums", "[window]") {
  for (const NanRule rule : {NanRule::kCallerError, NanRule::kZero, NanRule::kIgnored}) {
    const Reading reading =
        with("conv2d", {claim(ClaimKind::kNan, rule), claim(ClaimKind::kErrorBound),
                        claim(ClaimKind::kAccumulator, Accumulator::kNestedSum)});
    const Rules rules(reading.operation);
    const auto error = [] { return oracle::SumError{}; };
    CHECK(judge_result(rules, reading.operation, sum_with_nan(), kOne, error).in_scope == 0);
    CHECK(judge_result(rules, reading.operation, sum_of_one(), kTwo, error).violated != 0);
  }
}

TEST_CASE("where the contract does not skip padding, it may be multiplied as zeros", "[window]") {
  Truth truth = sum_of_one();
  truth.gap_decides = true;  // a weight that is infinite meets only padding
  const std::vector<Claim> sums = {claim(ClaimKind::kAccumulator, Accumulator::kNestedSum),
                                   claim(ClaimKind::kErrorBound),
                                   claim(ClaimKind::kMaxUlp, std::uint64_t{0})};
  for (const Claim& declared : sums) {
    INFO(row(declared.kind).id);
    Judge open(with("conv2d", {declared}), declared.kind);
    CHECK(open(truth, kNan) == Shows::kNothing);
    CHECK(open(truth, kOne) == Shows::kNothing);
    CHECK(open(sum_of_one(), kNan) == Shows::kViolated);
    Reading skipped = with("conv2d", {declared, claim(ClaimKind::kPaddingSkipped)});
    Judge judge(std::move(skipped), declared.kind);
    CHECK(judge(truth, kNan) == Shows::kViolated);
    CHECK(judge(truth, kOne) == Shows::kUpheld);
  }
  // A sum that is scattered has the pixels for its terms, and nothing else.
  Judge scattered(
      with("conv_transpose2d", {claim(ClaimKind::kAccumulator, Accumulator::kScatteredSum)}),
      ClaimKind::kAccumulator);
  CHECK(scattered(truth, kNan) == Shows::kViolated);
  Judge unordered(with("conv_transpose2d", {claim(ClaimKind::kErrorBound)}),
                  ClaimKind::kErrorBound);
  CHECK(unordered(truth, kNan) == Shows::kNothing);
}

TEST_CASE("a NaN among the weights is the caller's error, though it meet only padding",
          "[window]") {
  Truth truth = sum_of_one();
  truth.gap_decides = truth.nan_in_gap = true;
  Judge judge(with("conv2d", {claim(ClaimKind::kNan, NanRule::kCallerError),
                              claim(ClaimKind::kPaddingSkipped),
                              claim(ClaimKind::kAccumulator, Accumulator::kNestedSum)}),
              ClaimKind::kAccumulator);
  CHECK(judge(truth, kNan) == Shows::kNothing);
  truth.nan_in_gap = false;  // infinite, and so within the domain
  CHECK(judge(truth, kNan) == Shows::kViolated);
}

TEST_CASE("NaNs that a domain leaves out are not judged, and make no claim", "[window]") {
  for (const bool outside : {false, true}) {
    const Reading reading =
        testing::read_changed("max_pool2d", Dtype::kF32, [&](fkc::KernelContract& contract) {
          contract.claims = {claim(ClaimKind::kSelectionExact)};
          contract.caller_error_nan = outside;
        });
    const Rules rules(reading.operation);
    CHECK_FALSE(rules.judges(result_claim_row(ClaimKind::kNan)));
    CHECK(rules.not_judged[result_claim_row(ClaimKind::kNan)].empty());
    const auto error = [] { return oracle::SumError{}; };
    const auto judge = [&](const Truth& truth, Bits got) {
      return judge_result(rules, reading.operation, truth, got, error);
    };
    CHECK((judge(window_of_nans(), kOne).violated == 0) == outside);
    CHECK((judge(window(kOne, true), kTwo).violated == 0) == outside);
    CHECK(judge(window(kOne), kTwo).violated != 0);
  }
}

TEST_CASE("the declared order gives these bits, and no others", "[window]") {
  const std::vector<Claim> nested = {claim(ClaimKind::kAccumulator, Accumulator::kNestedSum)};
  Truth truth = sum_of_one();
  truth.exact = kOne + 5;
  truth.model = kOne + 1;
  truth.model_bias_first = kOne + 2;
  Judge last(with("conv2d", nested, BiasOrder::kLast), ClaimKind::kAccumulator);
  CHECK(last(truth, kOne + 1) == Shows::kUpheld);
  CHECK(last(truth, kOne + 2) == Shows::kViolated);
  CHECK(last(truth, truth.exact) == Shows::kViolated);
  CHECK(last(truth, kNan) == Shows::kViolated);
  Judge first(with("conv2d", nested, BiasOrder::kFirst), ClaimKind::kAccumulator);
  CHECK(first(truth, kOne + 1) == Shows::kViolated);
  CHECK(first(truth, kOne + 2) == Shows::kUpheld);
  Judge silent(with("conv2d", nested), ClaimKind::kAccumulator);
  CHECK(silent(truth, kOne + 1) == Shows::kUpheld);
  CHECK(silent(truth, kOne + 2) == Shows::kUpheld);
  CHECK(silent(truth, kOne + 3) == Shows::kViolated);
}

TEST_CASE("of a sum, NaNs are alike and zeros are alike, and nothing else is", "[window]") {
  Judge judge(with("conv2d", {claim(ClaimKind::kAccumulator, Accumulator::kNestedSum)}),
              ClaimKind::kAccumulator);
  CHECK(judge(sum_with_nan(), kOtherNan) == Shows::kUpheld);
  CHECK(judge(sum_with_nan(), kInfinity) == Shows::kViolated);
  Truth truth = sum_of_one();
  truth.model = truth.model_bias_first = kMinusZero;
  CHECK(judge(truth, 0) == Shows::kUpheld);
  CHECK(judge(truth, 1) == Shows::kViolated);
  truth.model = truth.model_bias_first = kInfinity;
  CHECK(judge(truth, kInfinity) == Shows::kUpheld);
  CHECK(judge(truth, kMinusInfinity) == Shows::kViolated);
  CHECK(judge(truth, kInfinity - 1) == Shows::kViolated);
}

TEST_CASE("the bound on errors speaks about sums that cannot overflow", "[window]") {
  Judge judge(with("conv2d", {claim(ClaimKind::kErrorBound)}), ClaimKind::kErrorBound);
  oracle::SumError within;
  oracle::SumError beyond;
  within.within_bound = true;
  beyond.within_bound = false;
  Truth truth = sum_of_one();
  CHECK(judge(truth, kOne, beyond) == Shows::kUpheld);  // the model's own error is known
  CHECK_FALSE(judge.asked());
  CHECK(judge(truth, kTwo, within) == Shows::kUpheld);
  CHECK(judge(truth, kTwo, beyond) == Shows::kViolated);
  CHECK(judge(truth, kNan, within) == Shows::kViolated);
  truth.within_bound = false;
  CHECK(judge(truth, kOne, within) == Shows::kViolated);
  truth.bounded = false;
  CHECK(judge(truth, kOne, beyond) == Shows::kNothing);
  CHECK(judge(truth, kNan, beyond) == Shows::kNothing);
  CHECK(judge(sum_with_nan(), kOne, beyond) == Shows::kNothing);
}

TEST_CASE("a window gives its greatest number", "[window]") {
  Judge judge(with("max_pool2d", {claim(ClaimKind::kSelectionExact)}), ClaimKind::kSelectionExact);
  CHECK(judge(window(kOne), kOne) == Shows::kUpheld);
  CHECK(judge(window(kOne), kOne + 1) == Shows::kViolated);
  CHECK(judge(window(kOne), kNan) == Shows::kViolated);
  CHECK(judge(window(0), 0) == Shows::kUpheld);
  CHECK(judge(window(0), kMinusZero) == Shows::kViolated);  // there is no -0 to select
  CHECK(judge(window(kMinusZero), 0) == Shows::kViolated);
  CHECK(judge(window_of_zeros(), 0) == Shows::kUpheld);
  CHECK(judge(window_of_zeros(), kMinusZero) == Shows::kUpheld);
  CHECK(judge(window_of_zeros(), 1) == Shows::kViolated);
}

TEST_CASE("a window of NaNs gives a NaN or what a scan starts with", "[window]") {
  for (const bool ignored : {false, true}) {
    std::vector<Claim> claims = {claim(ClaimKind::kSelectionExact)};
    if (ignored) claims.push_back(claim(ClaimKind::kNan, NanRule::kIgnored));
    const Reading reading = with("max_pool2d", claims);
    const Rules rules(reading.operation);
    const std::uint32_t selection = 1u << result_claim_row(ClaimKind::kSelectionExact);
    const auto judged = [&](Bits got) {
      return judge_result(rules, reading.operation, window_of_nans(), got,
                          [] { return oracle::SumError{}; });
    };
    CHECK((judged(kOtherNan).in_scope == selection && judged(kOtherNan).violated == 0));
    CHECK(judged(kMinusInfinity).violated == 0);
    CHECK(judged(kOne).violated == selection);
    CHECK(judged(kInfinity).violated == selection);
  }
}

/// nan and selection_exact of a window with the number 1 and a NaN, then of NaNs only.
struct NanCase {
  Bits got;
  Shows nan, selection, max_ulp;
};

void check_nans(std::optional<NanRule> rule, const Truth& truth, const NanCase& due) {
  std::vector<Claim> claims = {
      claim(ClaimKind::kSelectionExact), claim(ClaimKind::kMaxUlp, std::uint64_t{0}),
      claim(ClaimKind::kMaxRelative, 0.0), claim(ClaimKind::kMaxAbsolute, 0.0)};
  if (rule) claims.push_back(claim(ClaimKind::kNan, *rule));
  const Reading reading = with("max_pool2d", claims);
  const Rules rules(reading.operation);
  const Judgement judgement = judge_result(rules, reading.operation, truth, due.got, [] {
    return oracle::SumError{1, 1, 1, false};  // of any other number
  });
  const auto shows = [&](ClaimKind kind) {
    const std::uint32_t bit = 1u << result_claim_row(kind);
    if ((judgement.in_scope & bit) == 0) return Shows::kNothing;
    return (judgement.violated & bit) == 0 ? Shows::kUpheld : Shows::kViolated;
  };
  INFO("rule " << (rule ? static_cast<int>(*rule) : -1) << ", got " << hex(due.got, Dtype::kF32)
               << (truth.only_nans ? ", only NaNs" : ""));
  CHECK(shows(ClaimKind::kNan) == due.nan);
  CHECK(shows(ClaimKind::kSelectionExact) == due.selection);
  CHECK(shows(ClaimKind::kMaxUlp) == due.max_ulp);
  CHECK(shows(ClaimKind::kMaxRelative) == due.max_ulp);
  CHECK(shows(ClaimKind::kMaxAbsolute) == due.max_ulp);
}

TEST_CASE("a window with NaNs is judged by the rule that is declared", "[window]") {
  constexpr Shows none = Shows::kNothing;
  constexpr Shows kept = Shows::kUpheld;
  constexpr Shows bad = Shows::kViolated;
  const Truth mixed = window(kOne, true);
  const Truth only = window_of_nans();
  // NaNs are passed over while there is a number.
  check_nans(NanRule::kIgnored, mixed, {kOne, kept, kept, kept});
  check_nans(NanRule::kIgnored, mixed, {kNan, bad, bad, bad});
  check_nans(NanRule::kIgnored, mixed, {kTwo, kept, bad, bad});
  check_nans(NanRule::kIgnored, only, {kNan, none, kept, none});
  check_nans(NanRule::kIgnored, only, {kMinusInfinity, none, kept, none});
  check_nans(NanRule::kIgnored, only, {kOne, none, bad, none});
  // A NaN wins: no number is due, so no distance from one is judged.
  check_nans(NanRule::kPreserved, mixed, {kNan, kept, kept, none});
  check_nans(NanRule::kPreserved, mixed, {kOne, bad, bad, none});
  check_nans(NanRule::kPreserved, only, {kOtherNan, kept, kept, none});
  check_nans(NanRule::kPreserved, only, {kMinusInfinity, bad, bad, none});
  // Nothing is said: either may win, and a number that wins is the greatest.
  check_nans(std::nullopt, mixed, {kNan, none, kept, kept});
  check_nans(std::nullopt, mixed, {kOne, none, kept, kept});
  check_nans(std::nullopt, mixed, {kTwo, none, bad, bad});
  check_nans(std::nullopt, only, {kNan, none, kept, none});
  // The caller's own fault, or a rule that a selection cannot have: nothing is judged.
  for (const NanRule rule : {NanRule::kCallerError, NanRule::kZero}) {
    for (const Truth& truth : {mixed, only}) {
      for (const Bits got : {kNan, kOne, kTwo, Bits{0}}) {
        check_nans(rule, truth, {got, none, none, none});
      }
    }
    check_nans(rule, window(kOne), {kTwo, none, bad, bad});
  }
}

TEST_CASE("distances are steps, and none lies between a NaN and a number", "[window]") {
  const Operation& operation = testing::operation("max_pool2d", Dtype::kF32);
  CHECK(distance(operation, window(kOne), kOne + 4) == 4);
  CHECK(distance(operation, window(0), kMinusZero) == 1);
  CHECK(distance(operation, window_of_zeros(), kMinusZero) == 0);
  CHECK_FALSE(distance(operation, window(kOne), kNan).has_value());
  CHECK(distance(testing::operation("conv2d", Dtype::kF32), window(0), kMinusZero) == 0);
}

}  // namespace
}  // namespace assay::window
