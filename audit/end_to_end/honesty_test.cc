// Reports that would be wrong, or right for the wrong reason: what is said of a kernel must be what
// its calls showed, and no more.
#include <algorithm>
#include <bit>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include "audit/bind.h"
#include "audit/end_to_end/testing/quick_audit.h"
#include "audit/job.h"
#include "contracts/testing/catch.h"
#include "reports/repeat.h"
#include "reports/rollup.h"

namespace {

using namespace assay;
using namespace assay::testing;

constexpr const char* kF32ToF16 = "fuel_reference_backend::ops::cast_f32_to_f16";
constexpr const char* kF32ToU32 = "fuel_reference_backend::ops::cast_f32_to_u32";

KernelStatus healthy(KernelCall& call, const char* entry_point = kF32ToF16,
                     const char* name = "faulty") {
  return healthy_as(call, entry_point, name);
}

KernelStatus refuse(KernelCall& call) {
  std::strcpy(call.message, "no");
  return KernelStatus::kBadDevice;
}

std::uint16_t* f16_output(const KernelCall& call) {
  return static_cast<std::uint16_t*>(call.outputs[0].data);
}

RunRecord audit_text(const std::string& text, const Registry& registry, AuditOptions options = {}) {
  std::vector<fkc::Document> documents;
  documents.push_back(fkc::parse_document(text, "edited.fkc.md"));
  REQUIRE_FALSE(fkc::has_errors(documents[0].diagnostics));
  options.effort = Effort::kQuick;
  options.threads = 2;
  options.hang_after = std::chrono::seconds(3);
  return audit(documents, registry, options);
}

const ClaimRecord& judged(const KernelRecord& kernel, const std::string& id,
                          const std::string& variant = "faulty") {
  const ClaimRecord* record = claim(kernel, variant, id);
  REQUIRE(record != nullptr);
  return *record;
}

/// The ids of a variant's claims with this verdict.
std::set<std::string> ids_with(const KernelRecord& kernel, Verdict verdict) {
  std::set<std::string> ids;
  for (const ClaimRecord& record : kernel.variants.at(0).claims) {
    if (record.verdict == verdict) ids.insert(record.id);
  }
  return ids;
}

TEST_CASE("a crash is an error also where the contract claims nothing of single results") {
  const KernelFunction crashes = [](KernelCall& call) {
    const KernelStatus status = healthy(call);
    const auto* in = static_cast<const std::uint32_t*>(call.inputs[0].data);
    const std::int64_t n = status == KernelStatus::kOk ? elements(call) : 0;
    if (n > 260 && call.inputs[0].ndim == 1 && std::find(in, in + n, 0x3f801000u) != in + n) {
      std::raise(SIGSEGV);
    }
    return status;
  };
  std::string text = contract_text("cast_f32_to_f16");
  text = text.substr(0, text.find("audit:\n")) + "```\n";
  const RunRecord record = audit_text(text, registry_of(kF32ToF16, {{"faulty", crashes}}));
  const KernelRecord& kernel = record.kernels.at(0);
  CHECK(judged(kernel, "in_bounds").verdict == Verdict::kError);
  CHECK(judged(kernel, "in_bounds").why.find("SIGSEGV") != std::string::npos);
  CHECK(judged(kernel, "shape_rule").verdict == Verdict::kUpheld);
  CHECK(exit_status(record) == 3);
}

TEST_CASE("bitwise needs another variant that ran") {
  const KernelFunction good = [](KernelCall& call) { return healthy(call, kF32ToF16, "scalar"); };
  const KernelFunction aborts = [](KernelCall& call) {
    if (elements(call) > 0) std::abort();
    return healthy(call, kF32ToF16, "AVX2");
  };
  std::string text = contract_text("cast_f32_to_f16");
  replace_line(text, "determinism:", "determinism: bitwise\n");
  const KernelRecord kernel =
      audit_text(text, registry_of(kF32ToF16, {{"scalar", good}, {"AVX2", aborts}})).kernels.at(0);
  CHECK(judged(kernel, "bitwise", "scalar").verdict == Verdict::kUndecided);
  CHECK(judged(kernel, "bitwise", "scalar").probes == 0);
  CHECK(judged(kernel, "bitwise", "AVX2").verdict == Verdict::kError);
}

TEST_CASE("an input or its description that is changed at rank 2 refutes inputs_unmodified alone") {
  const bool description = GENERATE(false, true);
  static bool changes_description;
  changes_description = description;
  const KernelFunction faulty = [](KernelCall& call) {
    const KernelStatus status = healthy(call);
    if (status != KernelStatus::kOk || call.inputs[0].ndim < 2 || elements(call) == 0) {
      return status;
    }
    if (changes_description) {
      const_cast<DLTensor&>(call.inputs[0]).ndim = 1;
    } else {
      static_cast<std::uint32_t*>(call.inputs[0].data)[0] ^= 1;
    }
    return status;
  };
  const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {{"faulty", faulty}}));
  CHECK(ids_with(kernel, Verdict::kRefuted) == std::set<std::string>{"inputs_unmodified"});
  const ClaimRecord& record = judged(kernel, "inputs_unmodified");
  CHECK(record.violations <= record.probes);
  REQUIRE(record.counterexample);
  CHECK(record.counterexample->why.find(description ? "description" : "writes to its input") !=
        std::string::npos);
}

