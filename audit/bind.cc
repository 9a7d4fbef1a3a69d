#include "audit/bind.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "audit/judge/structure.h"
#include "contracts/unicode.h"
#include "oracles/cast_exact.h"

namespace assay {

namespace {

bool matches_any(const std::vector<std::string>& patterns, const std::string& name) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& glob) {
           return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
         });
}

std::string too_strict_alignment(const fkc::KernelContract& contract) {
  return fmt::format(
      "the contract asks for buffers aligned to {} bytes; the audit gives at most {}",
      contract.alignment_bytes, kMostAlignment);
}

/// Why the contract cannot be audited, or nothing; on success sets kernel, oracle, cells and rules.
std::string bind_cast(Job& job, const Registry& registry) {
  const fkc::KernelContract& contract = *job.contract;
  if (contract.op_kind != "Cast") {
    return fmt::format("there is no oracle for op_kind {}", contract.op_kind);
  }
  if (contract.inputs.size() != 1 || contract.outputs.size() != 1) {
    return "a cast has one input and one output";
  }
  if (contract.inputs[0].dtypes.empty()) {
    return "its input lists a dtype that this version cannot audit";
  }
  if (contract.inputs[0].dtypes.size() != 1) {
    return "a cast that fans out over several dtypes is not audited as one kernel; give each its "
           "own section";
  }
  if (!contract.outputs[0].fixed_dtype) {
    return fmt::format(
        "the dtype rule '{}' does not name the output dtype of a cast; write "
        "fixed(DTYPE)",
        contract.outputs[0].dtype_rule.value);
  }
  job.kernel = registry.find(contract.entry_point.value);
  if (job.kernel == nullptr) {
    return fmt::format("no kernel is registered under the entry point '{}'",
                       contract.entry_point.value);
  }
  if (contract.alignment_bytes > kMostAlignment) return too_strict_alignment(contract);
  const Dtype from = contract.inputs[0].dtypes[0];
  const Dtype to = *contract.outputs[0].fixed_dtype;
  if (job.kernel->inputs != std::vector{from} || job.kernel->outputs != std::vector{to}) {
    return fmt::format("the registered kernel '{}' converts {} to {}, the contract says {} to {}",
                       contract.entry_point.value, traits(job.kernel->inputs[0]).name,
                       traits(job.kernel->outputs[0]).name, traits(from).name, traits(to).name);
  }
  oracle::CastOperation operation{from, to, oracle::natural_rounding(from, to)};
  if (const Claim* claim = contract.claim(ClaimKind::kRounding)) {
    const auto* rounding = std::get_if<Rounding>(&claim->value);
    // An exact cast is also correctly rounded to nearest.
    const bool same = rounding != nullptr &&
                      (*rounding == operation.rounding || (operation.rounding == Rounding::kExact &&
                                                           *rounding == Rounding::kNearestEven));
    if (!same) {
      return fmt::format("there is no oracle for a cast from {} to {} with rounding '{}'",
                         traits(from).name, traits(to).name, claim->declared);
    }
  }
  if (!oracle::has_cast_oracle(operation)) {
    return fmt::format("there is no oracle for a cast from {} to {}", traits(from).name,
                       traits(to).name);
  }
  job.oracle = std::make_unique<oracle::CastOracle>(operation);
  job.cells = std::make_unique<CellMap>(*job.oracle, contract);
  job.rules = std::make_unique<Rules>(contract);
  return {};
}

/// Why the contract cannot be audited in this dtype, or nothing; on success sets kernel and
/// operation.
std::string bind_window(window::Job& job, Dtype dtype, const Registry& registry) {
  const fkc::KernelContract& contract = *job.contract;
  std::string why = window::read_operation(contract, dtype, job.operation);
  if (!why.empty()) return why;
  job.kernel = registry.find(job.entry_point);
  if (job.kernel == nullptr) {
    // A library may call its only kernel by the name that the contract gives all of them.
    const Kernel* plain = registry.find(contract.entry_point.value);
    if (plain != nullptr && plain->outputs == std::vector{dtype}) job.kernel = plain;
  }
  if (job.kernel == nullptr) {
    return fmt::format("no kernel is registered under the entry point '{}'", job.entry_point);
  }
  if (contract.alignment_bytes > kMostAlignment) return too_strict_alignment(contract);
  job.entry_point = job.kernel->entry_point;  // where it was found by another of its names
  const std::vector<Dtype> due(contract.inputs.size(), dtype);
  if (job.kernel->inputs != due || job.kernel->outputs != std::vector{dtype}) {
    return fmt::format(
        "the registered kernel '{}' has {} inputs, and not {} of {} and an output of "
        "that, as the contract says (operands that may be left out included)",
        job.entry_point, job.kernel->inputs.size(), contract.inputs.size(), traits(dtype).name);
  }
  return {};
}

