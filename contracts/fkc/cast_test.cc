// The cast contracts that ship with the project: what they say, and what is made of it.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/fkc/text.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::listing;

const std::string kCastPath = std::string(ASSAY_SOURCE_DIR) + "/contracts/reference/cast.fkc.md";
const std::string kFactsPath = std::string(ASSAY_SOURCE_DIR) + "/contracts/testdata/cast_facts.txt";

std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  REQUIRE(stream.good());
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The trimmed lines of each block up to its audit mapping, comments left out.
std::vector<std::vector<std::string>> block_lines(const std::string& text) {
  std::vector<std::vector<std::string>> blocks;
  bool inside = false;
  for (const std::string_view line : split_lines(text)) {
    if (line == "```fkc") {
      blocks.emplace_back();
      inside = true;
    } else if (line == "```" || line == "audit:") {
      inside = false;
    } else if (inside) {
      blocks.back().emplace_back(trim(line));
    }
  }
  return blocks;
}

/// The same from the facts.
std::vector<std::vector<std::string>> expected_lines() {
  std::vector<std::string> pattern;
  std::vector<std::vector<std::string>> blocks;
  std::size_t at = 0;
  const auto copy_fixed = [&] {
    while (at < pattern.size() && pattern[at] != "?") blocks.back().push_back(pattern[at++]);
  };
  const std::string facts = content(kFactsPath);
  for (const std::string_view line : split_lines(facts)) {
    if (line.substr(0, 1) == "#" || line == "template") continue;
    if (line == "kernel") {
      blocks.emplace_back();
      at = 0;
      copy_fixed();
    } else if (blocks.empty()) {
      pattern.emplace_back(line);
    } else {
      blocks.back().emplace_back(line);
      ++at;
      copy_fixed();
    }
  }
  return blocks;
}

const Document& casts() {
  static const Document document = read_document(kCastPath);
  return document;
}

TEST_CASE("every field line of the cast contracts is as the facts say") {
  const auto blocks = block_lines(content(kCastPath));
  const auto facts = expected_lines();
  REQUIRE(facts.size() == 16);
  REQUIRE(blocks.size() == 16);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    INFO(facts[i].front());
    REQUIRE(facts[i].size() == 43);
    REQUIRE(blocks[i] == facts[i]);
  }
}

TEST_CASE("the cast document has sixteen kernels and no faults") {
  INFO(listing(casts()));
  CHECK(casts().diagnostics.empty());
  REQUIRE(casts().kernels.size() == 16);
  CHECK(casts().provider.name.value == "fuel-reference-backend");
  CHECK(casts().provider.backend.value == "Cpu");
  CHECK(casts().provider.kernel_source.value == "reference-oracle");
  CHECK(casts().provider.link_registry.value == "fuel_reference_backend::fkc::ENTRY_POINTS");
  CHECK(casts().provider.revision_base.value == "git:f41137b4");
}

