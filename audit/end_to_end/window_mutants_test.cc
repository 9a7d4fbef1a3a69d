// The audit must refute every faulty convolution and pooling, under the claim that the fault
// breaks, with a small counterexample, and must not refute a correct one that differs where the
// contracts are silent.
#include <set>

#include "audit/end_to_end/testing/quick_audit.h"
#include "audit/end_to_end/testing/tokens.h"
#include "contracts/testing/catch.h"
#include "kernels/mutants/mutants.h"

namespace {

using namespace assay;
using namespace assay::testing;

const std::set<std::string>& claims_of_results() {
  static const std::set<std::string> ids = {"accumulator", "error_bound", "selection_exact", "nan",
                                            "precision.max_ulp"};
  return ids;
}

bool is_about_results(const Mutant& mutant) {
  return claims_of_results().count(mutant.claim) > 0;
}

std::uint64_t elements_of(const TensorRecord& tensor) {
  std::uint64_t n = 1;
  for (const std::int64_t extent : tensor.shape) n *= static_cast<std::uint64_t>(extent);
  return n;
}

/// Elements of all inputs.
std::uint64_t size_of(const Counterexample& example) {
  std::uint64_t sum = 0;
  for (const TensorRecord& tensor : example.inputs) sum += elements_of(tensor);
  return sum;
}

/// The most that a counterexample about results may need: the fault's own trigger decides.
std::uint64_t most_elements(const Mutant& mutant) {
  if (mutant.what.find("wider than 256") != std::string::npos) return 700;
  if (mutant.what.find("65535") != std::string::npos) return 100000;
  return 60;
}

/// Claims of a mutant that fall with the one that it is made for.
bool may_fall_too(const std::string& made_for, const std::string& id) {
  static const std::set<std::pair<std::string, std::string>> pairs = {
      // A wrong term is also a large error; a small error may be a wrong order only.
      {"accumulator", "error_bound"},
      {"error_bound", "accumulator"},
      // What is wrong in some rows, batches or groups only is right elsewhere: the same elements
      // give other bits there.
      {"accumulator", "bit_stable"},
      {"selection_exact", "bit_stable"},
      // Padding in the wrong place is summed where there is none.
      {"accumulator", "padding_skipped"},
      // A selection that is wrong is also steps away, and a NaN that should lose is one.
      {"selection_exact", "precision.max_ulp"},
      {"nan", "precision.max_ulp"},
      {"nan", "selection_exact"},
      {"selection_exact", "nan"},
  };
  return pairs.count({made_for, id}) > 0;
}

/// Audits a mutant and finds it refuted under its claim.
void check_refuted(const Mutant& mutant) {
  const KernelRecord kernel = quick_audit(mutant);
  INFO(mutant.what);
  INFO("fallen: " << fallen_claims(kernel));
  const ClaimRecord* judged = claim(kernel, "mutant", mutant.claim);
  REQUIRE(judged != nullptr);
  REQUIRE(judged->verdict == Verdict::kRefuted);
  REQUIRE(judged->violations > 0);
  REQUIRE(judged->counterexample.has_value());
  const Counterexample& example = *judged->counterexample;
  INFO(example.why);
  REQUIRE_FALSE(example.why.empty());
  check_tokens(mutant, kernel);
  if (!is_about_results(mutant)) return;
  INFO("elements: " << size_of(example));
  CHECK(size_of(example) <= most_elements(mutant));
  REQUIRE(example.got.bits.size() == 1);
  REQUIRE(example.expected.bits.size() == 1);
  REQUIRE(example.got.bits != example.expected.bits);
  // A fault in results refutes no claim that it does not break.
  for (const ClaimRecord& record : kernel.variants.at(0).claims) {
    INFO(record.id << " " << record.why);
    CHECK(record.verdict != Verdict::kError);
    if (record.verdict != Verdict::kRefuted || record.id == mutant.claim) continue;
    INFO(record.counterexample->why);
    CHECK(may_fall_too(mutant.claim, record.id));
  }
}

/// One test for each kind of operation and of fault, so that they run side by side.
void check_all(const std::string& operation, bool about_results) {
  std::size_t checked = 0;
  for (const Mutant& mutant : window_mutants()) {
    const bool wanted = mutant.entry_point.find("::" + operation) != std::string::npos &&
                        is_about_results(mutant) == about_results;
    if (!wanted) continue;
    ++checked;
    DYNAMIC_SECTION(mutant.name) {
      check_refuted(mutant);
    }
  }
  REQUIRE(checked > 0);
}

TEST_CASE("every fault in results of conv2d is refuted under the right claim") {
  check_all("conv2d_f", true);
}
TEST_CASE("every fault in results of conv2d_simple is refuted under the right claim") {
  check_all("conv2d_simple", true);
}
TEST_CASE("every fault in results of conv_transpose2d is refuted under the right claim") {
  check_all("conv_transpose2d", true);
}
TEST_CASE("every fault in results of max_pool2d is refuted under the right claim") {
  check_all("max_pool2d", true);
}
TEST_CASE("every fault in calls of convolutions is refuted under the right claim") {
  check_all("conv", false);
}
TEST_CASE("every fault in calls of poolings is refuted under the right claim") {
  check_all("max_pool2d", false);
}

TEST_CASE("a permitted convolution or pooling keeps every claim") {
  require_kept(permitted_window_variants());
}

}  // namespace