TEST_CASE("rules about shapes and places do not judge what bits a result has") {
  std::string text = contract_text("cast_f32_to_f16");
  replace_line(text, "  bit_stable_on_same_hardware:", "  bit_stable_on_same_hardware: false\n");
  replace_line(text, "determinism:", "determinism: nondeterministic\n");
  replace_line(text, "  max_ulp:", "  max_ulp: 1\n");
  replace_line(text, "  rounding:", "");
  // Converts by rows, whose tails are a step off.
  const KernelFunction by_rows = [](KernelCall& call) {
    const KernelStatus status = healthy(call);
    const int ndim = call.inputs[0].ndim;
    const std::int64_t row = ndim == 0 ? 1 : call.inputs[0].shape[ndim - 1];
    for (std::int64_t i = 0; status == KernelStatus::kOk && i < elements(call); ++i) {
      std::uint16_t& out = f16_output(call)[i];
      const bool ordinary = (out & 0x7fffu) < 0x7bffu && (out & 0x7fffu) > 0x400;
      if (i % row >= row / 8 * 8 && ordinary) out ^= 1;
    }
    return status;
  };
  const KernelRecord kernel =
      audit_text(text, registry_of(kF32ToF16, {{"faulty", by_rows}})).kernels.at(0);
  for (const char* id : {"precision.max_ulp", "dtype_rule", "shape_rule", "layout_guarantee",
                         "aliasing", "accept.rank"}) {
    CAPTURE(id);
    CHECK(judged(kernel, id).verdict == Verdict::kUpheld);
  }
}

TEST_CASE("results in the wrong places are still seen") {
  // The two last elements of tensors of rank 2 and more are exchanged.
  const KernelFunction exchanges = [](KernelCall& call) {
    const KernelStatus status = healthy(call);
    const std::int64_t n = elements(call);
    if (status == KernelStatus::kOk && call.inputs[0].ndim > 1 && n > 1) {
      std::swap(f16_output(call)[n - 1], f16_output(call)[n - 2]);
    }
    return status;
  };
  const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {{"faulty", exchanges}}));
  for (const char* id : {"shape_rule", "layout_guarantee", "accept.rank"}) {
    CAPTURE(id);
    CHECK(judged(kernel, id).verdict == Verdict::kRefuted);
  }
}