TEST_CASE("the fields that vary arrive in the values, unchanged") {
  const auto facts = expected_lines();
  REQUIRE(casts().kernels.size() == facts.size());
  std::set<std::string> hashes;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    std::map<std::string, std::string> fields;
    for (const std::string& line : facts[i]) {
      const std::size_t colon = line.find(": ");
      if (colon == std::string::npos) continue;
      std::string value = line.substr(colon + 2);
      if (value.size() > 1 && value.front() == '"') value = value.substr(1, value.size() - 2);
      fields.emplace(line.substr(0, colon), value);
    }
    const KernelContract& kernel = casts().kernels[i];
    INFO(kernel.kernel);
    CHECK(kernel.kernel == fields.at("kernel"));
    CHECK(kernel.op_kind == "Cast");
    CHECK(kernel.fused_op.empty());
    CHECK(kernel.blurb == fields.at("blurb"));
    CHECK(kernel.backend == "Cpu");
    CHECK(kernel.kernel_source == "reference-oracle");
    CHECK(kernel.entry_point.value == fields.at("entry_point"));
    CHECK(kernel.registrable);
    CHECK(kernel.file == kCastPath);
    CHECK(kernel.op_params_variant == "Cast");
    CHECK(kernel.determinism == fields.at("determinism"));

    REQUIRE(kernel.inputs.size() == 1);
    const InputOperand& input = kernel.inputs[0];
    CHECK(input.name.value == "src");
    REQUIRE(input.dtypes.size() == 1);
    CHECK(fmt::format("[{}]", traits(input.dtypes[0]).token) == fields.at("dtypes"));
    CHECK(input.layout_declared);
    CHECK(input.layout.contiguous == LayoutFlag::kRequired);
    CHECK(input.layout.strided == LayoutFlag::kRejected);
    CHECK(input.layout.broadcast_stride0 == LayoutFlag::kRejected);
    CHECK(input.layout.start_offset == LayoutFlag::kRejected);
    CHECK(input.layout.reverse_strides == LayoutFlag::kRejected);
    CHECK(input.rank.lower == 0);
    CHECK_FALSE(input.rank.upper.has_value());

    REQUIRE(kernel.outputs.size() == 1);
    const OutputOperand& output = kernel.outputs[0];
    CHECK(output.name.value == "out");
    CHECK(output.dtype_rule.value == fields.at("dtype_rule"));
    REQUIRE(output.fixed_dtype.has_value());
    CHECK(fmt::format("fixed({})", traits(*output.fixed_dtype).token) == fields.at("dtype_rule"));
    CHECK(output.same_as == "src");

    CHECK(kernel.caps.awkward_layout_strategy == "requires_contiguous");
    REQUIRE(kernel.caps.fast_paths.size() == 1);
    CHECK(kernel.caps.fast_paths[0].when == "all_inputs_contiguous");
    CHECK(kernel.caps.fast_paths[0].cost_class == "cheap_elementwise");
    CHECK_FALSE(kernel.caps.in_place);
    CHECK(kernel.alignment_bytes == 64);
    CHECK(kernel.caps.access_granularity_bits == std::uint64_t{8});

    CHECK(kernel.cost.provenance == "judge_measured");
    CHECK(kernel.cost.cost_class == "cheap_elementwise");
    CHECK(kernel.cost.flops == "0");
    CHECK(kernel.cost.bytes_moved == fields.at("bytes_moved"));
    CHECK(kernel.cost.overhead_ns.empty());
    CHECK(kernel.cost.device_bytes == "0");
    CHECK(kernel.cost.disk_bytes == "0");
    CHECK(fields.at("memory") ==
          fmt::format("{{ device_bytes: 0, host_bytes: \"{}\", disk_bytes: 0 }}",
                      kernel.cost.host_bytes));

    CHECK(kernel.precision.bit_stable_on_same_hardware);
    const auto& bound = kernel.precision.max_ulp;
    const std::string max_ulp = bound ? fmt::format("{}", *bound) : fmt::format("~");
    CHECK(max_ulp == fields.at("max_ulp"));
    CHECK_FALSE(kernel.precision.max_relative.has_value());
    CHECK_FALSE(kernel.precision.max_absolute.has_value());
    CHECK(kernel.precision.audited == true);
    CHECK(kernel.precision.notes.value == fields.at("notes"));

    CHECK(kernel.revision_hash.size() == 16);
    CHECK(hashes.insert(kernel.revision_hash).second);
  }
}

struct ClaimsRow {
  std::string_view kernel;
  std::string_view dtype_in;
  std::string_view dtype_rule;
  std::string_view max_ulp;  ///< also: bitwise
  std::string_view rounding;
  std::string_view overflow;
  std::string_view nan;
  std::string_view preserved;  ///< of infinity, signed_zero and subnormals
  std::string_view domain_exact;
};

constexpr std::string_view kKeep = "preserved";
constexpr std::string_view kError = "caller_error";

