#include "audit/cli/run_options.h"

#include <fmt/format.h>

#include <random>

namespace assay::cli {

Effort effort_from(const std::string& name) {
  if (name == "quick") return Effort::kQuick;
  return name == "exhaustive" ? Effort::kExhaustive : Effort::kStandard;
}

std::uint64_t seed_from(const std::string& text) {
  if (text == "random") {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }
  std::size_t used = 0;
  try {
    const std::uint64_t seed = std::stoull(text, &used, 10);
    if (used == text.size() && text.front() != '-') return seed;
  } catch (const std::exception&) {
    used = 0;
  }
  throw UsageError(
      fmt::format("--seed takes a decimal number up to 2^64 - 1, or 'random'; not '{}'", text));
}

}  // namespace assay::cli
