// The convolutions and the pooling that ship with the project.
#include <fmt/format.h>

#include "contracts/fkc/call_shapes.h"
#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/files.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::errors_of;
using testing::listing;
using testing::sample_with;

const Document& document() {
  static const Document read =
      read_document(std::string(ASSAY_SOURCE_DIR) + "/contracts/reference/conv-pool.fkc.md");
  return read;
}

const KernelContract& kernel(std::string_view name) {
  for (const KernelContract& candidate : document().kernels) {
    if (candidate.kernel == name) return candidate;
  }
  FAIL("no kernel " << name);
  return document().kernels.front();
}

TEST_CASE("the document has four kernels without errors, two of them described only") {
  INFO(listing(document()));
  CHECK_FALSE(has_errors(document().diagnostics));
  // Its prose says the same as its fields and entries do.
  for (const Diagnostic& diagnostic : document().diagnostics)
    CHECK(diagnostic.kind != "ProseDisagrees");
  REQUIRE(document().kernels.size() == 4);
  CHECK(kernel("conv2d").registrable);
  CHECK(kernel("conv_transpose2d").registrable);
  CHECK_FALSE(kernel("conv2d_simple").registrable);
  CHECK_FALSE(kernel("max_pool2d").registrable);
}

TEST_CASE("what is only described is unknown to dispatch") {
  std::string text = testing::file_text("contracts/reference/conv-pool.fkc.md");
  for (std::size_t at = 0; (at = text.find("registrable: false\n")) != std::string::npos;) {
    text.replace(at, std::string("registrable: false\n").size(), "registrable: true\n");
  }
  const Document registered = parse_document(text, "a");
  CHECK(registered.kernels.size() == 2);
  std::vector<std::string> kinds;
  for (const auto& fault : errors_of(registered)) kinds.push_back(fault.kind);
  CHECK(kinds == std::vector<std::string>{"UnknownOpKind", "BadOpParamsVariant", "UnknownOpKind",
                                          "BadOpParamsVariant"});
}

/// "id=declared" of the claims that casts do not have, and of `nan`.
std::vector<std::string> own_claims(const KernelContract& contract) {
  std::vector<std::string> claims;
  for (const Claim& claim : contract.claims) {
    const bool own =
        claim.kind == ClaimKind::kNan || claim.kind == ClaimKind::kAcceptGeometry ||
        (claim.kind >= ClaimKind::kAccumulator && claim.kind <= ClaimKind::kSelectionExact);
    if (own) claims.push_back(fmt::format("{}={}", row(claim.kind).id, claim.declared));
  }
  return claims;
}

TEST_CASE("the claims of sums, padding, selection and geometry") {
  using List = std::vector<std::string>;
  CHECK(own_claims(kernel("conv2d")) ==
        List{"accumulator=nested_sum, bias last", "error_bound=gamma_n", "padding_skipped=skipped",
             "accept.geometry=weight: divisible(x.dim[1], weight.dim[1]); bias: "
             "same_as=weight.dim[0]; groups: x.dim[1] % groups == 0 && weight.dim[0] % groups == "
             "0"});
  CHECK(own_claims(kernel("conv_transpose2d")) ==
        List{"accumulator=scattered_sum", "error_bound=gamma_n",
             "accept.geometry=weight: same_as=x.dim[1]; groups: x.dim[1] % groups == 0"});
  CHECK(own_claims(kernel("conv2d_simple")) ==
        List{"accumulator=nested_sum", "error_bound=gamma_n", "padding_skipped=skipped",
             "accept.geometry=kernel: same_as=x.dim[1]; stride: stride > 0"});
  CHECK(own_claims(kernel("max_pool2d")) ==
        List{"nan=ignored", "selection_exact=exact",
             "accept.geometry=kernel_size: kernel_size > 0 && kernel_size <= x.dim[2] && "
             "kernel_size <= x.dim[3]; stride: stride > 0"});
  const Claim* order = kernel("conv2d").claim(ClaimKind::kAccumulator);
  REQUIRE(order != nullptr);
  CHECK(std::get<Accumulator>(order->value) == Accumulator::kNestedSum);
  CHECK(order->source.kind == SourceKind::kAuditEntry);
  for (const KernelContract& contract : document().kernels) {
    INFO(contract.kernel);
    CHECK(contract.bias_order ==
          (contract.kernel == "conv2d" ? std::optional(BiasOrder::kLast) : std::nullopt));
  }
  const Claim* geometry = kernel("conv2d").claim(ClaimKind::kAcceptGeometry);
  REQUIRE(geometry != nullptr);
  CHECK(geometry->source.kind == SourceKind::kStructured);
  CHECK(geometry->source.text == "shape_constraint: \"divisible(x.dim[1], weight.dim[1])\"");
}

