// Whole audits of shared libraries.
#include <map>

#include "audit/end_to_end/testing/quick_audit.h"
#include "audit/worker/plugins.h"
#include "contracts/testing/catch.h"

namespace {

using namespace assay;
using namespace assay::testing;

std::string library(const std::string& name) {
  return std::string(ASSAY_PLUGINS) + "/" + name + ".so";
}

KernelRecord audit_library(const std::string& name, const std::string& kernel) {
  AuditOptions options;
  options.effort = Effort::kQuick;
  options.threads = 2;
  options.hang_after = std::chrono::seconds(3);
  options.only = {kernel};
  const RunRecord record =
      audit(shipped_contracts(), registry_with_plugins({library(name)}), options);
  REQUIRE(record.kernels.size() == 1);
  REQUIRE(record.kernels[0].not_run.empty());
  REQUIRE(record.kernels[0].library == library(name));
  return record.kernels[0];
}

TEST_CASE("each fault of a library's kernel gets its verdict, and the others are judged") {
  const KernelRecord kernel = audit_library("faulty_plugin", "cast_f32_to_f16");
  struct Row {
    const char* variant;
    const char* claim;
    Verdict verdict;
  };
  const std::vector<Row> rows = {
      {"over_reads", "in_bounds", Verdict::kRefuted},
      {"writes_input", "inputs_unmodified", Verdict::kRefuted},
      {"leaves_byte", "output_fully_written", Verdict::kRefuted},
      {"leaves_rounding", "fp_environment_kept", Verdict::kRefuted},
      {"wrong_last_lane", "bit_stable", Verdict::kRefuted},
      {"wrong_last_lane", "rounding", Verdict::kRefuted},
      {"reads_output", "output_fully_written", Verdict::kRefuted},
      {"crashes", "bit_stable", Verdict::kError},
      {"exits", "bit_stable", Verdict::kError},
      {"aborts", "bit_stable", Verdict::kError},
      {"hangs", "bit_stable", Verdict::kError},
      {"exhausts_memory", "bit_stable", Verdict::kError},
      {"own_threads", "bit_stable", Verdict::kRefuted},
      {"throws", "bit_stable", Verdict::kError},
      {"own_threads", "rounding", Verdict::kUpheld},
      {"leaves_file_open", "resources_kept", Verdict::kRefuted},
      {"leaves_thread", "resources_kept", Verdict::kRefuted},
      {"fills_message", "bit_stable", Verdict::kUpheld},
  };
  for (const Row& row : rows) {
    const ClaimRecord* found = claim(kernel, row.variant, row.claim);
    CAPTURE(row.variant, row.claim);
    REQUIRE(found != nullptr);
    CAPTURE(found->why);
    CHECK(found->verdict == row.verdict);
  }
  for (const VariantRecord& variant : kernel.variants) {
    for (const ClaimRecord& record : variant.claims) {
      CAPTURE(variant.name, record.id, record.why);
      if (variant.name == "healthy") {
        CHECK((record.verdict == Verdict::kUpheld || record.verdict == Verdict::kUnclaimed));
      }
      // The end of a process refutes nothing; but an access to memory that is not there is one out
      // of bounds.
      const bool ends = variant.name == "exits" || variant.name == "aborts" ||
                        variant.name == "hangs" || variant.name == "crashes" ||
                        variant.name == "exhausts_memory" || variant.name == "throws";
      if (ends && record.id != "in_bounds") CHECK(record.verdict != Verdict::kRefuted);
      if (ends && record.id == "in_bounds") {
        CHECK((record.verdict == Verdict::kRefuted) == (variant.name == "crashes"));
      }
    }
  }
  CHECK(claim(kernel, "throws", "bit_stable")
            ->why.find("an exception came through the C interface: out of patience") !=
        std::string::npos);
  CHECK(claim(kernel, "own_threads", "bit_stable")
            ->counterexample->why.find("threads of the library's own, 4 of them") !=
        std::string::npos);
  for (const char* variant : {"over_reads", "writes_input", "leaves_rounding"}) {
    CAPTURE(variant);
    CHECK(claim(kernel, variant, "rounding")->verdict == Verdict::kUpheld);
    CHECK(claim(kernel, variant, "bit_stable")->verdict == Verdict::kUpheld);
  }
}

TEST_CASE("a library that switches on flush-to-zero when it is loaded is found and named") {
  const KernelRecord kernel = audit_library("faulty_start", "cast_f32_to_f16");
  const ClaimRecord* environment = claim(kernel, "healthy", "fp_environment_kept");
  REQUIRE(environment->verdict == Verdict::kRefuted);
  CHECK(environment->counterexample->why.find("loading the library") != std::string::npos);
  CHECK(environment->counterexample->why.find("flush") != std::string::npos);
  CHECK(claim(kernel, "healthy", "rounding")->verdict == Verdict::kUpheld);
  CHECK(claim(kernel, "healthy", "subnormals")->verdict == Verdict::kUpheld);
}

TEST_CASE(
    "a library with nothing that is asked for is an error, not a pass of the built-in kernel") {
  // The library has a kernel for cast_f32_to_f16 only.
  CHECK_THROWS_AS(audit_library("faulty_plugin", "cast_f32_to_bf16"), UsageError);
}

TEST_CASE("the examples keep every claim that one variant can be held to") {
  struct Row {
    const char* library;
    const char* kernel;
  };
  std::vector<Row> rows = {{"cast_f32_to_bf16", "cast_f32_to_bf16"},
                           {"cast_u32", "cast_u32_to_f32"},
                           {"cast_u32", "cast_u32_to_f64"},
                           {"conv2d_f32", "conv2d_f32"}};
#if defined(ASSAY_RUST_EXAMPLE)
  rows.push_back({"cast_f32_to_u32", "cast_f32_to_u32"});
#endif
  for (const Row& row : rows) {
    const KernelRecord kernel = audit_library(row.library, row.kernel);
    REQUIRE(kernel.variants.size() == 1);
    for (const ClaimRecord& record : kernel.variants[0].claims) {
      CAPTURE(row.kernel, record.id, record.why);
      CHECK((record.verdict == Verdict::kUpheld || record.verdict == Verdict::kUnclaimed ||
             record.id == "bitwise"));
    }
  }
}

}  // namespace
