// Verdicts and the strength of the evidence behind them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace assay {

enum class Verdict : std::uint8_t {
  kUpheld,     ///< tested, no violation found
  kRefuted,    ///< a violation was found and re-verified
  kUnclaimed,  ///< the contract does not say; measured only
  kUndecided,  ///< not enough evidence: nothing that bears on the claim was tested
  kError,      ///< the kernel crashed, hung, refused a valid input, or was not the one asked for
};

/// How much of the input space was tested.
enum class Strength : std::uint8_t {
  kNone,              ///< nothing was tested
  kSampled,           ///< a seeded sample
  kBoundaryComplete,  ///< every rounding boundary, on it and on both sides, and every special value
  kExhaustive,        ///< every bit pattern of the source domain
};

constexpr std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 5> names = {"upheld", "refuted", "unclaimed", "undecided",
                                                     "error"};
  return names[static_cast<std::size_t>(verdict)];
}

constexpr std::string_view to_string(Strength strength) {
  constexpr std::array<std::string_view, 4> names = {"none", "sampled", "boundary_complete",
                                                     "exhaustive"};
  return names[static_cast<std::size_t>(strength)];
}

}  // namespace assay