constexpr ClaimsRow kClaimRows[] = {
    {"cast_f32_to_f64", "F32", "fixed(F64)", "0", "exact", "", kKeep, kKeep, ""},
    {"cast_f32_to_bf16", "F32", "fixed(BF16)", "", "nearest_even", "infinity", kKeep, kKeep, ""},
    {"cast_f32_to_f16", "F32", "fixed(F16)", "", "nearest_even", "infinity", kKeep, kKeep, ""},
    {"cast_f64_to_f32", "F64", "fixed(F32)", "", "nearest_even", "infinity", kKeep, kKeep, ""},
    {"cast_f64_to_bf16", "F64", "fixed(BF16)", "", "nearest_even", "infinity", kKeep, kKeep, ""},
    {"cast_f64_to_f16", "F64", "fixed(F16)", "", "nearest_even", "infinity", kKeep, kKeep, ""},
    {"cast_bf16_to_f32", "BF16", "fixed(F32)", "0", "exact", "", kKeep, kKeep, ""},
    {"cast_bf16_to_f64", "BF16", "fixed(F64)", "0", "exact", "", kKeep, kKeep, ""},
    {"cast_bf16_to_f16", "BF16", "fixed(F16)", "", "nearest_even", "infinity", kKeep, kKeep, ""},
    {"cast_f16_to_f32", "F16", "fixed(F32)", "0", "exact", "", kKeep, kKeep, ""},
    {"cast_f16_to_f64", "F16", "fixed(F64)", "0", "exact", "", kKeep, kKeep, ""},
    {"cast_f16_to_bf16", "F16", "fixed(BF16)", "", "nearest_even", "", kKeep, kKeep, ""},
    {"cast_u32_to_f32", "U32", "fixed(F32)", "", "nearest_even", "", "", "", "src < 2^24"},
    {"cast_u32_to_f64", "U32", "fixed(F64)", "0", "exact", "", "", "", ""},
    {"cast_f32_to_u32", "F32", "fixed(U32)", "", "toward_zero", kError, kError, "", ""},
    {"cast_f64_to_u32", "F64", "fixed(U32)", "", "toward_zero", kError, kError, "", ""},
};

constexpr std::string_view kLayout =
    "contiguous: required, strided: rejected, broadcast_stride0: rejected, start_offset: rejected, "
    "reverse_strides: rejected";

/// "id=declared" of every claim that the row expects, in the order of `kClaims`.
std::vector<std::string> expected_claims(const ClaimsRow& row) {
  std::vector<std::string> claims;
  const auto add = [&](std::string_view id, std::string_view declared) {
    if (!declared.empty()) claims.push_back(fmt::format("{}={}", id, declared));
  };
  add("precision.max_ulp", row.max_ulp);
  add("rounding", row.rounding);
  add("overflow", row.overflow);
  add("nan", row.nan);
  add("infinity", row.preserved);
  add("signed_zero", row.preserved);
  add("subnormals", row.preserved);
  add("domain_exact", row.domain_exact);
  add("bit_stable", "true");
  add("bitwise", row.max_ulp.empty() ? "" : "bitwise");
  add("dtype_rule", row.dtype_rule);
  add("shape_rule", "same_as(src)");
  add("layout_guarantee", "contiguous");
  add("aliasing", "none");
  for (const char* implied : {"in_bounds=", "inputs_unmodified=", "output_fully_written=",
                              "fp_environment_kept=", "resources_kept="}) {
    claims.emplace_back(implied);
  }
  add("accept.layout", kLayout);
  add("accept.dtype", row.dtype_in);
  add("accept.rank", "any");
  return claims;
}

TEST_CASE("each cast makes exactly the claims of the table") {
  REQUIRE(casts().kernels.size() == std::size(kClaimRows));
  for (std::size_t i = 0; i < std::size(kClaimRows); ++i) {
    const KernelContract& kernel = casts().kernels[i];
    INFO(kernel.kernel);
    CHECK(kernel.kernel == kClaimRows[i].kernel);
    std::vector<std::string> claims;
    for (const Claim& claim : kernel.claims) {
      claims.push_back(fmt::format("{}={}", row(claim.kind).id, claim.declared));
    }
    CHECK(claims == expected_claims(kClaimRows[i]));
  }
}

