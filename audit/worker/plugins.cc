#include "audit/worker/plugins.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "audit/options.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/fp_environment.h"
#include "audit/worker/pool.h"
#include "audit/worker/shared_array.h"
#include "kernels/abi/plugin.h"

namespace assay {

namespace {

constexpr std::chrono::seconds kLoadTime{20};

/// A row as processes share it. Names fit: the reader checks their lengths.
struct SharedRow {
  char entry_point[kMostEntryPointBytes + 1];
  char variant[kMostVariantBytes + 1];
  std::uint32_t input_count;
  std::uint32_t output_count;
  Dtype inputs[kMostPluginOperands];
  Dtype outputs[kMostPluginOperands];
  bool threads;
};

struct Outcome {
  bool done;
  std::size_t rows;
  char error[1024];
  char load_effect[160];
};

void read_into(const std::string& path, SharedArray<SharedRow>& shared, Outcome& outcome) {
  const FpEnvironment before = FpEnvironment::current();
  std::vector<PluginRow> rows;
  try {
    rows = read_plugin(path);
  } catch (const PluginError& error) {
    put(outcome.error, error.what());
    outcome.done = true;
    return;
  }
  const FpEnvironment after = FpEnvironment::current();
  if (!(after == before)) put(outcome.load_effect, describe_change(before, after));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SharedRow& to = shared[i];
    put(to.entry_point, rows[i].entry_point);
    put(to.variant, rows[i].variant);
    to.input_count = static_cast<std::uint32_t>(rows[i].inputs.size());
    to.output_count = static_cast<std::uint32_t>(rows[i].outputs.size());
    std::copy(rows[i].inputs.begin(), rows[i].inputs.end(), to.inputs);
    std::copy(rows[i].outputs.begin(), rows[i].outputs.end(), to.outputs);
    to.threads = rows[i].threads;
  }
  outcome.rows = rows.size();
  outcome.done = true;
}

}  // namespace

std::vector<Kernel> plugin_kernels(const std::string& path) {
  std::error_code error;
  const std::string file = std::filesystem::absolute(path, error).string();
  if (error || !std::filesystem::exists(file, error)) {
    throw UsageError(fmt::format("{}: there is no such file", path));
  }
  SharedArray<SharedRow> shared(kMostPluginRows);
  SharedArray<Outcome> outcome(1);
  run_in_child([&] { read_into(file, shared, outcome[0]); }, kLoadTime);
  if (!outcome[0].done) {
    throw UsageError(fmt::format(
        "{}: the process that loaded it crashed, ended, or did not answer for {} seconds", path,
        kLoadTime.count()));
  }
  if (outcome[0].error[0] != '\0') throw UsageError(fmt::format("{}: {}", path, outcome[0].error));

  std::vector<Kernel> kernels;
  for (std::size_t i = 0; i < outcome[0].rows; ++i) {
    const SharedRow& row = shared[i];
    auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& candidate) {
      return candidate.entry_point == row.entry_point;
    });
    if (kernel == kernels.end()) {
      Kernel added;
      added.entry_point = row.entry_point;
      added.inputs.assign(row.inputs, row.inputs + row.input_count);
      added.outputs.assign(row.outputs, row.outputs + row.output_count);
      added.load_effect = outcome[0].load_effect;
      kernels.push_back(std::move(added));
      kernel = kernels.end() - 1;
    }
    KernelVariant variant;
    variant.name = row.variant;
    variant.library = file;
    variant.index = static_cast<std::uint32_t>(i);
    variant.threads = row.threads;
    kernel->variants.push_back(std::move(variant));
  }
  return kernels;
}

Registry registry_with_plugins(const std::vector<std::string>& paths) {
  std::vector<Kernel> kernels;
  for (const std::string& path : paths) {
    for (Kernel& kernel : plugin_kernels(path)) {
      for (const Kernel& other : kernels) {
        if (other.entry_point != kernel.entry_point) continue;
        throw UsageError(fmt::format("{}: the entry point '{}' is also in {}", path,
                                     kernel.entry_point, other.variants.front().library));
      }
      kernels.push_back(std::move(kernel));
    }
  }
  const Registry built_in = built_in_registry();
  for (const Kernel& kernel : built_in.kernels()) {
    const bool replaced = std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& other) {
      return other.entry_point == kernel.entry_point;
    });
    if (!replaced) kernels.push_back(kernel);
  }
  return Registry(std::move(kernels));
}

}  // namespace assay