class Binder {
 public:
  Binder(const Registry& registry, const AuditOptions& options)
      : registry_(registry), options_(options) {}

  void bind(const fkc::KernelContract& contract) {
    names_ += " " + contract.kernel;
    const bool all = matches_any(options_.only, contract.kernel);
    if (window::is_window_operation(contract.op_kind)) {
      for (const fkc::Binding& binding : contract.signatures()) {
        if (all || matches_any(options_.only, binding.kernel)) bind_window_job(contract, binding);
      }
    } else if (all) {
      bind_cast_job(contract);
    }
  }

  Bound finish() {
    if (bound_.order.empty()) {
      std::string wanted;
      for (const std::string& pattern : options_.only) wanted += " " + one_line(pattern);
      throw UsageError("no kernel matches" + wanted + "; the contracts have:" + names_);
    }
    // Without any variant to choose from, the reason is elsewhere, and `not_run` says it.
    if (!some_variant_ && !variant_names_.empty()) {
      throw UsageError("no variant matches --variant; available here: " + variant_names_);
    }
    check_libraries();
    return std::move(bound_);
  }

 private:
  /// A library that was asked for and has nothing that is audited: a misspelt entry point would let
  /// a built-in kernel be audited in its place.
  void check_libraries() const {
    for (const Kernel& kernel : registry_.kernels()) {
      if (kernel.variants.empty() || kernel.variants.front().library.empty()) continue;
      const std::string& library = kernel.variants.front().library;
      if (used_.count(library) > 0) continue;
      std::string symbols;
      for (const Kernel& other : registry_.kernels()) {
        if (other.variants.empty() || other.variants.front().library != library) continue;
        symbols += " " + other.entry_point;
      }
      throw UsageError(
          fmt::format("no contract that was asked for names an entry point of {}; it "
                      "has:{}",
                      library, symbols));
    }
  }

  void bind_cast_job(const fkc::KernelContract& contract) {
    Job job;
    job.contract = &contract;
    try {
      job.not_run = bind_cast(job, registry_);
    } catch (const std::invalid_argument& error) {
      job.not_run = error.what();
    }
    choose_variants(job);
    bound_.order.push_back({Bound::Family::kCast, bound_.casts.size()});
    bound_.casts.push_back(std::move(job));
  }

  void bind_window_job(const fkc::KernelContract& contract, const fkc::Binding& binding) {
    window::Job job;
    job.contract = &contract;
    job.kernel_name = binding.kernel;
    job.entry_point = binding.entry_point;
    const std::optional<Dtype> dtype =
        binding.inputs.empty() ? std::nullopt : dtype_from_token(binding.inputs.front());
    job.not_run = dtype ? bind_window(job, *dtype, registry_)
                        : "its input lists a dtype that this version cannot audit";
    choose_variants(job);
    bound_.order.push_back({Bound::Family::kWindow, bound_.windows.size()});
    bound_.windows.push_back(std::move(job));
  }

  template <class AnyJob>
  void choose_variants(AnyJob& job) {
    job.seed = options_.seed;
    job.effort = options_.effort;
    if (!job.not_run.empty()) return;
    for (const KernelVariant& variant : job.kernel->variants) used_.insert(variant.library);
    for (const KernelVariant& variant : job.kernel->variants) {
      if (variant_names_.find(variant.name + " ") == std::string::npos) {
        variant_names_ += variant.name + " ";
      }
      if (!matches_any(options_.variants, variant.name)) continue;
      job.variants.push_back(&variant);
      some_variant_ = true;
    }
    if (job.variants.empty()) job.not_run = "none of its variants was asked for";
  }

  const Registry& registry_;
  const AuditOptions& options_;
  Bound bound_;
  std::string names_;
  std::string variant_names_;
  std::set<std::string> used_;  ///< libraries
  bool some_variant_ = false;
};

}  // namespace

Bound bind(const std::vector<fkc::Document>& documents, const Registry& registry,
           const AuditOptions& options) {
  Binder binder(registry, options);
  for (const fkc::Document& document : documents) {
    for (const fkc::KernelContract& contract : document.kernels) binder.bind(contract);
  }
  return binder.finish();
}

}  // namespace assay
