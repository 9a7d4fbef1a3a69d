// Whole audits of convolutions and poolings: what is planned is accounted for whatever becomes of
// the kernel, and runs give the same wherever they are made.
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "audit/end_to_end/testing/quick_audit.h"
#include "audit/testing/folder.h"
#include "audit/worker/checkpoint.h"
#include "contracts/testing/catch.h"

namespace {

using namespace assay;
using namespace assay::testing;

constexpr const char* kConv = "fuel_reference_backend::ops::conv2d_simple_f32";
constexpr const char* kPool = "fuel_reference_backend::ops::max_pool2d_f16";

AuditOptions quick(std::vector<std::string> only) {
  AuditOptions options;
  options.effort = Effort::kQuick;
  options.threads = 2;
  options.only = std::move(only);
  return options;
}

std::vector<fkc::Document> windows_only() {
  return {shipped_contracts()[1]};
}

std::uint64_t excluded(const ClaimRecord& record) {
  std::uint64_t sum = 0;
  for (const Exclusion& exclusion : record.excluded) {
    CHECK_FALSE(exclusion.reason.empty());
    CHECK(exclusion.probes > 0);
    sum += exclusion.probes;
  }
  return sum;
}

void check_accounts(const KernelRecord& kernel) {
  REQUIRE_FALSE(kernel.variants.empty());
  for (const VariantRecord& variant : kernel.variants) {
    REQUIRE_FALSE(variant.claims.empty());
    std::set<std::string> ids;
    for (const ClaimRecord& record : variant.claims) {
      INFO(kernel.kernel << " " << variant.name << " " << record.id << " " << record.why);
      CHECK(ids.insert(record.id).second);
      CHECK(record.planned == record.probes + excluded(record));
      if (record.verdict == Verdict::kUpheld) CHECK(record.probes > 0);
      if (record.verdict == Verdict::kError || record.verdict == Verdict::kUndecided) {
        CHECK_FALSE(record.why.empty());
      }
      CHECK((record.violations > 0) == (record.verdict == Verdict::kRefuted));
    }
  }
}

const ClaimRecord& judged(const KernelRecord& kernel, const std::string& id,
                          const std::string& variant = "scalar") {
  const ClaimRecord* record = claim(kernel, variant, id);
  REQUIRE(record != nullptr);
  return *record;
}

/// One faulty kernel under its contract.
KernelRecord audited(const char* entry_point, KernelFunction function, AuditOptions options,
                     RunInfo* run = nullptr) {
  const std::string name = entry_point;
  options.only = {name.substr(name.rfind(':') + 1)};
  const RunRecord record =
      audit(windows_only(), registry_of(entry_point, {{"scalar", function}}), options);
  REQUIRE(record.kernels.size() == 1);
  check_accounts(record.kernels[0]);
  if (run != nullptr) *run = record.run;
  return record.kernels[0];
}

std::int64_t columns(const KernelCall& call) {
  return call.inputs[0].ndim == 4 ? call.inputs[0].shape[3] : 0;
}

KernelStatus conv(KernelCall& call) {
  return healthy_as(call, kConv, "scalar");
}
KernelStatus pool(KernelCall& call) {
  return healthy_as(call, kPool, "scalar");
}

KernelStatus refuses_wide(KernelCall& call) {
  if (columns(call) < 200) return conv(call);
  std::strcpy(call.message, "too wide");
  return KernelStatus::kBadShape;
}

KernelStatus crashes_wide(KernelCall& call) {
  if (columns(call) >= 200) std::raise(SIGSEGV);
  return conv(call);
}

KernelStatus hangs_wide(KernelCall& call) {
  while (columns(call) >= 200) pause();
  return conv(call);
}

KernelStatus refuses_wide_pools(KernelCall& call) {
  return columns(call) < 8000 ? pool(call) : KernelStatus::kFailed;
}

/// What the claims that every result bears on plan, healthy or not.
std::uint64_t planned_results(const KernelRecord& kernel) {
  const bool sums = kernel.op_kind != "MaxPool2D";
  return judged(kernel, sums ? "accumulator" : "selection_exact").planned;
}

constexpr const char* kMaxPool = "fuel_reference_backend::ops::max_pool2d_f32";

/// Another value than any that the window has.
KernelStatus invents(KernelCall& call) {
  const KernelStatus status = healthy_as(call, kMaxPool, "scalar");
  auto* y = static_cast<float*>(call.outputs[0].data);
  if (status == KernelStatus::kOk && call.outputs[0].shape[3] > 0) y[0] = 1.2345e-3f;
  return status;
}

std::set<std::string> refuted(const KernelRecord& kernel) {
  std::set<std::string> ids;
  for (const ClaimRecord& record : kernel.variants.at(0).claims) {
    if (record.verdict == Verdict::kRefuted) ids.insert(record.id);
  }
  return ids;
}

TEST_CASE("an audit that is taken up with no time left keeps what it had, and plans the same") {
  const Folder folder;
  const std::filesystem::path path = folder.path() / "c";
  AuditOptions options;
  options.effort = Effort::kStandard;
  options.threads = 2;
  Checkpoint first = Checkpoint::create(path, "who");
  options.checkpoint = &first;
  const KernelRecord due = audited(kMaxPool, invents, options);
  REQUIRE(refuted(due).count("selection_exact") == 1);
  options.time_budget = std::chrono::duration<double>(0);
  {
    Checkpoint again = Checkpoint::open(path);
    options.checkpoint = &again;
    RunInfo run;
    const KernelRecord late = audited(kMaxPool, invents, options, &run);
    CHECK(run.complete);
    CHECK(refuted(late) == refuted(due));
    CHECK(planned_results(late) == planned_results(due));
    CHECK_FALSE(again.has_more());
  }
  // Nor does a plan depend on the time where nothing was kept.
  options.checkpoint = nullptr;
  RunInfo run;
  const KernelRecord nothing = audited(kMaxPool, invents, options, &run);
  CHECK_FALSE(run.complete);
  CHECK(planned_results(nothing) == planned_results(due));
}

TEST_CASE("what is planned for a convolution does not depend on how its kernel ends") {
  const std::uint64_t planned = planned_results(audited(kConv, conv, quick({})));
  REQUIRE(planned > 1000);
  const auto check = [&](KernelFunction function, const char* why) {
    AuditOptions options = quick({});
    options.hang_after = std::chrono::seconds(1);
    const KernelRecord kernel = audited(kConv, function, options);
    INFO(why);
    CHECK(planned_results(kernel) == planned);
    const ClaimRecord& sums = judged(kernel, "accumulator");
    CHECK(sums.verdict == Verdict::kError);
    CHECK(sums.why.find(why) != std::string::npos);
    CHECK(excluded(sums) > 0);
    for (const char* id : {"accumulator", "error_bound"}) {
      CHECK(judged(kernel, id).verdict == Verdict::kError);
    }
    CHECK(kernel.variants[0].digest.empty());
    return kernel;
  };
  const KernelRecord refusing = check(refuses_wide, "too wide");
  CHECK(judged(refusing, "accumulator").probes > planned / 2);
  const KernelRecord crashing = check(crashes_wide, "SIGSEGV");
  CHECK(judged(crashing, "in_bounds").verdict != Verdict::kUpheld);
  const KernelRecord hanging = check(hangs_wide, "no answer for 1 s");
  CHECK(judged(hanging, "in_bounds").verdict != Verdict::kUpheld);
}

TEST_CASE("what is planned for a pooling counts its pairs, run or not") {
  const KernelRecord healthy = audited(kPool, pool, quick({}));
  CHECK(planned_results(healthy) > 32 * 65536);
  CHECK(judged(healthy, "selection_exact").verdict == Verdict::kUpheld);
  CHECK(judged(healthy, "selection_exact").probes == planned_results(healthy));
  const KernelRecord refusing = audited(kPool, refuses_wide_pools, quick({}));
  CHECK(planned_results(refusing) == planned_results(healthy));
  CHECK(judged(refusing, "selection_exact").verdict == Verdict::kError);
  CHECK(excluded(judged(refusing, "selection_exact")) == 32 * 65536);
}

TEST_CASE("a kernel that multiplies padding as zeros keeps a contract that does not speak of it") {
  std::vector<fkc::Document> documents = shipped_contracts();
  for (fkc::KernelContract& contract : documents.at(1).kernels) {
    std::erase_if(contract.claims,
                  [](const Claim& claim) { return claim.kind == ClaimKind::kPaddingSkipped; });
  }
  AuditOptions options;
  options.effort = Effort::kQuick;
  options.threads = 2;
  for (const Mutant& mutant : window_mutants()) {
    if (mutant.name.find("padding_multiplied") == std::string::npos) continue;
    DYNAMIC_SECTION(mutant.name) {
      const Registry registry = registry_of(mutant.entry_point, {{"mutant", mutant.function}});
      const std::string conv2d =
          mutant.name.find("simple") == std::string::npos ? "conv2d_f32" : "conv2d_simple_bf16";
      options.only = {conv2d};
      const RunRecord record = audit(documents, registry, options);
      INFO(fallen_claims(record.kernels.at(0)));
      const ClaimRecord* sum = claim(record.kernels.at(0), "mutant", "accumulator");
      REQUIRE(sum != nullptr);
      CHECK(sum->verdict == Verdict::kUpheld);
      CHECK(claim(record.kernels[0], "mutant", "error_bound")->verdict == Verdict::kUpheld);
      const auto said =
          std::ranges::any_of(sum->measured.observations, [](const Observation& observation) {
            return observation.name.find("meets padding only") != std::string::npos &&
                   observation.value.rfind("0 of", 0) != 0;
          });
      CHECK(said);
    }
  }
}

TEST_CASE("what is out of time is not judged") {
  const std::uint64_t planned = planned_results(audited(kConv, conv, quick({})));
  AuditOptions options = quick({});
  options.time_budget = std::chrono::duration<double>(0);
  RunInfo run;
  const KernelRecord kernel = audited(kConv, conv, options, &run);
  CHECK_FALSE(run.complete);
  CHECK(planned_results(kernel) == planned);
  for (const char* id : {"accumulator", "error_bound"}) {
    CHECK(judged(kernel, id).probes == 0);
    CHECK(judged(kernel, id).verdict == Verdict::kUndecided);
    CHECK(judged(kernel, id).strength == Strength::kNone);
    CHECK(judged(kernel, id).why == run.incomplete);
  }
  // A judgement of calls that a worker had begun may end; then it ran in full.
  for (const ClaimRecord& record : kernel.variants[0].claims) {
    INFO(record.id);
    if (record.verdict == Verdict::kUpheld) CHECK(record.planned == record.probes);
  }
  CHECK(kernel.variants[0].digest.empty());
}

/// Everything that must not depend on the run: claims, counts, measures, digests.
std::string essence(const RunRecord& record) {
  std::string text;
  for (const KernelRecord& kernel : record.kernels) {
    for (const VariantRecord& variant : kernel.variants) {
      text += kernel.kernel + " " + variant.name + " " + variant.digest + "\n";
      for (const ClaimRecord& claim : variant.claims) {
        text += claim.id + " " + std::to_string(static_cast<int>(claim.verdict)) + " " +
                std::to_string(claim.probes) + " " + std::to_string(claim.planned) + " " +
                claim.space + " " + claim.why + " ";
        const Measured& measured = claim.measured;
        text += std::to_string(measured.max_ulp_error.value_or(-1)) + " ";
        for (const HistogramRow& row : measured.histogram) text += std::to_string(row.count) + ",";
        for (const Observation& seen : measured.observations) text += seen.name + seen.value;
        text += "\n";
      }
    }
  }
  return text;
}

TEST_CASE("audits give the same again, and digests are those of every variant") {
  AuditOptions options = quick({"conv2d_simple_f16", "max_pool2d_bf16", "conv2d_f32"});
  const Registry registry = built_in_registry();
  const RunRecord first = audit(windows_only(), registry, options);
  REQUIRE(first.kernels.size() == 3);
  for (const KernelRecord& kernel : first.kernels) {
    check_accounts(kernel);
    for (const VariantRecord& variant : kernel.variants) {
      INFO(kernel.kernel << " " << variant.name);
      CHECK(variant.digest.size() == 16);
      CHECK(variant.digest == kernel.variants[0].digest);
      CHECK_FALSE(variant.rates.empty());
    }
  }
  options.threads = 1;
  const RunRecord again = audit(windows_only(), registry, options);
  CHECK(essence(again) == essence(first));
  options.seed = 2;
  options.only = {"conv2d_simple_f16"};
  options.variants = {"scalar"};
  const RunRecord other = audit(windows_only(), registry, options);
  CHECK(other.kernels.at(0).variants.at(0).digest != again.kernels[0].variants[0].digest);
  CHECK(other.kernels[0].variants[0].digest != std::string(first.kernels[0].variants[0].digest));
}

/// Names of what is audited, without auditing it.
std::vector<std::string> names(const std::vector<fkc::Document>& documents,
                               std::vector<std::string> only) {
  AuditOptions options = quick(std::move(only));
  options.variants = {"scalar"};
  options.time_budget = std::chrono::duration<double>(0);
  std::vector<std::string> all;
  for (const KernelRecord& kernel : audit(documents, built_in_registry(), options).kernels) {
    CHECK(kernel.not_run.empty());
    all.push_back(kernel.kernel);
  }
  return all;
}

using Names = std::vector<std::string>;

TEST_CASE("a kernel of several dtypes is asked for by its name, one of its names, or a pattern") {
  const std::vector<fkc::Document> documents = windows_only();
  CHECK(names(documents, {"conv2d"}) == Names{"conv2d_f32", "conv2d_f64"});
  CHECK(names(documents, {"conv2d_f32"}) == Names{"conv2d_f32"});
  CHECK(names(documents, {"conv*_f64"}) ==
        Names{"conv2d_f64", "conv_transpose2d_f64", "conv2d_simple_f64"});
  CHECK(names(documents, {"*_f16"}) == Names{"conv2d_simple_f16", "max_pool2d_f16"});
  CHECK(names(documents, {"conv2d", "max_pool2d_bf16"}) ==
        Names{"conv2d_f32", "conv2d_f64", "max_pool2d_bf16"});
  CHECK(names(documents, {}).size() == 2 + 2 + 4 + 4);
  CHECK_THROWS_AS(names(documents, {"conv2d_f16"}), UsageError);
  CHECK_THROWS_AS(names(documents, {"conv2"}), UsageError);
}

TEST_CASE("a contract of one dtype keeps its plain name") {
  std::ifstream file(ASSAY_SOURCE_DIR "/contracts/reference/conv-pool.fkc.md");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::string both = "dtypes: [F32, F64]\n";
  std::size_t at = text.find("kernel: conv2d\n");
  for (int operand = 0; operand < 3; ++operand) {
    at = text.find(both, at);
    text.replace(at, both.size(), "dtypes: [F32]\n");
  }
  const std::vector<fkc::Document> documents = {fkc::parse_document(text, "edited.fkc.md")};
  REQUIRE(documents[0].kernels.size() == 4);
  CHECK(names(documents, {"conv2d"}) == Names{"conv2d"});
  CHECK(names(documents, {"conv2d*"}).size() == 1 + 4);
  CHECK_THROWS_AS(names(documents, {"conv2d_f32"}), UsageError);
}

}  // namespace