TEST_CASE("where a rule makes inputs the caller's error, no bound judges them") {
  const KernelFunction indefinite = [](KernelCall& call) {
    const KernelStatus status = healthy(call, kF32ToU32);
    const auto* in = static_cast<const float*>(call.inputs[0].data);
    auto* out = static_cast<std::uint32_t*>(call.outputs[0].data);
    const std::int64_t n = status == KernelStatus::kOk ? elements(call) : 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (!(in[i] > -1 && in[i] < 4294967296.0f)) out[i] = 0x80000000u;
    }
    return status;
  };
  std::string text = contract_text("cast_f32_to_u32");
  replace_line(text, "  max_ulp:", "  max_ulp: 0\n");
  replace_line(text,
               "  caller_error: ", "  caller_error: \"src > 4294967295\"\n");  // not those below 0
  const KernelRecord kernel =
      audit_text(text, registry_of(kF32ToU32, {{"faulty", indefinite}})).kernels.at(0);
  CHECK(ids_with(kernel, Verdict::kRefuted).empty());
  CHECK(judged(kernel, "precision.max_ulp").verdict == Verdict::kUpheld);
}

TEST_CASE("a refused call is an error of the claim it was made for, not a result") {
  const KernelFunction faulty = [](KernelCall& call) {
    return call.inputs[0].ndim == 1 && elements(call) == 15 ? refuse(call) : healthy(call);
  };
  const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {{"faulty", faulty}}));
  CHECK(judged(kernel, "shape_rule").verdict == Verdict::kError);
  CHECK(ids_with(kernel, Verdict::kRefuted).empty());
}

TEST_CASE("repeating a part of the variants repeats their verdicts") {
  const KernelFunction scalar = [](KernelCall& call) { return healthy(call, kF32ToF16, "scalar"); };
  const KernelFunction other_nans = [](KernelCall& call) {
    const KernelStatus status = healthy(call, kF32ToF16, "AVX2");
    for (std::int64_t i = 0; status == KernelStatus::kOk && i < elements(call); ++i) {
      if ((f16_output(call)[i] & 0x7fffu) > 0x7c00u) f16_output(call)[i] = 0x7e00;
    }
    return status;
  };
  std::string text = contract_text("cast_f32_to_f16");
  replace_line(text, "determinism:", "determinism: bitwise\n");
  const Registry registry = registry_of(kF32ToF16, {{"scalar", scalar}, {"AVX2", other_nans}});
  const RunRecord record = audit_text(text, registry);
  REQUIRE(judged(record.kernels.at(0), "bitwise", "AVX2").verdict == Verdict::kRefuted);
  const std::vector<std::string> variants = {"AVX2"};
  const std::string command = repeat_command(record.run, record.kernels.at(0), "bitwise", variants);
  CHECK(command.find("--variant") == std::string::npos);
  const RunRecord repeated = audit_text(text, registry);
  CHECK(judged(repeated.kernels.at(0), "bitwise", "AVX2").verdict == Verdict::kRefuted);
}

TEST_CASE("a variant is probed alike alone and among others") {
  const KernelFunction good = [](KernelCall& call) { return healthy(call); };
  const Registry registry = registry_of(kF32ToF16, {{"faulty", good}, {"b", good}, {"c", good}});
  std::vector<fkc::Document> documents;
  documents.push_back(fkc::parse_document(contract_text("cast_f32_to_f16"), "edited.fkc.md"));
  const auto probes = [&](std::vector<std::string> variants, std::size_t v) {
    AuditOptions options;
    options.effort = Effort::kStandard;
    options.variants = std::move(variants);
    std::vector<Job> jobs = std::move(assay::bind(documents, registry, options).casts);
    plan(jobs.at(0), options);
    std::vector<std::string> spaces;
    for (std::size_t s = 0; s < jobs[0].spaces.size(); ++s) {
      if (jobs[0].assigned[v][s]) spaces.push_back(jobs[0].spaces[s]->words());
    }
    return spaces;
  };
  CHECK(probes({"b"}, 0) == probes({}, 1));
  CHECK(probes({"c"}, 0) == probes({}, 2));
  CHECK(probes({}, 1).size() == 3);  // special values, boundaries, a sample
  CHECK(probes({}, 2).size() == 4);  // and everything
}

