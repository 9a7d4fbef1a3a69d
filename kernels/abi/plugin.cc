#include "kernels/abi/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cfenv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "kernels/abi/assay_kernels.h"

namespace assay {

namespace {

const assay_kernel_list& load(const std::string& path) {
  // A name without a slash would be searched for in the system's folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    throw PluginError(fmt::format("cannot load it: {}", why != nullptr ? why : "no reason given"));
  }
  using Table = const assay_kernel_list* (*)();
  const auto table = reinterpret_cast<Table>(dlsym(library, "assay_kernel_table"));
  if (table == nullptr) {
    throw PluginError(
        "it does not export assay_kernel_table(); kernels/abi/assay_kernels.h says what a library "
        "of kernels looks like");
  }
  const assay_kernel_list* list = table();
  if (list == nullptr) throw PluginError("it has no kernels for this machine");
  if (list->abi_version != ASSAY_KERNELS_ABI_VERSION) {
    throw PluginError(fmt::format("it was made for version {} of the interface; this is version {}",
                                  list->abi_version, ASSAY_KERNELS_ABI_VERSION));
  }
  if (list->kernel_count == 0 || list->kernels == nullptr) throw PluginError("its table is empty");
  if (list->kernel_count > kMostPluginRows) {
    throw PluginError(fmt::format("its table has {} rows; at most {} are read", list->kernel_count,
                                  kMostPluginRows));
  }
  return *list;
}

std::string read_name(const char* text, std::size_t most, const char* what, std::uint32_t index) {
  if (text == nullptr || *text == '\0') {
    throw PluginError(fmt::format("row {} of its table has no {}", index, what));
  }
  const std::size_t length = strnlen(text, most + 1);
  if (length > most) {
    throw PluginError(
        fmt::format("row {} of its table: the {} is longer than {} bytes", index, what, most));
  }
  std::string name(text, length);
  for (const char c : name) {
    if (c < 0x20 || c > 0x7e) {
      throw PluginError(fmt::format(
          "row {} of its table: the {} has bytes other than printable ASCII", index, what));
    }
  }
  return name;
}

std::vector<Dtype> read_dtypes(const DLDataType* list, std::int32_t count, const char* what,
                               std::uint32_t index) {
  if (count < 1 || static_cast<std::size_t>(count) > kMostPluginOperands || list == nullptr) {
    throw PluginError(fmt::format("row {} of its table has {} {}; 1 to {} are read", index,
                                  list == nullptr ? 0 : count, what, kMostPluginOperands));
  }
  std::vector<Dtype> dtypes;
  for (std::int32_t i = 0; i < count; ++i) {
    const DLDataType& wanted = list[i];
    bool found = false;
    for (const DtypeTraits& row : kDtypes) {
      const DLDataType known = to_dlpack(row.dtype);
      if (known.code != wanted.code || known.bits != wanted.bits || wanted.lanes != 1) continue;
      dtypes.push_back(row.dtype);
      found = true;
      break;
    }
    if (!found) {
      throw PluginError(fmt::format(
          "row {} of its table: dtype {} of the {} is not known (code {}, bits {}, lanes {})",
          index, i, what, wanted.code, wanted.bits, wanted.lanes));
    }
  }
  return dtypes;
}

}  // namespace

