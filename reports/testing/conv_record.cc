#include "reports/testing/conv_record.h"

#include <array>
#include <limits>
#include <utility>

#include "reports/testing/sample_record.h"

namespace assay::testing {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kContract = "contracts/reference/conv-pool.fkc.md";

/// A tensor of ones and minus ones, as much of it as a record keeps.
TensorRecord tensor(std::string name, std::vector<std::int64_t> shape) {
  TensorRecord record{std::move(name), "f32", std::move(shape), {}, {}};
  std::size_t count = 1;
  for (const std::int64_t extent : record.shape) count *= static_cast<std::size_t>(extent);
  for (std::size_t i = 0; i < count && i < kRecordedElements; ++i) {
    record.bits.push_back(i % 3 == 0 ? "0xbf800000" : "0x3f800000");
    record.values.push_back(i % 3 == 0 ? "-1 -0x1p+0" : "1 0x1p+0");
  }
  return record;
}

ClaimRecord claim(ClaimKind kind, std::string declared, int line, Verdict verdict) {
  ClaimRecord record;
  record.id = row(kind).id;
  record.statement = row(kind).statement;
  record.declared = std::move(declared);
  record.source = {kContract, line, 3, SourceKind::kAuditEntry, record.id + ": " + record.declared};
  record.verdict = verdict;
  record.strength = Strength::kSampled;
  record.probes = record.planned = 1048576;
  record.space = "1,024 geometries of 1,024 results each";
  return record;
}

Counterexample counterexample(const std::string& token) {
  Counterexample example;
  example.inputs = {tensor("x", {1, 2, 9, 27}), tensor("weight", {2, 2, 3, 3}),
                    tensor("bias", {2})};
  example.params = {{"stride_h", "2"},  {"stride_w", "1"},          {"padding_h", "1"},
                    {"padding_w", "0"}, {"dilation_h", "1"},        {"dilation_w", "1"},
                    {"groups", "1"},    {"result", "[0, 1, 4, 24]"}};
  example.got = {"out", "f32", {}, {"0xbf800000"}, {"-1 -0x1p+0"}};
  example.expected = {"out", "f32", {}, {"0xbf7fffff"}, {"-0.99999994 -0x1.fffffep-1"}};
  example.ulp_distance = 1;
  example.why = "the bias is added before the last product";
  example.token = token;
  return example;
}

ClaimRecord refuted_accumulator() {
  ClaimRecord record =
      claim(ClaimKind::kAccumulator, "nested_sum, bias last", 115, Verdict::kRefuted);
  record.source.text = "accumulator: nested_sum";  // `bias: last` stands in a line of its own
  record.violations = 512;
  record.counterexample = counterexample("conv2d_f32/scalar/accumulator/1");
  return record;
}

ClaimRecord refuted_padding() {
  ClaimRecord record = claim(ClaimKind::kPaddingSkipped, "skipped", 118, Verdict::kRefuted);
  record.violations = 1;
  Counterexample example = counterexample("conv2d_f32/scalar/padding_skipped/1");
  example.got = {"out", "f32", {1, 2, 5, 25}, {"0x7fc00000"}, {"NaN"}};
  example.expected = {"out", "f32", {1, 2, 5, 25}, {}, {}};
  example.ulp_distance.reset();
  example.why = "a weight in the padding is NaN, and the result depends on it";
  record.counterexample = example;
  return record;
}

ClaimRecord upheld_bound(double condition) {
  ClaimRecord record = claim(ClaimKind::kErrorBound, "gamma_n", 117, Verdict::kUpheld);
  record.measured.max_ulp_error = kInfinity;
  record.measured.argmax =
      ArgMax{"", "probe 17, result [0, 1, 4, 24]", "0x33800000", "5.9604645e-08", "0 (0x0p+0)"};
  record.measured.condition = condition;
  record.measured.histogram = {{0, 0, 12}, {0, 0.5, 1048000}, {0.5, kInfinity, 564}};
  return record;
}

VariantRecord variant(std::string name) {
  VariantRecord record;
  record.name = std::move(name);
  record.digest = "0123456789abcdef";
  record.digest_space = "all geometries";
  record.probes = 3145728;
  record.seconds = 2.5;
  record.probes_per_second = 1258291.2;
  return record;
}

KernelRecord kernel(std::string name, std::string op_kind, int line) {
  KernelRecord record;
  record.kernel = std::move(name);
  record.entry_point = "demo::ops::" + record.kernel;
  record.op_kind = std::move(op_kind);
  record.file = kContract;
  record.line = line;
  record.revision_hash = "00c0ffee00c0ffee";
  return record;
}

/// This run's record without kernels.
RunRecord empty_record() {
  RunRecord record = sample_record();
  record.kernels.clear();
  record.run.command = std::string("assay audit ") + kContract + " --seed 42";
  return record;
}

}  // namespace

RunRecord conv_record() {
  KernelRecord conv = kernel("conv2d_f32", "Conv2D", 32);
  VariantRecord scalar = variant("scalar");
  scalar.claims = {refuted_accumulator(), upheld_bound(kInfinity), refuted_padding()};
  scalar.rates = {{"3x3, 32 to 32 channels, 56x56", 0.046, 57802752, 840704, 1}};
  VariantRecord wide = variant("AVX2");
  wide.claims = {refuted_accumulator(), upheld_bound(12.5), refuted_padding()};
  wide.rates = {{"3x3, 32 to 32 channels, 56x56", 0.00184, 57802752, 840704, 25}};
  conv.variants = {scalar, wide};
  KernelRecord half = kernel("conv2d_bf16", "Conv2D", 32);
  half.not_run = "no kernel is registered under demo::ops::conv2d_bf16";
  KernelRecord pool = kernel("max_pool2d_f32", "MaxPool2D", 272);
  VariantRecord only = variant("scalar");
  only.claims = {claim(ClaimKind::kSelectionExact, "exact", 331, Verdict::kUpheld)};
  pool.variants = {only};
  RunRecord record = empty_record();
  record.kernels = {conv, half, pool};
  return record;
}

RunRecord crowded_record() {
  constexpr std::array<const char*, 6> kVariants = {"scalar", "SSE4",      "AVX2",
                                                    "AVX3",   "AVX3_ZEN4", "AVX10_2"};
  constexpr std::size_t kClaimsOfEach = 17;
  RunRecord record = empty_record();
  for (const char* operation : {"conv2d", "conv_transpose2d", "conv2d_simple", "max_pool2d"}) {
    for (const char* dtype : {"f32", "f64", "bf16"}) {
      KernelRecord crowded = kernel(std::string(operation) + "_" + dtype, "Conv2D", 32);
      for (const char* name : kVariants) {
        VariantRecord each = variant(name);
        for (std::size_t i = 0; i < kClaimsOfEach; ++i) {
          ClaimRecord refuted = claim(kClaims[i].kind, "", 115, Verdict::kRefuted);
          refuted.violations = 1;
          refuted.counterexample = counterexample("t");
          refuted.counterexample->why = std::string("differs on ") + name;
          each.claims.push_back(std::move(refuted));
        }
        crowded.variants.push_back(std::move(each));
      }
      record.kernels.push_back(std::move(crowded));
    }
  }
  return record;
}

}  // namespace assay::testing
