#include "contracts/claim.h"

namespace assay {

namespace {
constexpr bool rows_match_enumerators() {
  for (std::size_t i = 0; i < kClaims.size(); ++i) {
    if (kClaims[i].kind != static_cast<ClaimKind>(i)) return false;
  }
  return true;
}
static_assert(rows_match_enumerators());
}  // namespace

std::optional<ClaimKind> claim_kind_from_id(std::string_view id) {
  for (const ClaimRow& claim : kClaims) {
    if (claim.id == id) return claim.kind;
  }
  return std::nullopt;
}

std::string_view to_string(SourceKind kind) {
  constexpr std::array<std::string_view, 4> names = {"structured", "audit", "prose", "implied"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Rounding rounding) {
  constexpr std::array<std::string_view, 3> names = {"exact", "nearest_even", "toward_zero"};
  return names[static_cast<std::size_t>(rounding)];
}

std::string_view to_string(OverflowRule rule) {
  constexpr std::array<std::string_view, 3> names = {"infinity", "saturate", "caller_error"};
  return names[static_cast<std::size_t>(rule)];
}

std::string_view to_string(NanRule rule) {
  constexpr std::array<std::string_view, 4> names = {"preserved", "zero", "caller_error",
                                                     "ignored"};
  return names[static_cast<std::size_t>(rule)];
}

std::string_view to_string(Accumulator accumulator) {
  constexpr std::array<std::string_view, 2> names = {"nested_sum", "scattered_sum"};
  return names[static_cast<std::size_t>(accumulator)];
}

std::string_view to_string(BiasOrder order) {
  constexpr std::array<std::string_view, 2> names = {"first", "last"};
  return names[static_cast<std::size_t>(order)];
}

}  // namespace assay