TEST_CASE("a run that ran out of time does not end with status 0") {
  const KernelFunction good = [](KernelCall& call) { return healthy(call); };
  AuditOptions options;
  options.time_budget = std::chrono::duration<double>(0.0);
  const RunRecord record = audit_text(contract_text("cast_f32_to_f16"),
                                      registry_of(kF32ToF16, {{"faulty", good}}), options);
  REQUIRE_FALSE(record.run.complete);
  CHECK(exit_status(record) == 3);
}

TEST_CASE("a chunk that ended in a refusal is in no measure, but its violations count") {
  // Wrong throughout, and refuses every fifth call of the sweeps.
  const KernelFunction faulty = [](KernelCall& call) {
    static int calls = 0;
    const std::int64_t n = elements(call);
    const bool sweep = n > 1000 && n <= 2048 && call.inputs[0].ndim == 1;
    if (sweep && ++calls % 5 == 0) return refuse(call);
    const KernelStatus status = healthy(call);
    for (std::int64_t i = 0; status == KernelStatus::kOk && sweep && i < n; ++i) {
      f16_output(call)[i] ^= 1;
    }
    return status;
  };
  const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {{"faulty", faulty}}));
  const ClaimRecord& rounding = judged(kernel, "rounding");
  CHECK(rounding.verdict == Verdict::kRefuted);
  CHECK(rounding.violations > 0);
  CHECK(rounding.violations <= rounding.probes);
  for (const HistogramRow& row : rounding.measured.histogram) CHECK(row.count <= rounding.probes);
}

TEST_CASE("the worst case that is reported is one that the kernel gave") {
  const KernelFunction ties_away = [](KernelCall& call) {
    const KernelStatus status = healthy(call);
    const auto* in = static_cast<const std::uint32_t*>(call.inputs[0].data);
    for (std::int64_t i = 0; status == KernelStatus::kOk && i < elements(call); ++i) {
      const std::uint32_t m = in[i] & 0x7fffffffu;
      const bool even_tie = (m & 0x3fffu) == 0x1000u && m >= 0x38800000u && m < 0x477fe000u;
      if (even_tie) ++f16_output(call)[i];
    }
    return status;
  };
  const KernelRecord away = quick_audit(registry_of(kF32ToF16, {{"faulty", ties_away}}));
  const Measured& measured = judged(away, "rounding").measured;
  REQUIRE(measured.argmax);
  CHECK(*measured.max_ulp_error == 0.5);
  CHECK(std::stoul(measured.argmax->got, nullptr, 16) % 2 == 1);  // what ties away gives

  // To nearest where truncation is the oracle's rule: no error above one half is left.
  const KernelFunction nearest = [](KernelCall& call) {
    const KernelStatus status = healthy(call, kF32ToU32);
    const auto* in = static_cast<const float*>(call.inputs[0].data);
    auto* out = static_cast<std::uint32_t*>(call.outputs[0].data);
    for (std::int64_t i = 0; status == KernelStatus::kOk && i < elements(call); ++i) {
      if (in[i] >= 0 && in[i] < 4294967040.0f) {
        out[i] = static_cast<std::uint32_t>(std::nearbyint(static_cast<double>(in[i])));
      }
    }
    return status;
  };
  std::string text = contract_text("cast_f32_to_u32");
  replace_line(text, "  max_ulp:", "  max_ulp: 1\n");
  replace_line(text, "  rounding:", "");
  replace_line(
      text, "  caller_error:", "  caller_error: \"src < 0 or src > 4294967040 or src is nan\"\n");
  const KernelRecord rounded =
      audit_text(text, registry_of(kF32ToU32, {{"faulty", nearest}})).kernels.at(0);
  const ClaimRecord& bound = judged(rounded, "precision.max_ulp");
  CHECK(bound.verdict == Verdict::kUpheld);
  CHECK(*bound.measured.max_ulp_error <= 0.5);
}