TEST_CASE("claim values are typed") {
  for (const KernelContract& kernel : casts().kernels) {
    INFO(kernel.kernel);
    for (const Claim& claim : kernel.claims) {
      INFO(row(claim.kind).id);
      switch (claim.kind) {
        case ClaimKind::kMaxUlp:
          CHECK(std::get<std::uint64_t>(claim.value) == 0);
          break;
        case ClaimKind::kRounding:
          CHECK(to_string(std::get<Rounding>(claim.value)) == claim.declared);
          break;
        case ClaimKind::kOverflow:
          CHECK(to_string(std::get<OverflowRule>(claim.value)) == claim.declared);
          break;
        case ClaimKind::kNan:
          CHECK(to_string(std::get<NanRule>(claim.value)) == claim.declared);
          break;
        case ClaimKind::kDomainExact: {
          const auto& interval = std::get<Interval>(claim.value);
          CHECK_FALSE(interval.lower.has_value());
          CHECK(interval.upper == "2^24");
          CHECK_FALSE(interval.upper_inclusive);
          break;
        }
        default:
          CHECK(std::holds_alternative<std::monostate>(claim.value));
      }
    }
  }
}

TEST_CASE("only casts to integers have a domain, and its ends are exclusive") {
  for (const KernelContract& kernel : casts().kernels) {
    INFO(kernel.kernel);
    const bool to_integer = kernel.outputs[0].fixed_dtype == Dtype::kU32;
    CHECK(kernel.caller_error_nan == to_integer);
    REQUIRE(kernel.caller_error.size() == (to_integer ? 2 : 0));
    if (!to_integer) continue;
    CHECK_FALSE(kernel.caller_error[0].lower.has_value());
    CHECK(kernel.caller_error[0].upper == "0");
    CHECK_FALSE(kernel.caller_error[0].upper_inclusive);
    CHECK(kernel.caller_error[1].lower == "4294967295");
    CHECK_FALSE(kernel.caller_error[1].lower_inclusive);
    CHECK_FALSE(kernel.caller_error[1].upper.has_value());
  }
}

TEST_CASE("the source of every claim is the place of its value") {
  const std::string text = content(kCastPath);
  const Lines lines = split_lines(text);
  for (const KernelContract& kernel : casts().kernels) {
    INFO(kernel.kernel);
    REQUIRE(
        lines.at(static_cast<std::size_t>(kernel.line) - 1).substr(0, 3 + kernel.kernel.size()) ==
        "## " + kernel.kernel);
    for (const Claim& claim : kernel.claims) {
      INFO(row(claim.kind).id);
      const Source& source = claim.source;
      CHECK(source.file == kCastPath);
      if (source.kind == SourceKind::kImplied) {
        CHECK(source.line == kernel.line);
        CHECK_FALSE(source.text.empty());
        continue;
      }
      const std::string_view line = lines.at(static_cast<std::size_t>(source.line) - 1);
      CHECK(source.text == trim(line));
      std::string_view value = line.substr(static_cast<std::size_t>(source.column) - 1);
      if (value[0] == '"' || value[0] == '[') value.remove_prefix(1);
      if (value[0] == '{') value.remove_prefix(2);
      CHECK(value.substr(0, claim.declared.size()) == claim.declared);
      const bool audit = source.kind == SourceKind::kAuditEntry;
      const bool audit_kind =
          claim.kind >= ClaimKind::kRounding && claim.kind <= ClaimKind::kDomainExact;
      CHECK(audit == audit_kind);
    }
  }
  const Claim* rounding = casts().kernels[0].claim(ClaimKind::kRounding);
  REQUIRE(rounding != nullptr);
  CHECK(rounding->source.line == 80);
  CHECK(rounding->source.column == 13);
  CHECK(casts().kernels[0].claim(ClaimKind::kDomainExact) == nullptr);
}

}  // namespace
}  // namespace assay::fkc
