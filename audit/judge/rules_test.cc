// Verdicts on single results: one row per situation.
#include <string>
#include <vector>

#include "audit/judge/sweep.h"
#include "audit/testing/contract_with.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

using testing::cast;
using testing::claim;
using testing::contract_with;
using testing::interval;

constexpr Dtype f64 = Dtype::kF64;
constexpr Dtype f32 = Dtype::kF32;
constexpr Dtype f16 = Dtype::kF16;
constexpr Dtype bf16 = Dtype::kBF16;
constexpr Dtype u32 = Dtype::kU32;

constexpr ClaimSet kNothing = 0;
constexpr ClaimSet kUlp = bit(ClaimKind::kMaxUlp);
constexpr ClaimSet kRounding = bit(ClaimKind::kRounding);
constexpr ClaimSet kOverflow = bit(ClaimKind::kOverflow);
constexpr ClaimSet kNan = bit(ClaimKind::kNan);
constexpr ClaimSet kInfinity = bit(ClaimKind::kInfinity);
constexpr ClaimSet kSignedZero = bit(ClaimKind::kSignedZero);
constexpr ClaimSet kSubnormals = bit(ClaimKind::kSubnormals);
constexpr ClaimSet kDomainExact = bit(ClaimKind::kDomainExact);
constexpr ClaimSet kRelative = bit(ClaimKind::kMaxRelative);
constexpr ClaimSet kAbsolute = bit(ClaimKind::kMaxAbsolute);

std::string names(ClaimSet set) {
  std::string text;
  for (const ClaimRow& row : kClaims) {
    if ((set & bit(row.kind)) != 0) text += (text.empty() ? "" : ", ") + std::string(row.id);
  }
  return text;
}

/// What a contract violates with one result, as claim ids.
std::string verdict(const fkc::KernelContract& contract, Dtype from, Dtype to, Bits input,
                    Bits got) {
  const oracle::CastOperation operation = cast(from, to);
  const oracle::CastOracle oracle(operation);
  const CellMap cells(oracle, contract);
  const Rules rules(contract);
  return names(violated(rules, cells.of(input), operation, input, got, oracle.expect_one(input)));
}

/// A contract as the reference ones are: correctly rounded.
fkc::KernelContract correctly_rounded() {
  return contract_with({claim(ClaimKind::kMaxUlp, std::uint64_t{0}),
                        claim(ClaimKind::kRounding, Rounding::kNearestEven),
                        claim(ClaimKind::kOverflow, OverflowRule::kInfinity),
                        claim(ClaimKind::kNan, NanRule::kPreserved), claim(ClaimKind::kInfinity),
                        claim(ClaimKind::kSignedZero), claim(ClaimKind::kSubnormals)});
}

struct Situation {
  const char* what;
  Dtype from;
  Dtype to;
  Bits input;
  Bits got;
  ClaimSet due;
};

