// A contract's overflow rule decides what is due beyond the output format's range: a kernel is
// judged by the rule that its contract states, not by the oracle's infinity.
#include <fstream>
#include <sstream>

#include "audit/end_to_end/testing/quick_audit.h"
#include "contracts/testing/catch.h"
#include "kernels/cast/convert.h"
#include "kernels/mutants/mutant_kernel.h"

namespace {

using namespace assay;
using namespace assay::testing;

constexpr const char* kEntryPoint = "fuel_reference_backend::ops::cast_f32_to_f16";

std::uint16_t saturating(std::uint32_t bits) {
  const std::uint16_t result = cast::narrow<cast::F32, cast::F16>(bits);
  const bool overflowed = (result & 0x7fff) == 0x7c00 && (bits & 0x7fffffffu) != 0x7f800000u;
  return overflowed ? static_cast<std::uint16_t>((result & 0x8000) | 0x7bff) : result;
}

/// The shipped contracts with every `overflow: infinity` replaced by the given rule.
fkc::Document contracts_with(const std::string& rule) {
  std::ifstream file(ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md");
  std::stringstream text;
  text << file.rdbuf();
  std::string contracts = text.str();
  const std::string stated = "overflow: infinity";
  REQUIRE(contracts.find(stated) != std::string::npos);
  for (auto at = contracts.find(stated); at != std::string::npos; at = contracts.find(stated, at)) {
    contracts.replace(at, stated.size(), "overflow: " + rule);
    at += 1;
  }
  return fkc::parse_document(contracts, "cast.fkc.md");
}

/// The verdicts on a kernel that answers overflow as `behaviour` says, under a contract with
/// `rule`.
KernelRecord audit_under(const std::string& rule, const std::string& behaviour) {
  AuditOptions options;
  options.only = {"cast_f32_to_f16"};
  options.effort = Effort::kQuick;
  options.threads = 2;
  const KernelFunction function =
      behaviour == "saturate"
          ? &mutants::elementwise<Dtype::kF32, Dtype::kF16, saturating>
          : &mutants::elementwise<Dtype::kF32, Dtype::kF16, cast::narrow<cast::F32, cast::F16>>;
  std::vector<fkc::Document> documents;
  documents.push_back(contracts_with(rule));
  const RunRecord record =
      audit(documents, registry_of(kEntryPoint, {{"mutant", function}}), options);
  REQUIRE(record.kernels.size() == 1);
  REQUIRE(record.kernels[0].not_run.empty());
  for (const char* id : {"rounding", "infinity", "nan", "signed_zero", "subnormals"}) {
    INFO(rule << " " << behaviour << " " << id);
    REQUIRE(claim(record.kernels[0], "mutant", id)->verdict == Verdict::kUpheld);
  }
  return record.kernels[0];
}

TEST_CASE("each overflow rule upholds the kernel that keeps it and refutes the one that does not") {
  for (const std::string rule : {"infinity", "saturate"}) {
    DYNAMIC_SECTION("overflow: " << rule) {
      const KernelRecord kept = audit_under(rule, rule);
      REQUIRE(claim(kept, "mutant", "overflow")->verdict == Verdict::kUpheld);
      REQUIRE(claim(kept, "mutant", "overflow")->probes > 0);

      const KernelRecord broken = audit_under(rule, rule == "infinity" ? "saturate" : "infinity");
      const ClaimRecord* refuted = claim(broken, "mutant", "overflow");
      REQUIRE(refuted->verdict == Verdict::kRefuted);
      // Every probe out of range is due another result.
      REQUIRE(refuted->violations == refuted->probes);
      const Counterexample& example = refuted->counterexample.value();
      REQUIRE(example.inputs.at(0).bits.size() == 1);
      REQUIRE(example.got.bits.at(0) == (rule == "infinity" ? "0x7bff" : "0x7c00"));
      REQUIRE(example.expected.bits.at(0) == (rule == "infinity" ? "0x7c00" : "0x7bff"));
    }
  }
}

}  // namespace
