#include "reports/testing/sample_record.h"

#include <limits>
#include <utility>

namespace assay::testing {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ClaimRecord claim(ClaimKind kind, std::string declared, int line, Verdict verdict,
                  Strength strength, std::uint64_t probes) {
  ClaimRecord record;
  record.id = row(kind).id;
  record.statement = row(kind).statement;
  record.declared = std::move(declared);
  record.source = {"contracts/reference/cast.fkc.md", line, 5, SourceKind::kStructured,
                   record.id + ": " + record.declared};
  record.verdict = verdict;
  record.strength = strength;
  record.probes = probes;
  record.planned = probes;
  return record;
}

ClaimRecord upheld_rounding() {
  ClaimRecord record = claim(ClaimKind::kRounding, "nearest_even", 31, Verdict::kUpheld,
                             Strength::kExhaustive, 4294967296);
  record.source.kind = SourceKind::kProse;
  record.source.text = "Rounds to nearest, ties to even, in one step.";
  record.space = "all bit patterns of f32";
  record.measured.max_ulp_distance = 0;
  record.measured.max_ulp_error = 0.5;
  record.measured.argmax =
      ArgMax{"0x3f801000", "1.0004883", "0x3c00", "1", "1.00048828125 (0x1.002p+0)"};
  record.measured.histogram = {{0, 0, 134217728},
                               {0, 0.25, 2080374784},
                               {0.25, 0.5, 2080374784},
                               {0.5, 1, 0},
                               {1, kInfinity, 0}};
  record.measured.profiles = {{"worst_error",
                               "Worst ULP error by exponent of the input",
                               "exponent of the input",
                               "ULP error",
                               false,
                               {"worst"},
                               {{"2^-149 to 2^-26", -149, -26, {0.5}},
                                {"2^-25 to 2^15", -25, 15, {0.49951171875}},
                                {"2^16 to 2^127", 16, 127, {std::nullopt}}}}};
  return record;
}

ClaimRecord refuted_max_ulp(const std::string& variant) {
  ClaimRecord record =
      claim(ClaimKind::kMaxUlp, "0", 28, Verdict::kRefuted, Strength::kBoundaryComplete, 191490);
  record.space = "all rounding boundaries of f16, on them and on both sides";
  record.planned = 191502;
  record.excluded = {{"the contract leaves NaN to the caller", 12}};
  record.violations = 1024;
  record.first_violation = 17;
  record.measured.max_ulp_distance = 1;
  record.measured.max_ulp_error = 0.99609375;
  record.measured.max_relative = 0.00097561;
  record.measured.max_absolute = kInfinity;
  record.measured.histogram = {{0, 0, 65536}, {0, 0.5, 124930}, {0.5, kInfinity, 1024}};
  record.measured.profiles = {{"violations",
                               "Results that break a claim by exponent of the input",
                               "exponent of the input",
                               "results",
                               false,
                               {"negative inputs", "positive inputs"},
                               {{"zero", std::nullopt, std::nullopt, {0, 0}},
                                {"2^-25 to 2^-1", -25, -1, {0, 0}},
                                {"2^0", 0, 0, {512, 512}},
                                {"2^1 to 2^15", 1, 15, {0, 0}},
                                {"NaN", std::nullopt, std::nullopt, {0, 0}}}}};
  Counterexample example;
  example.inputs = {{"x", "f32", {}, {"0x3f801000"}, {"1.0004883 0x1.002p+0"}}};
  example.params = {{"length", "9"}, {"lane", "8"}};
  example.got = {"y", "f16", {}, {"0x3c01"}, {"1.001 0x1.004p+0"}};
  example.expected = {"y", "f16", {}, {"0x3c00"}, {"1 0x1p+0"}};
  example.exact =
      ExactRecord{"1.00048828125 (0x1.002p+0)", ValueRecord{"0x3c00", "1 (0x1p+0)"},
                  ValueRecord{"0x3c01", "1.001 (0x1.004p+0)"}, "1.00048828125 (0x1.002p+0)"};
  example.ulp_distance = 1;
  example.why = "a tie is rounded away from zero instead of to even";
  example.token = "cast_f32_f16/" + variant + "/precision.max_ulp/3f801000";
  record.counterexample = example;
  return record;
}

ClaimRecord refuted_without_value(const std::string& variant) {
  ClaimRecord record =
      claim(ClaimKind::kFpEnvironmentKept, "", 20, Verdict::kRefuted, Strength::kSampled, 64);
  record.source.kind = SourceKind::kImplied;
  record.source.text = "every kernel leaves the environment as it found it";
  record.space = "64 calls";
  record.violations = 1;
  Counterexample example;
  example.inputs = {{"x", "f32", {6}, {}, {}}};
  for (int i = 0; i < 6; ++i) {
    example.inputs[0].bits.push_back("0x00000001");
    example.inputs[0].values.push_back("1e-45 0x1p-149");
  }
  example.got = {"y", "f16", {6}, {}, {}};
  example.why = "flush-to-zero is on after the call";
  example.token = "cast_f32_f16/" + variant + "/fp_environment_kept/1";
  record.counterexample = example;
  return record;
}

ClaimRecord unclaimed_nan() {
  ClaimRecord record =
      claim(ClaimKind::kNan, "", 12, Verdict::kUnclaimed, Strength::kExhaustive, 16777214);
  record.source.text = "nothing is declared";
  record.space = "every NaN of f32";
  record.measured.observations = {{"NaN results with the quiet bit set", "16777214 of 16777214"},
                                  {"payload kept", "no"}};
  return record;
}

ClaimRecord undecided_bitwise() {
  ClaimRecord record =
      claim(ClaimKind::kBitwise, "same bits", 40, Verdict::kUndecided, Strength::kNone, 0);
  record.planned = 65536;
  record.excluded = {{"the time budget ran out", 65536}};
  record.why = "the time budget ran out before any probe was run";
  return record;
}

ClaimRecord error_in_bounds() {
  ClaimRecord record = claim(ClaimKind::kInBounds, "", 12, Verdict::kError, Strength::kNone, 17);
  record.source.kind = SourceKind::kAuditEntry;
  record.space = "64 lengths at a guard page";
  record.planned = 64;
  record.excluded = {{"the worker had died", 47}};
  record.why = "the kernel crashed: SIGSEGV at length 17";
  return record;
}

VariantRecord variant(std::string name, std::string digest, double seconds) {
  VariantRecord record;
  record.name = std::move(name);
  record.digest = std::move(digest);
  record.digest_space = "all bit patterns of f32";
  record.probes = 4295158786;
  record.seconds = seconds;
  record.probes_per_second = seconds > 0 ? 4295158786 / seconds : 0;
  return record;
}

KernelRecord kernel(std::string name, std::string file, int line) {
  KernelRecord record;
  record.kernel = std::move(name);
  record.entry_point = "demo::" + record.kernel;
  record.op_kind = "Cast";
  record.file = std::move(file);
  record.line = line;
  record.revision_hash = "00c0ffee00c0ffee";
  return record;
}

RunRecord record_of_this_run() {
  RunRecord record;
  record.tool = {"0.1.0", "58a1206", "g++ 12.2.0", "-O3 -ffp-contract=off"};
  record.machine = {"Example CPU at 3.00 GHz", {"SSE4", "AVX2"}, 2};
  record.run.command = "assay audit contracts/reference/cast.fkc.md --seed 42";
  record.run.seed = 42;
  record.run.effort = "standard";
  record.run.started = "2024-02-29T12:34:56Z";
  record.run.seconds = 41.3;
  return record;
}

}  // namespace

