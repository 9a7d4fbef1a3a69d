#include "audit/worker/plugins.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "audit/options.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/fp_environment.h"
#include "audit/worker/loaded_objects.h"
#include "audit/worker/pool.h"
#include "audit/worker/shared_array.h"
#include "kernels/abi/plugin.h"

namespace assay {

namespace {

constexpr std::chrono::seconds kLoadTime{20};

/// Room for the paths of a library's dependencies.
constexpr std::size_t kMostPathBytes = std::size_t{1} << 18;

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
  std::size_t path_bytes;
  char paths[kMostPathBytes];  ///< each with a zero behind it
};

/// What has been loaded since `before`, but for the library itself.
void put_dependencies(const std::vector<std::string>& before, const std::string& library,
                      Outcome& outcome) {
  for (const std::string& path : loaded_objects()) {
    if (path == library || std::find(before.begin(), before.end(), path) != before.end()) continue;
    if (kMostPathBytes - outcome.path_bytes <= path.size()) {
      put(outcome.error, "it depends on more libraries than can be looked after");
      return;
    }
    std::memcpy(outcome.paths + outcome.path_bytes, path.c_str(), path.size() + 1);
    outcome.path_bytes += path.size() + 1;
  }
}

void read_into(const std::string& path, SharedArray<SharedRow>& shared, Outcome& outcome) {
  const FpEnvironment before = FpEnvironment::current();
  const std::vector<std::string> objects = loaded_objects();
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
  put_dependencies(objects, path, outcome);
  outcome.rows = rows.size();
  outcome.done = true;
}

/// In the order of their names, since that of their loading may be another on each machine.
std::vector<FileDigest> read_dependencies(const Outcome& outcome) {
  std::vector<FileDigest> dependencies;
  // The child's memory, which the library may have written: no more than there is room for.
  std::string_view paths(outcome.paths, std::min(outcome.path_bytes, kMostPathBytes));
  for (std::size_t end = 0; (end = paths.find('\0')) != std::string_view::npos;) {
    dependencies.push_back(digest_of(paths.substr(0, end)));
    paths.remove_prefix(end + 1);
  }
  const auto name = [](const FileDigest& file) {
    return std::filesystem::path(file.path).filename();
  };
  std::sort(dependencies.begin(), dependencies.end(),
            [&](const FileDigest& a, const FileDigest& b) { return name(a) < name(b); });
  return dependencies;
}

}  // namespace

std::string KernelLibrary::changed_file(bool thoroughly) const {
  if (!is_as_it_was(file, thoroughly)) return file.path;
  for (const FileDigest& dependency : dependencies) {
    if (!is_as_it_was(dependency, thoroughly)) return dependency.path;
  }
  return {};
}

KernelLibrary read_library(const std::string& path) {
  std::error_code error;
  const std::string file = std::filesystem::absolute(path, error).string();
  if (error || !std::filesystem::exists(file, error)) {
    throw UsageError(fmt::format("{}: there is no such file", path));
  }
  KernelLibrary library;
  SharedArray<SharedRow> shared(kMostPluginRows);
  SharedArray<Outcome> outcome(1);
  try {
    library.file = digest_of(file);
  } catch (const std::runtime_error& fault) {
    throw UsageError(fmt::format("{}: {}", path, fault.what()));
  }
  run_in_child([&] { read_into(file, shared, outcome[0]); }, kLoadTime);
  if (!outcome[0].done) {
    throw UsageError(fmt::format(
        "{}: the process that loaded it crashed, ended, or did not answer for {} seconds", path,
        kLoadTime.count()));
  }
  if (outcome[0].error[0] != '\0') throw UsageError(fmt::format("{}: {}", path, outcome[0].error));
  try {
    library.dependencies = read_dependencies(outcome[0]);
  } catch (const std::runtime_error& fault) {
    throw UsageError(
        fmt::format("{}: it depends on what cannot be looked after: {}", path, fault.what()));
  }
  if (!is_as_it_was(library.file)) {
    throw UsageError(fmt::format("{}: it was written, or replaced, while it was read", path));
  }

  std::vector<Kernel>& kernels = library.kernels;
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
  watch_plugin(file, [file = library.file, dependencies = library.dependencies] {
    const std::string changed = KernelLibrary{file, dependencies, {}}.changed_file(false);
    if (changed.empty()) return changed;
    return fmt::format("'{}' is not what it was when the library was read first", changed);
  });
  return library;
}

std::vector<Kernel> plugin_kernels(const std::string& path) {
  return read_library(path).kernels;
}

std::vector<KernelLibrary> read_libraries(const std::vector<std::string>& paths) {
  std::vector<KernelLibrary> libraries;
  for (const std::string& path : paths) {
    KernelLibrary library = read_library(path);
    for (const Kernel& kernel : library.kernels) {
      for (const KernelLibrary& earlier : libraries) {
        for (const Kernel& other : earlier.kernels) {
          if (other.entry_point != kernel.entry_point) continue;
          throw UsageError(fmt::format("{}: the entry point '{}' is also in {}", path,
                                       kernel.entry_point, earlier.file.path));
        }
      }
    }
    libraries.push_back(std::move(library));
  }
  return libraries;
}

Registry registry_with(const std::vector<KernelLibrary>& libraries) {
  std::vector<Kernel> kernels;
  for (const KernelLibrary& library : libraries) {
    kernels.insert(kernels.end(), library.kernels.begin(), library.kernels.end());
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

Registry registry_with_plugins(const std::vector<std::string>& paths) {
  return registry_with(read_libraries(paths));
}

}  // namespace assay