std::string violations(const KernelContract& contract, const CallShapes& call) {
  std::string text;
  for (const Requirement& requirement : check_requirements(contract, call)) {
    if (requirement.finding.standing == Standing::kHolds) continue;
    text +=
        fmt::format("{}: {}\n", to_string(requirement.finding.standing), requirement.finding.why);
  }
  return text;
}

std::string shape(const KernelContract& contract, const CallShapes& call) {
  const OutputShape result = output_shape(contract, contract.outputs.at(0), call);
  return result.shape ? to_string(*result.shape) : result.finding.why;
}

TEST_CASE("shapes of the four kernels") {
  CallShapes call{{{"x", {2, 6, 9, 7}}, {"weight", {4, 3, 3, 2}}, {"bias", {4}}},
                  {{"stride", Extents{2, 1}},
                   {"padding", Extents{1, 0}},
                   {"dilation", Extents{1, 1}},
                   {"groups", std::int64_t{2}}}};
  CHECK(shape(kernel("conv2d"), call) == "[2, 4, 5, 6]");
  CHECK(violations(kernel("conv2d"), call).empty());
  // 2 * MACs: 2 * N Cout (Cin/groups) Kh Kw Hout Wout.
  call.params["x_shape"] = Extents{2, 6, 9, 7};
  call.params["w_shape"] = Extents{4, 3, 3, 2};
  call.params["out_shape"] = Extents{2, 4, 5, 6};
  CHECK(*evaluate_cost(kernel("conv2d").cost.flops, kernel("conv2d"), call, 4) ==
        2.0 * 2 * 4 * 3 * 3 * 2 * 5 * 6);
  call.operands["bias"] = {5};
  CHECK(violations(kernel("conv2d"), call) ==
        "violated: `bias` has the shape [5], and `weight.dim[0]` is 4\n");
  call.operands.erase("bias");
  CHECK(violations(kernel("conv2d"), call).empty());

  const CallShapes transposed{{{"x", {2, 6, 9, 7}}, {"weight", {6, 2, 3, 2}}},
                              {{"stride", Extents{2, 1}},
                               {"padding", Extents{1, 0}},
                               {"output_padding", Extents{1, 0}},
                               {"dilation", Extents{1, 2}},
                               {"groups", std::int64_t{3}}}};
  CHECK(shape(kernel("conv_transpose2d"), transposed) == "[2, 6, 18, 9]");
  CHECK(violations(kernel("conv_transpose2d"), transposed) ==
        "not checked: `weight` has the shape [6, 2, 3, 2], and `x.dim[1]` is 6: the contract does "
        "not say which dimension that is\n");

  const CallShapes simple{{{"x", {1, 3, 8, 8}}, {"kernel", {5, 3, 3, 3}}},
                          {{"stride", std::int64_t{2}}, {"padding", std::int64_t{1}}}};
  CHECK(shape(kernel("conv2d_simple"), simple) == "[1, 5, 4, 4]");

  CallShapes pool{{{"x", {1, 3, 8, 5}}},
                  {{"stride", std::int64_t{2}}, {"kernel_size", std::int64_t{3}}}};
  CHECK(shape(kernel("max_pool2d"), pool) == "[1, 3, 3, 2]");
  CHECK(violations(kernel("max_pool2d"), pool).empty());
  pool.params["kernel_size"] = std::int64_t{6};
  CHECK(violations(kernel("max_pool2d"), pool) ==
        "violated: `kernel_size` (which is 6) is above `x.dim[3]` (which is 5)\n");
  CHECK(shape(kernel("max_pool2d"), pool) ==
        "\"(x.dim[3]-kernel_size)/stride+1\": -1 is divided by 2");
  pool.params["stride"] = std::int64_t{0};
  CHECK(violations(kernel("max_pool2d"), pool) ==
        "violated: `kernel_size` (which is 6) is above `x.dim[3]` (which is 5)\n"
        "violated: `stride` (which is 0) is not above 0\n");
}

