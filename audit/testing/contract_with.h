// Contracts made by hand, for tests of the judges.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "contracts/fkc/document.h"
#include "oracles/cast_exact.h"

namespace assay::testing {

inline Claim claim(ClaimKind kind, ClaimValue value = {}) {
  Claim result;
  result.kind = kind;
  result.value = std::move(value);
  return result;
}

/// An interval from its four parts; an empty text leaves that side open.
inline Interval interval(std::string lower, bool lower_inclusive, std::string upper,
                         bool upper_inclusive) {
  Interval result;
  if (!lower.empty()) result.lower = std::move(lower);
  result.lower_inclusive = lower_inclusive;
  if (!upper.empty()) result.upper = std::move(upper);
  result.upper_inclusive = upper_inclusive;
  return result;
}

inline fkc::KernelContract contract_with(std::vector<Claim> claims,
                                         std::vector<Interval> caller_error = {},
                                         bool caller_error_nan = false) {
  fkc::KernelContract contract;
  contract.claims = std::move(claims);
  contract.caller_error = std::move(caller_error);
  contract.caller_error_nan = caller_error_nan;
  return contract;
}

/// A cast with its natural rounding.
inline oracle::CastOperation cast(Dtype from, Dtype to) {
  return {from, to, oracle::natural_rounding(from, to)};
}

/// "f32_to_f16"
inline std::string name(const oracle::CastOperation& operation) {
  return std::string(traits(operation.from).name) + "_to_" + std::string(traits(operation.to).name);
}

}  // namespace assay::testing