TEST_CASE("what a result violates of a correctly rounded cast") {
  constexpr Situation rows[] = {
      {"the right result", f32, f16, 0x3f801008, 0x3c01, kNothing},
      {"one step off", f32, f16, 0x3f801008, 0x3c00, kUlp | kRounding},
      {"a tie gone to the odd neighbour", f32, f16, 0x3f801000, 0x3c01, kUlp | kRounding},
      {"the wrong sign", f32, f16, 0x3f800000, 0xbc00, kUlp | kRounding},
      {"NaN from a number", f32, f16, 0x3f800000, 0x7e00, kUlp | kRounding},
      {"NaN from zero", f32, f16, 0x00000000, 0x7e00, kUlp | kRounding},
      {"infinity from an ordinary number", f32, f16, 0x3f800000, 0x7c00,
       kUlp | kRounding | kOverflow},

      {"NaN kept, with any bits", f32, bf16, 0x7f800001, 0xffc5, kNothing},
      {"NaN kept, signalling", f32, bf16, 0x7f800001, 0x7f81, kNothing},
      {"NaN became infinity", f32, bf16, 0x7f800001, 0x7f80, kUlp | kNan},
      {"NaN became minus zero", f32, bf16, 0x7fffffff, 0x8000, kUlp | kNan},
      {"NaN became a number", f32, f16, 0xffc00000, 0x3c00, kUlp | kNan},

      {"infinity kept", f32, f16, 0xff800000, 0xfc00, kNothing},
      {"infinity of the other sign", f32, f16, 0xff800000, 0x7c00, kUlp | kInfinity},
      {"infinity became the largest number", f32, f16, 0x7f800000, 0x7bff, kUlp | kInfinity},
      {"infinity became NaN", f32, f16, 0x7f800000, 0x7c01, kUlp | kInfinity},

      {"overflow to infinity", f32, f16, 0x477ff000, 0x7c00, kNothing},
      {"overflow saturated", f32, f16, 0x477ff000, 0x7bff, kUlp | kOverflow},
      {"overflow to the wrong infinity", f32, f16, 0x477ff000, 0xfc00, kUlp | kOverflow},
      {"overflow to NaN", f32, f16, 0x7f7fffff, 0x7c01, kUlp | kOverflow},
      {"infinity one pattern too early", f32, f16, 0x477fefff, 0x7c00,
       kUlp | kRounding | kOverflow},
      {"the largest number kept", f32, f16, 0x477fefff, 0x7bff, kNothing},

      {"a zero's sign lost", f32, f16, 0x80000000, 0x0000, kUlp | kSignedZero},
      {"a zero's sign gained", f32, f16, 0x00000000, 0x8000, kUlp | kSignedZero},
      {"a tiny number's sign lost on its way to zero", f32, f16, 0x80000001, 0x0000,
       kUlp | kSignedZero},
      {"a tiny number rounded up instead of to zero", f32, f16, 0x32ffffff, 0x0001,
       kUlp | kRounding},
      {"half the least subnormal gone to the odd side", f32, f16, 0x33000000, 0x0001,
       kUlp | kRounding},
      {"above half the least subnormal, truncated: a rounding fault only", f32, f16, 0x33000001,
       0x0000, kUlp | kRounding},
      {"the same of a negative number", f32, f16, 0xb3000001, 0x8000, kUlp | kRounding},
      {"the least subnormal itself, flushed", f32, f16, 0x33800000, 0x0000,
       kUlp | kRounding | kSubnormals},
      {"the largest subnormal, flushed", f32, f16, 0x387fc000, 0x0000,
       kUlp | kRounding | kSubnormals},
      {"a subnormal truncated: a rounding fault only", f32, f16, 0x33c00000, 0x0001,
       kUlp | kRounding},
      {"a subnormal mis-scaled", f32, f16, 0x387fc000, 0x01ff, kUlp | kRounding | kSubnormals},
      {"a subnormal became NaN", f32, f16, 0x33800000, 0x7e00, kUlp | kRounding | kSubnormals},
      {"rounded up to the least normal number", f32, f16, 0x387fe000, 0x0400, kNothing},
      {"not rounded up to it", f32, f16, 0x387fe000, 0x03ff, kUlp | kRounding},
      {"a subnormal input flushed", f32, bf16, 0x00400000, 0x0000, kUlp | kRounding | kSubnormals},
      {"a subnormal input flushed before it is widened", f16, f32, 0x0001, 0x00000000,
       kUlp | kRounding | kSubnormals},
      {"a subnormal input widened to half its value", f16, f32, 0x0001, 0x33000000,
       kUlp | kRounding | kSubnormals},

      {"rounded twice", f64, f16, 0x3f0ffbfffffffffc, 0x0400, kUlp | kRounding},
      {"through a signed integer", u32, f32, 0x80000000, 0xcf000000, kUlp | kRounding},
      {"integers rounded twice", u32, f32, 0xfffdff7e, 0x4f7ffe00, kUlp | kRounding},
  };
  const fkc::KernelContract contract = correctly_rounded();
  for (const Situation& row : rows) {
    CAPTURE(row.what);
    CHECK(verdict(contract, row.from, row.to, row.input, row.got) == names(row.due));
  }
}

TEST_CASE("a bound of steps admits that many and no more") {
  const auto off_by = [](std::uint64_t allowed, Bits got) {
    const fkc::KernelContract contract = contract_with({claim(ClaimKind::kMaxUlp, allowed)});
    return verdict(contract, f32, f16, 0x3f800000, got).find("max_ulp") != std::string::npos;
  };
  CHECK_FALSE(off_by(0, 0x3c00));
  CHECK(off_by(0, 0x3c01));
  CHECK(off_by(0, 0x3bff));
  CHECK_FALSE(off_by(1, 0x3c01));
  CHECK_FALSE(off_by(1, 0x3bff));
  CHECK(off_by(1, 0x3c02));
  CHECK_FALSE(off_by(2, 0x3bfe));
  CHECK(off_by(2, 0x3bfd));
  CHECK(off_by(1000000, 0x7e00));  // a NaN is no distance
}