TEST_CASE("a relative bound is measured as it is judged") {
  const KernelFunction good = [](KernelCall& call) { return healthy(call); };
  std::string text = contract_text("cast_f32_to_f16");
  replace_line(text, "  max_relative:", "  max_relative: 4.8828125e-4\n");
  const KernelRecord kernel =
      audit_text(text, registry_of(kF32ToF16, {{"faulty", good}})).kernels.at(0);
  const ClaimRecord& record = judged(kernel, "precision.max_relative");
  CHECK(record.verdict == Verdict::kUpheld);
  CHECK(*record.measured.max_relative <= 4.8828125e-4);
}

TEST_CASE("a rule of the return contract is judged by what it says, or not at all") {
  struct Row {
    const char* field;
    const char* value;
    const char* claim;
    Verdict verdict;
  };
  const Row row = GENERATE(
      Row{"      shape_rule:", "same_as(src)", "shape_rule", Verdict::kUpheld},
      Row{"      shape_rule:", "broadcast(src, src)", "shape_rule", Verdict::kUpheld},
      Row{"      shape_rule:", "const(7)", "shape_rule", Verdict::kRefuted},
      Row{"      shape_rule:", "nonsense", "shape_rule", Verdict::kUndecided},
      Row{"      shape_rule:", "from_params(ghost)", "shape_rule", Verdict::kUndecided},
      Row{"      layout_guarantee:", "preallocated", "layout_guarantee", Verdict::kUndecided},
      Row{"      aliasing:", "accumulate(src)", "aliasing", Verdict::kUndecided});
  std::string text = contract_text("cast_f32_to_f16");
  replace_line(text, row.field, std::string(row.field) + " " + row.value + "\n");
  const KernelFunction good = [](KernelCall& call) { return healthy(call); };
  const KernelRecord kernel =
      audit_text(text, registry_of(kF32ToF16, {{"faulty", good}})).kernels.at(0);
  CAPTURE(row.field, row.value);
  const ClaimRecord& record = judged(kernel, row.claim);
  CAPTURE(record.why);
  CHECK(record.verdict == row.verdict);
  CHECK((row.verdict == Verdict::kUndecided) == (record.probes == 0));
  for (const std::string& id : ids_with(kernel, Verdict::kRefuted)) CHECK(id == row.claim);
}

/// One helper thread that lives as long as the process, as thread pools of numeric libraries do.
class Helper {
 public:
  Helper() {
    std::thread([this] {
      std::unique_lock lock(mutex_);
      for (;;) {
        wake_.wait(lock, [&] { return job_ != nullptr; });
        status_ = healthy(*job_);
        job_ = nullptr;
        done_.notify_all();
      }
    }).detach();
  }
  KernelStatus run(KernelCall& call) {
    const std::lock_guard one(callers_);
    std::unique_lock lock(mutex_);
    job_ = &call;
    wake_.notify_one();
    done_.wait(lock, [&] { return job_ == nullptr; });
    return status_;
  }

 private:
  std::mutex callers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  KernelCall* job_ = nullptr;
  KernelStatus status_{};
};

TEST_CASE("a kernel that says so may keep threads of its own, and another may not") {
  const KernelFunction faulty = [](KernelCall& call) {
    static Helper* helper = new Helper;
    return helper->run(call);
  };
  KernelVariant variant{"faulty", faulty};
  for (const bool says_so : {true, false}) {
    variant.threads = says_so;
    const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {variant}));
    const std::set<std::string> due =
        says_so ? std::set<std::string>{} : std::set<std::string>{"resources_kept"};
    CHECK(ids_with(kernel, Verdict::kRefuted) == due);
    CHECK(ids_with(kernel, Verdict::kError).empty());
  }
}

}  // namespace