/// A convolution with a bias and these entries of `audit`, the first in line 55.
Document with_entries(const std::string& entries) {
  return parse_document(
      testing::replaced(testing::file_text("contracts/broken/SilentOnBiasOrder.fkc.md"),
                        "determinism: same_hardware_bitwise\n",
                        "determinism: same_hardware_bitwise\naudit:\n" + entries),
      "a");
}

TEST_CASE("the order of a bias completes the accumulator's claim") {
  for (const auto& [token, order] :
       {std::pair{"first", BiasOrder::kFirst}, std::pair{"last", BiasOrder::kLast}}) {
    for (const std::string sum : {"nested_sum", "scattered_sum"}) {
      const Document read =
          with_entries(fmt::format("  bias: {}\n  accumulator: {}\n", token, sum));
      INFO(listing(read));
      REQUIRE(read.kernels.size() == 1);
      CHECK(read.kernels[0].bias_order == order);
      CHECK(own_claims(read.kernels[0]).at(0) ==
            fmt::format("accumulator={}, bias {}", sum, token));
      const Claim* claim = read.kernels[0].claim(ClaimKind::kAccumulator);
      CHECK(to_string(std::get<Accumulator>(claim->value)) == sum);
      CHECK(claim->source.text == "accumulator: " + sum);
      CHECK(claim->source.line == 56);
    }
  }
  for (const char* silent :
       {"  accumulator: nested_sum\n", "  accumulator: nested_sum\n  bias: ~\n"}) {
    const Document read = with_entries(silent);
    REQUIRE(read.kernels.size() == 1);
    CHECK_FALSE(read.kernels[0].bias_order);
    CHECK(own_claims(read.kernels[0]).at(0) == "accumulator=nested_sum");
  }
}

TEST_CASE("an order of a bias that nothing can be made of is refused") {
  struct Row {
    std::string entries;
    std::string_view kind;
    int line;
    std::string_view hint;
  };
  const std::vector<Row> rows = {
      {"  accumulator: nested_sum\n  bias: middle\n", "UnknownAuditValue", 56,
       "write `last` or `first`"},
      {"  accumulator: nested_sum\n  bias: [last]\n", "UnknownAuditValue", 56,
       "write `last` or `first`"},
      {"  bias: last\n", "AuditContradiction", 55,
       "add `accumulator: nested_sum` or `scattered_sum`, or remove the entry"},
      {"  accumulator: ~\n  bias: last\n", "AuditContradiction", 56,
       "add `accumulator: nested_sum` or `scattered_sum`, or remove the entry"},
      // One fault, one error.
      {"  accumulator: some\n  bias: last\n", "UnknownAuditValue", 55,
       "write `nested_sum` or `scattered_sum`"},
  };
  for (const Row& row : rows) {
    const Document read = with_entries(row.entries);
    INFO(row.entries << listing(read));
    const auto errors = errors_of(read);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == row.kind);
    CHECK(errors[0].line == row.line);
    CHECK(errors[0].hint == row.hint);
    CHECK(read.kernels.empty());
  }
  const std::string text =
      testing::replaced(testing::file_text("contracts/reference/conv-pool.fkc.md"),
                        "    - name: bias\n", "    - name: b\n");
  const auto errors = errors_of(parse_document(text, "a"));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "AuditContradiction");
  CHECK(errors[0].message == "`bias` of a kernel without an operand of that name");
}

TEST_CASE("a cast neither sums nor selects") {
  for (const char* entry : {"accumulator: nested_sum", "error_bound: gamma_n", "padding: skipped",
                            "bias: last", "selection: exact", "nan: ignored"}) {
    INFO(entry);
    const auto errors =
        errors_of(parse_document(sample_with("rounding: nearest_even", entry), "a"));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == "AuditContradiction");
    CHECK(errors[0].line == 45);
  }
  const auto errors =
      errors_of(parse_document(sample_with("rounding: nearest_even", "accumulator: f32"), "a"));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "UnknownAuditValue");
}

}  // namespace
}  // namespace assay::fkc
