#include "audit/end_to_end/testing/quick_audit.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "contracts/testing/catch.h"

namespace assay::testing {

const std::vector<fkc::Document>& shipped_contracts() {
  static const std::vector<fkc::Document> documents = [] {
    std::vector<fkc::Document> read;
    read.push_back(fkc::read_document(ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md"));
    read.push_back(fkc::read_document(ASSAY_SOURCE_DIR "/contracts/reference/conv-pool.fkc.md"));
    return read;
  }();
  REQUIRE(documents[0].diagnostics.empty());
  REQUIRE(documents[0].kernels.size() == 16);
  REQUIRE_FALSE(fkc::has_errors(documents[1].diagnostics));  // notes on what it leaves open
  REQUIRE(documents[1].kernels.size() == 4);
  return documents;
}

Registry registry_of(const std::string& entry_point, std::vector<KernelVariant> variants) {
  const Registry built_in = built_in_registry();
  const Kernel* original = built_in.find(entry_point);
  REQUIRE(original != nullptr);
  Kernel kernel = *original;
  kernel.variants = std::move(variants);
  return Registry({kernel});
}

KernelRecord quick_audit(const Registry& registry) {
  AuditOptions options;
  options.effort = Effort::kQuick;
  options.threads = 2;
  options.hang_after = std::chrono::seconds(3);
  for (const fkc::Document& document : shipped_contracts()) {
    for (const fkc::KernelContract& contract : document.kernels) {
      for (const fkc::Binding& binding : contract.bindings()) {
        if (registry.find(binding.entry_point) != nullptr) options.only = {binding.kernel};
      }
    }
  }
  REQUIRE(options.only.size() == 1);
  const RunRecord record = audit(shipped_contracts(), registry, options);
  REQUIRE(record.kernels.size() == 1);
  REQUIRE(record.kernels[0].not_run.empty());
  return record.kernels[0];
}

KernelRecord quick_audit(const Mutant& mutant) {
  return quick_audit(registry_of(mutant.entry_point, {{"mutant", mutant.function}}));
}

std::string fallen_claims(const KernelRecord& kernel) {
  std::string text;
  for (const ClaimRecord& record : kernel.variants.at(0).claims) {
    if (record.verdict == Verdict::kRefuted) text += record.id + " ";
    if (record.verdict == Verdict::kError) text += record.id + " (error: " + record.why + ") ";
    if (record.verdict == Verdict::kUndecided) text += record.id + " (" + record.why + ") ";
  }
  return text;
}

KernelStatus healthy_as(KernelCall& call, const char* entry_point, const char* name) {
  static const Registry registry = built_in_registry();
  const KernelStatus status = registry.find(entry_point)->variant("scalar")->function(call);
  if (status == KernelStatus::kOk) call.ran = name;
  return status;
}

std::int64_t elements(const KernelCall& call) {
  std::int64_t n = 1;
  for (int axis = 0; axis < call.inputs[0].ndim; ++axis) n *= call.inputs[0].shape[axis];
  return n;
}

std::string contract_text(const std::string& kernel) {
  std::ifstream file(ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t begin = text.find("\n## " + kernel + ":");
  REQUIRE(begin != std::string::npos);
  const std::size_t end = text.find("\n## ", begin + 1);
  return text.substr(0, text.find("\n## ")) + text.substr(begin, end - begin) + "\n";
}

void replace_line(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, text.find('\n', at) + 1 - at, to);
}

const ClaimRecord* claim(const KernelRecord& kernel, const std::string& variant,
                         const std::string& id) {
  for (const VariantRecord& candidate : kernel.variants) {
    if (candidate.name != variant) continue;
    for (const ClaimRecord& record : candidate.claims) {
      if (record.id == id) return &record;
    }
  }
  return nullptr;
}

}  // namespace assay::testing