RunRecord sample_record() {
  RunRecord record = record_of_this_run();
  KernelRecord half = kernel("cast_f32_f16", "contracts/reference/cast.fkc.md", 12);
  VariantRecord scalar = variant("scalar", "0123456789abcdef", 30.25);
  scalar.claims = {refuted_max_ulp("scalar"), upheld_rounding(), unclaimed_nan(),
                   undecided_bitwise()};
  VariantRecord sse4 = variant("SSE4", "0123456789abcdef", 5.5);
  sse4.claims = {refuted_max_ulp("SSE4"), upheld_rounding(), unclaimed_nan(), undecided_bitwise(),
                 refuted_without_value("SSE4")};
  VariantRecord avx2 = variant("AVX2", "", 0);
  avx2.digest_space = "";
  avx2.probes = 17;
  avx2.probes_per_second = 0;
  avx2.claims = {error_in_bounds(), upheld_rounding()};
  avx2.claims[1].strength = Strength::kSampled;
  avx2.claims[1].probes = avx2.claims[1].planned = 65536;
  avx2.claims[1].space = "65,536 inputs in 12 strata";
  half.variants = {scalar, sse4, avx2};

  KernelRecord missing = kernel("cast_f64_f16", "adapters/Cast.fkc.md", 7);
  missing.registrable = false;
  missing.not_run = "no kernel is registered under demo::cast_f64_f16";

  KernelRecord long_name =
      kernel("cast_f32_bf16_with_a_name_longer_than_its_column", "adapters/index.fkc.md", 3);
  VariantRecord only = variant("scalar", "fedcba9876543210", 1);
  only.claims = {upheld_rounding()};
  long_name.variants = {only};
  record.kernels = {half, missing, long_name};
  return record;
}

RunRecord hostile_record() {
  const std::string evil =
      "a|b`c``d <script>alert(1)</script>\n# heading\n[link](x) ![i](y) \x1b[31m\xff $(rm -rf ~)'";
  RunRecord record = record_of_this_run();
  record.run.command = record.run.incomplete = evil;
  record.run.complete = false;
  record.machine = {evil, {evil}, 1};
  record.tool = {evil, evil, evil, evil};
  KernelRecord bad = kernel(evil, evil, 1);
  bad.op_kind = bad.not_run = evil;
  VariantRecord one = variant(evil, "0123456789abcdef", 1);
  one.digest_space = evil;
  ClaimRecord refuted = refuted_max_ulp(evil);
  refuted.statement = refuted.declared = refuted.space = refuted.why = evil;
  refuted.source.file = refuted.source.text = evil;
  refuted.excluded[0].reason = evil;
  refuted.measured.observations = {{evil, evil}};
  refuted.measured.argmax = ArgMax{"0x3f801000", evil, "0x3c01", evil, evil};
  for (Profile& profile : refuted.measured.profiles) {
    profile.title = profile.axis = profile.measure = evil;
    for (std::string& series : profile.series) series = evil;
    for (ProfileRow& row : profile.rows) row.at = evil;
  }
  Counterexample& example = *refuted.counterexample;
  example.exact->value = example.exact->midpoint = evil;
  example.exact->below->value = example.exact->above->value = evil;
  example.inputs[0].name = example.inputs[0].dtype = example.inputs[0].values[0] = evil;
  example.params = {{evil, evil}};
  example.got.values[0] = example.expected.values[0] = example.why = evil;
  ClaimRecord undecided = undecided_bitwise();
  undecided.declared = undecided.why = evil;
  one.claims = {refuted, undecided};
  bad.variants = {one};
  record.kernels = {bad};
  return record;
}

}  // namespace assay::testing
