#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "audit/job.h"
#include "audit/judge/structure.h"
#include "oracles/cast_exact.h"

namespace assay {

namespace {

bool matches_any(const std::vector<std::string>& patterns, const std::string& name) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& glob) {
           return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
         });
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
  if (contract.alignment_bytes > kMostAlignment) {
    return fmt::format(
        "the contract asks for buffers aligned to {} bytes; the audit gives at most {}",
        contract.alignment_bytes, kMostAlignment);
  }
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

}  // namespace

std::vector<Job> bind(const std::vector<fkc::Document>& documents, const Registry& registry,
                      const AuditOptions& options) {
  std::vector<Job> jobs;
  std::string names;
  std::string variant_names;
  bool some_variant = false;
  for (const fkc::Document& document : documents) {
    for (const fkc::KernelContract& contract : document.kernels) {
      names += " " + contract.kernel;
      if (!matches_any(options.only, contract.kernel)) continue;
      Job job;
      job.contract = &contract;
      try {
        job.not_run = bind_cast(job, registry);
      } catch (const std::invalid_argument& error) {
        job.not_run = error.what();
      }
      if (job.not_run.empty()) {
        for (const KernelVariant& variant : job.kernel->variants) {
          if (variant_names.find(variant.name + " ") == std::string::npos) {
            variant_names += variant.name + " ";
          }
          if (!matches_any(options.variants, variant.name)) continue;
          job.variants.push_back(&variant);
          some_variant = true;
        }
        if (job.variants.empty()) job.not_run = "none of its variants was asked for";
      }
      jobs.push_back(std::move(job));
    }
  }
  if (jobs.empty()) throw UsageError("no kernel matches --only; the contracts have:" + names);
  // Without any variant to choose from, the reason is elsewhere, and `not_run` says it.
  if (!some_variant && !variant_names.empty()) {
    throw UsageError("no variant matches --variant; available here: " + variant_names);
  }
  return jobs;
}

}  // namespace assay
