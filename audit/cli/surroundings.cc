#include "audit/cli/surroundings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "audit/worker/file_digest.h"
#include "audit/worker/loaded_objects.h"
#include "contracts/unicode.h"
#include "kernels/registry.h"

namespace assay::cli {

namespace {

/// Lines of /proc/cpuinfo that say what a processor is: of x86, of ARM, of POWER, RISC-V and s390.
/// Left out is what says which one it is, or how it is running.
constexpr std::array<std::string_view, 20> kProcessorLines = {"vendor_id",
                                                              "cpu family",
                                                              "model",
                                                              "model name",
                                                              "stepping",
                                                              "flags",
                                                              "CPU implementer",
                                                              "CPU architecture",
                                                              "CPU variant",
                                                              "CPU part",
                                                              "CPU revision",
                                                              "Features",
                                                              "cpu",
                                                              "revision",
                                                              "isa",
                                                              "uarch",
                                                              "mvendorid",
                                                              "marchid",
                                                              "mimpid",
                                                              "features"};

/// Lines that are lists of words, each of which is an item.
constexpr std::array<std::string_view, 3> kWordLists = {"flags", "Features", "features"};

constexpr std::array<std::string_view, 3> kVariables = {
    "LD_PRELOAD=", "LD_LIBRARY_PATH=", "GLIBC_TUNABLES="};
constexpr std::array<std::string_view, 8> kPrefixes = {"OMP_",    "GOMP_", "KMP_",      "DNNL_",
                                                       "ONEDNN_", "MKL_",  "OPENBLAS_", "BLIS_"};

/// Differences are shown in part where there are many.
constexpr std::size_t kMostShown = 6;

template <typename List>
bool has(const List& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void add(Items& items, std::string item) {
  if (!has(items, item)) items.push_back(std::move(item));
}

std::string file_item(const std::string& name, const std::string& path) {
  return fmt::format("{}: {}", one_line(name), digest_text(digest_of(path).sum));
}

}  // namespace

Items processor_items() {
  Items items;
  std::ifstream info("/proc/cpuinfo");
  std::string line, seen;
  while (std::getline(info, line)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string_view name = trimmed(std::string_view(line).substr(0, colon));
    std::string_view value = trimmed(std::string_view(line).substr(colon + 1));
    if (!has(kProcessorLines, name)) continue;
    if (!has(kWordLists, name)) {
      add(items, fmt::format("{} {}", name, one_line(value)));
      continue;
    }
    if (line == seen) continue;  // most often all processors have the same
    seen = line;
    while (!value.empty()) {
      const std::size_t end = std::min(value.find(' '), value.size());
      add(items, one_line(value.substr(0, end)));
      value = trimmed(value.substr(end));
    }
  }
  for (const std::string& target : available_targets()) add(items, "target " + target);
  std::sort(items.begin(), items.end());
  return items;
}

Items environment_items() {
  Items items;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const auto begins = [&](std::string_view name) { return text.starts_with(name); };
    if (std::any_of(kVariables.begin(), kVariables.end(), begins) ||
        std::any_of(kPrefixes.begin(), kPrefixes.end(), begins)) {
      items.push_back(one_line(text));
    }
  }
  std::sort(items.begin(), items.end());
  return items;
}

Items program_items() {
  Items items{file_item("assay", "/proc/self/exe")};
  for (const std::string& path : loaded_objects()) {
    items.push_back(file_item(std::filesystem::path(path).filename().string(), path));
  }
  return items;
}

std::string digest_text(std::uint64_t sum) {
  return fmt::format("{:016x}", sum);
}

std::string only_in(const Items& items, const Items& others) {
  Items mine;
  for (const std::string& item : items) {
    if (!has(others, item)) mine.push_back(one_line(item));
  }
  if (mine.empty()) return "nothing";
  const std::size_t shown = std::min(mine.size(), kMostShown);
  std::string text =
      fmt::format("{}", fmt::join(mine.begin(), mine.begin() + static_cast<long>(shown), ", "));
  if (mine.size() > shown) text += fmt::format(" and {} more", mine.size() - shown);
  return text;
}

}  // namespace assay::cli