std::vector<PluginRow> read_plugin(const std::string& path) {
  const assay_kernel_list& list = load(path);
  std::vector<PluginRow> rows;
  std::map<std::string, std::size_t> first_of;
  std::set<std::pair<std::string, std::string>> names;
  for (std::uint32_t i = 0; i < list.kernel_count; ++i) {
    const assay_kernel& kernel = list.kernels[i];
    PluginRow row;
    row.entry_point = read_name(kernel.entry_point, kMostEntryPointBytes, "entry point", i);
    row.variant = read_name(kernel.variant, kMostVariantBytes, "variant", i);
    row.inputs = read_dtypes(kernel.input_dtypes, kernel.input_count, "inputs", i);
    row.outputs = read_dtypes(kernel.output_dtypes, kernel.output_count, "outputs", i);
    constexpr std::uint32_t kKnown = ASSAY_KERNEL_THREADS | ASSAY_KERNEL_IN_PLACE;
    if ((kernel.flags & ~kKnown) != 0) {
      throw PluginError(
          fmt::format("row {} of its table has unknown flags {:#x}", i, kernel.flags & ~kKnown));
    }
    if (kernel.function == nullptr) {
      throw PluginError(
          fmt::format("row {} of its table ({}) has no function", i, row.entry_point));
    }
    row.threads = (kernel.flags & ASSAY_KERNEL_THREADS) != 0;
    row.in_place = (kernel.flags & ASSAY_KERNEL_IN_PLACE) != 0;
    const std::size_t first = first_of.emplace(row.entry_point, rows.size()).first->second;
    if (first < rows.size() &&
        (rows[first].inputs != row.inputs || rows[first].outputs != row.outputs)) {
      throw PluginError(fmt::format("row {} of its table: {} has other dtypes than row {}", i,
                                    row.entry_point, first));
    }
    if (!names.emplace(row.entry_point, row.variant).second) {
      throw PluginError(fmt::format("row {} of its table: {} has a variant '{}' already", i,
                                    row.entry_point, row.variant));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

namespace {

struct Loaded {
  const assay_kernel_list* list = nullptr;
  std::string error;
  std::string other;  ///< why it is not the library that was meant
};

/// By path.
std::map<std::string, std::function<std::string()>>& watches() {
  static std::map<std::string, std::function<std::string()>> all;
  return all;
}

/// The library in this process. A fork's child finds its parent's in memory as it was.
const Loaded& loaded(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, Loaded> libraries;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = libraries.try_emplace(path);
  if (!is_new) return place->second;
  std::fenv_t before;
  std::fegetenv(&before);
  try {
    place->second.list = &load(path);
  } catch (const PluginError& error) {
    place->second.error = error.what();
  }
  std::fesetenv(&before);
  // After the loading: what was replaced before it, or meanwhile, is seen.
  const auto watch = watches().find(path);
  if (watch != watches().end()) place->second.other = watch->second();
  return place->second;
}

}  // namespace

void watch_plugin(const std::string& path, std::function<std::string()> fault) {
  watches()[path] = std::move(fault);
}

KernelStatus call_plugin(const std::string& path, std::uint32_t index, KernelCall& call) {
  const Loaded& library = loaded(path);
  if (!library.other.empty()) throw PluginError(library.other);
  if (library.list == nullptr || index >= library.list->kernel_count) {
    std::snprintf(call.message, sizeof(call.message), "%s: %s", path.c_str(),
                  library.list == nullptr ? library.error.c_str()
                                          : "its table is shorter than when it was read");
    return KernelStatus::kFailed;
  }
  static_assert(sizeof(assay_parameter) == sizeof(KernelParameter) &&
                offsetof(assay_parameter, value) == offsetof(KernelParameter, value));
  assay_call plain{};
  plain.inputs = call.inputs.data();
  plain.outputs = call.outputs.data();
  plain.parameters = call.parameters.empty()
                         ? nullptr
                         : reinterpret_cast<const assay_parameter*>(call.parameters.data());
  plain.input_count = static_cast<std::int32_t>(call.inputs.size());
  plain.output_count = static_cast<std::int32_t>(call.outputs.size());
  plain.parameter_count = static_cast<std::int32_t>(call.parameters.size());
  plain.message_size = static_cast<std::int32_t>(sizeof(call.message));
  plain.message = call.message;
  const assay_kernel& kernel = library.list->kernels[index];
  std::int32_t status = ASSAY_FAILED;
  try {
    status = kernel.function(&plain);
  } catch (const std::exception& error) {
    std::snprintf(call.message, sizeof(call.message),
                  "an exception came through the C interface: %s", error.what());
    return KernelStatus::kFailed;
  }
  call.message[sizeof(call.message) - 1] = '\0';
  // A library has no dispatch of assay's: what was asked for is what ran.
  if (status == ASSAY_OK) call.ran = kernel.variant;
  return static_cast<KernelStatus>(status);
}

}  // namespace assay
