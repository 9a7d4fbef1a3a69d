// What became of a constraint when it was looked at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace assay::fkc {

/// `kNotChecked` is no success: what cannot be evaluated is shown and counted.
enum class Standing : std::uint8_t { kHolds, kViolated, kNotChecked };

struct Finding {
  Standing standing = Standing::kHolds;
  std::string why;  ///< a sentence with names and values; empty where it holds
};

/// The three findings; `why` as in `Finding`.
inline Finding holds() {
  return {};
}
inline Finding violated(std::string why) {
  return {Standing::kViolated, std::move(why)};
}
inline Finding not_checked(std::string why) {
  return {Standing::kNotChecked, std::move(why)};
}

/// "holds", "violated", "not checked".
constexpr std::string_view to_string(Standing standing) {
  constexpr std::string_view kNames[] = {"holds", "violated", "not checked"};
  return kNames[static_cast<std::size_t>(standing)];
}

}  // namespace assay::fkc