TEST_CASE("a bound of steps counts infinity as one step beyond the largest number") {
  const fkc::KernelContract one = contract_with({claim(ClaimKind::kMaxUlp, std::uint64_t{1})});
  // Reported as an overflow and a rounding fault, should the contract say anything about those.
  CHECK(verdict(one, f32, f16, 0x477fe000, 0x7c00) == names(kRounding | kOverflow));
  CHECK(verdict(one, f32, f16, 0x477ff000, 0x7bff) == names(kOverflow));
}

TEST_CASE("saturation is due where it is declared") {
  const fkc::KernelContract contract = contract_with(
      {claim(ClaimKind::kMaxUlp, std::uint64_t{0}),
       claim(ClaimKind::kOverflow, OverflowRule::kSaturate), claim(ClaimKind::kInfinity)});
  CHECK(verdict(contract, f32, f16, 0x477ff000, 0x7bff).empty());
  CHECK(verdict(contract, f32, f16, 0xff7fffff, 0xfbff).empty());
  CHECK(verdict(contract, f32, f16, 0xff7fffff, 0x7bff) == names(kUlp | kOverflow));
  CHECK(verdict(contract, f32, f16, 0x477ff000, 0x7c00) == names(kUlp | kOverflow));
  // An infinite input is not an overflow.
  CHECK(verdict(contract, f32, f16, 0x7f800000, 0x7c00).empty());
  CHECK(verdict(contract, f32, f16, 0x7f800000, 0x7bff) == names(kUlp | kInfinity));
}

TEST_CASE("casts to integers that saturate and turn NaN into 0") {
  const fkc::KernelContract contract =
      contract_with({claim(ClaimKind::kMaxUlp, std::uint64_t{0}),
                     claim(ClaimKind::kRounding, Rounding::kTowardZero),
                     claim(ClaimKind::kOverflow, OverflowRule::kSaturate),
                     claim(ClaimKind::kNan, NanRule::kZero)});
  CHECK(verdict(contract, f32, u32, 0x40200000, 2).empty());
  CHECK(verdict(contract, f32, u32, 0x40200000, 3) == names(kUlp | kRounding));
  CHECK(verdict(contract, f32, u32, 0xbf7fffff, 0).empty());  // -0.99… truncates to 0
  CHECK(verdict(contract, f32, u32, 0xbf7fffff, 0xffffffff) == names(kUlp | kRounding));
  CHECK(verdict(contract, f32, u32, 0xbf800000, 0).empty());
  CHECK(verdict(contract, f32, u32, 0xbf800000, 0xffffffff) == names(kUlp | kOverflow));
  CHECK(verdict(contract, f32, u32, 0x4f800000, 0xffffffff).empty());
  CHECK(verdict(contract, f32, u32, 0x4f800000, 0) == names(kUlp | kOverflow));
  CHECK(verdict(contract, f32, u32, 0x7fc00000, 0).empty());
  CHECK(verdict(contract, f32, u32, 0x7fc00000, 0x80000000) == names(kUlp | kNan));
}

TEST_CASE("what is outside the contract is never judged") {
  const fkc::KernelContract contract = contract_with(
      {claim(ClaimKind::kMaxUlp, std::uint64_t{0}),
       claim(ClaimKind::kRounding, Rounding::kTowardZero),
       claim(ClaimKind::kOverflow, OverflowRule::kCallerError),
       claim(ClaimKind::kNan, NanRule::kCallerError)},
      {interval("", false, "0", false), interval("4294967295", false, "", false)}, true);
  for (const Bits input : {0xbf000000u, 0xbf800000u, 0xff800000u, 0x4f800000u, 0x7f800000u,
                           0x7fc00000u, 0xffffffffu, 0x80000001u}) {
    CAPTURE(hex(input, f32));
    CHECK(verdict(contract, f32, u32, input, 0xdeadbeef).empty());
  }
  CHECK(verdict(contract, f32, u32, 0x80000000, 1) == names(kUlp | kRounding));  // -0 is not < 0
  CHECK(verdict(contract, f32, u32, 0x4f7fffff, 0) == names(kUlp | kRounding));
}

TEST_CASE("an exact part of the domain") {
  const fkc::KernelContract contract =
      contract_with({claim(ClaimKind::kMaxUlp, std::uint64_t{1}),
                     claim(ClaimKind::kDomainExact, interval("", false, "2^24", false))});
  CHECK(verdict(contract, u32, f32, 0x00ffffff, 0x4b7fffff).empty());
  CHECK(verdict(contract, u32, f32, 0x00ffffff, 0x4b7ffffe) == names(kRounding | kDomainExact));
  CHECK(verdict(contract, u32, f32, 0x01000001, 0x4b800001) == names(kRounding));
  CHECK(verdict(contract, u32, f32, 0x01000000, 0x4b800001) == names(kRounding));
}

TEST_CASE("an exact part of the domain is about values: the sign of zero is another claim's") {
  const fkc::KernelContract contract =
      contract_with({claim(ClaimKind::kDomainExact, interval("-1", true, "1", true)),
                     claim(ClaimKind::kSignedZero)});
  CHECK(verdict(contract, f32, f64, 0x80000000, 0) == names(kSignedZero));
  CHECK(verdict(contract, f32, f64, 0x80000000, 1) == names(kRounding | kDomainExact));
}

TEST_CASE("an exact part of the domain may hold infinity") {
  const fkc::KernelContract contract =
      contract_with({claim(ClaimKind::kDomainExact, interval("0", true, "", false))});
  CHECK(verdict(contract, f32, f64, 0x7f800000, 0x7ff0000000000000).empty());
  CHECK(verdict(contract, f32, f64, 0x7f800000, 0x7fefffffffffffff) ==
        names(kInfinity | kDomainExact));
}

TEST_CASE("relative and absolute bounds are against the exact value") {
  const fkc::KernelContract relative = contract_with({claim(ClaimKind::kMaxRelative, 0x1p-11)});
  const auto beyond = [](const std::string& verdict, ClaimSet claim) {
    return verdict.find(names(claim)) != std::string::npos;
  };
  // 1 + 2^-11 is a tie: the relative error of either neighbour is 2^-11 / (1 + 2^-11), just within.
  CHECK_FALSE(beyond(verdict(relative, f32, f16, 0x3f801000, 0x3c00), kRelative));
  CHECK_FALSE(beyond(verdict(relative, f32, f16, 0x3f801000, 0x3c01), kRelative));
  CHECK(beyond(verdict(relative, f32, f16, 0x3f801000, 0x3bff), kRelative));
  CHECK(beyond(verdict(relative, f32, f16, 0x3f801000, 0x7e00), kRelative));
  CHECK(beyond(verdict(relative, f32, f16, 0x477fe000, 0x7c00), kRelative));
  // Below the least normal number errors are relative to that number: r * max(|y|, 2^-14).
  CHECK_FALSE(beyond(verdict(relative, f32, f16, 0x33000000, 0x0000), kRelative));
  CHECK(beyond(verdict(relative, f32, f16, 0x33800000, 0x0000), kRelative));
  CHECK_FALSE(beyond(verdict(relative, f32, f16, 0x80000000, 0x0000), kRelative));

  const fkc::KernelContract absolute = contract_with({claim(ClaimKind::kMaxAbsolute, 0.25)});
  CHECK_FALSE(beyond(verdict(absolute, f32, f16, 0x3f800000, 0x3d00), kAbsolute));
  CHECK(beyond(verdict(absolute, f32, f16, 0x3f800000, 0x3d01), kAbsolute));
  // 2049 is not a binary16 number: even the correctly rounded result is 1 away.
  CHECK(beyond(verdict(absolute, f32, f16, 0x45001000, 0x6800), kAbsolute));
  CHECK(beyond(verdict(absolute, f32, f16, 0x3f800000, 0x7e00), kAbsolute));
}

TEST_CASE("rules are read from the claims, bounds by their kind") {
  const Rules rules(contract_with(
      {claim(ClaimKind::kMaxUlp, std::uint64_t{3}), claim(ClaimKind::kMaxRelative, 0.5),
       claim(ClaimKind::kMaxAbsolute, 2.0), claim(ClaimKind::kOverflow, OverflowRule::kSaturate),
       claim(ClaimKind::kNan, NanRule::kZero), claim(ClaimKind::kBitStable)}));
  CHECK(rules.max_ulp == 3);
  CHECK(rules.max_relative == 0.5);
  CHECK(rules.max_absolute == 2.0);
  CHECK(rules.overflow == OverflowRule::kSaturate);
  CHECK(rules.nan == NanRule::kZero);
  CHECK(rules.declared[static_cast<std::size_t>(ClaimKind::kMaxUlp)]);
  CHECK_FALSE(rules.declared[static_cast<std::size_t>(ClaimKind::kRounding)]);
  CHECK_FALSE(rules.declared[static_cast<std::size_t>(ClaimKind::kDomainExact)]);
}

}  // namespace
}  // namespace assay
