// Certificates: MPFR's answers again, digest by digest. A test case of its own for each large cast,
// so that they run side by side.
#include "oracles/certificate.h"

#include <xxhash.h>

#include <algorithm>

#include "contracts/testing/catch.h"
#include "oracles/testing/patterns.h"

namespace assay::oracle {
namespace {

constexpr Dtype f64 = Dtype::kF64;
constexpr Dtype f32 = Dtype::kF32;
constexpr Dtype f16 = Dtype::kF16;
constexpr Dtype bf16 = Dtype::kBF16;
constexpr Dtype u32 = Dtype::kU32;

CastOperation operation(Dtype from, Dtype to) {
  return {from, to, natural_rounding(from, to)};
}

/// The certificate file agrees with MPFR, and the fast oracle with the file.
void check(Dtype from, Dtype to) {
  const CastOperation cast = operation(from, to);
  CAPTURE(cast_name(cast));
  const std::optional<Certificate> shipped = shipped_certificate(cast);
  REQUIRE(shipped);
  const Certificate exact = certify_exactly(cast);
  CHECK(exact.cast == shipped->cast);
  CHECK(exact.probes == shipped->probes);
  CHECK(exact.digest == shipped->digest);
  std::string why;
  CHECK(verify(CastOracle(cast), why));
  CHECK(why.empty());
}

TEST_CASE("the certificate of f64 to f32 holds") {
  check(f64, f32);
}
TEST_CASE("the certificate of f64 to f16 holds") {
  check(f64, f16);
}
TEST_CASE("the certificate of f64 to bf16 holds") {
  check(f64, bf16);
}
TEST_CASE("the certificate of f64 to u32 holds") {
  check(f64, u32);
}
TEST_CASE("the certificate of f32 to f64 holds") {
  check(f32, f64);
}
TEST_CASE("the certificate of f32 to f16 holds") {
  check(f32, f16);
}
TEST_CASE("the certificate of f32 to bf16 holds") {
  check(f32, bf16);
}
TEST_CASE("the certificate of f32 to u32 holds") {
  check(f32, u32);
}
TEST_CASE("the certificates of f16 casts hold") {
  for (const Dtype to : {f64, f32, bf16}) check(f16, to);
}
TEST_CASE("the certificates of bf16 casts hold") {
  for (const Dtype to : {f64, f32, f16}) check(bf16, to);
}
TEST_CASE("the certificates of u32 casts hold") {
  for (const Dtype to : {f64, f32}) check(u32, to);
}

TEST_CASE("every cast that has a fast oracle is certified, sixteen in all") {
  std::vector<std::string> names;
  for (const CastOperation& cast : certified_casts()) {
    CHECK(shipped_certificate(cast));
    names.push_back(cast_name(cast));
  }
  std::sort(names.begin(), names.end());
  CHECK(std::unique(names.begin(), names.end()) == names.end());
  CHECK(names.size() == 16);
  CHECK_FALSE(shipped_certificate({f16, u32, Rounding::kTowardZero}));
}

/// The digest of MPFR's answers, with the answer of probe number `doctored` changed by one bit.
std::uint64_t doctored_digest(CastOperation cast, std::uint64_t doctored) {
  ExactCast exact(cast);
  XXH3_state_t* state = XXH3_createState();
  XXH3_64bits_reset(state);
  std::uint64_t probe = 0;
  for_each_certificate_block(cast, [&](const void* in, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const Bits result = exact(load(in, i, cast.from)) ^ (probe++ == doctored ? 1 : 0);
      unsigned char bytes[8];
      store(bytes, 0, cast.to, result);
      XXH3_64bits_update(state, bytes, static_cast<std::size_t>(traits(cast.to).bytes()));
    }
  });
  const std::uint64_t digest = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return digest;
}

TEST_CASE("a certificate differs as soon as one bit of one answer does") {
  const CastOperation cast = operation(f16, bf16);
  const std::uint64_t shipped = shipped_certificate(cast)->digest;
  CHECK(doctored_digest(cast, ~std::uint64_t{0}) == shipped);
  for (const std::uint64_t probe : {0, 1, 30000, 65535}) {
    CHECK(doctored_digest(cast, probe) != shipped);
  }
}

TEST_CASE("the certificate of another cast does not pass for one's own") {
  CHECK(certify_exactly(operation(bf16, f32)).digest !=
        shipped_certificate(operation(f16, f32))->digest);
  CHECK(certify_fast(CastOracle(operation(f16, f64))).digest !=
        shipped_certificate(operation(bf16, f64))->digest);
}

/// The probes of a certificate, sorted.
std::vector<Bits> certificate_probes(CastOperation cast) {
  std::vector<Bits> probes;
  for_each_certificate_block(cast, [&](const void* in, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) probes.push_back(load(in, i, cast.from));
  });
  std::sort(probes.begin(), probes.end());
  return probes;
}

TEST_CASE("an oracle whose answers are not the certified ones is not trusted, and it is said why") {
  const Certificate shipped{"f32_to_f16/nearest_even", 911064, 0xfaa298ac0012d0f0};
  const auto refusal = [&](const Certificate& now, const std::optional<Certificate>& due) {
    std::string why;
    CHECK_FALSE(agrees(now, due, why));
    return why;
  };
  std::string why;
  CHECK(agrees(shipped, shipped, why));
  CHECK(why.empty());
  CHECK(refusal({shipped.cast, shipped.probes, 1}, shipped) ==
        "the fast oracle of f32_to_f16/nearest_even does not match its certificate: digest "
        "0000000000000001 over 911064 probes, certified faa298ac0012d0f0 over 911064");
  CHECK(refusal({shipped.cast, 5, shipped.digest}, shipped).find("over 5 probes") !=
        std::string::npos);
  CHECK_FALSE(
      refusal({"f32_to_bf16/nearest_even", shipped.probes, shipped.digest}, shipped).empty());
  CHECK(refusal(shipped, std::nullopt) ==
        "no certificate for the oracle of f32_to_f16/nearest_even");
}

TEST_CASE("a certificate's probes hold every special value, and what tells rounding apart") {
  const std::vector<Bits> probes = certificate_probes(operation(f32, f16));
  const auto missing = [&](const std::vector<Bits>& wanted) {
    return std::count_if(wanted.begin(), wanted.end(), [&](Bits bits) {
      return !std::binary_search(probes.begin(), probes.end(), bits);
    });
  };
  CHECK(missing(special_values(f32)) == 0);
  // Boundaries, one below, and with sticky bits, both signs.
  CHECK(missing({0x33000000, 0x32ffffff, 0x33000001, 0xb3000000, 0x33400000, 0x477ff000, 0x477fefff,
                 0x477ff001, 0x477ff800, 0xc77fefff, 0x387fe000, 0x387fdfff, 0x3f801000, 0x3f800fff,
                 0xbf801001, 0xbf801800}) == 0);
}

TEST_CASE("the fast oracle equals MPFR on every exponent and shape of significand") {
  for (const CastOperation& cast : certified_casts()) {
    const CastOracle fast(cast);
    ExactCast exact(cast);
    const std::vector<Bits> inputs = testing::patterns(cast.from, 12, 3);
    std::vector<std::uint64_t> in(inputs.size());
    std::vector<std::uint64_t> out(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
      store(in.data(), i, cast.from, inputs[i] & traits(cast.from).all_mask());
    fast.expect(in.data(), out.data(), inputs.size());
    std::uint64_t differing = 0;
    std::uint64_t differing_alone = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Bits due = exact(inputs[i]);
      differing += load(out.data(), i, cast.to) != due;
      differing_alone += fast.expect_one(inputs[i]) != due;
    }
    CAPTURE(cast_name(cast));
    CHECK(differing == 0);
    CHECK(differing_alone == 0);
  }
}

TEST_CASE("casts that have no oracle are refused") {
  CHECK_FALSE(has_cast_oracle({f32, f16, Rounding::kExact}));
  CHECK_FALSE(has_cast_oracle({u32, f16, Rounding::kNearestEven}));
  CHECK_THROWS_AS(CastOracle({f32, Dtype::kI32, Rounding::kTowardZero}), std::invalid_argument);
}

TEST_CASE("elements of every width are loaded and stored without touching their neighbours") {
  for (const Dtype dtype : {Dtype::kU8, f16, f32, f64}) {
    const Bits mask = traits(dtype).all_mask();
    unsigned char buffer[64];
    std::fill(std::begin(buffer), std::end(buffer), static_cast<unsigned char>(0xa5));
    store(buffer, 2, dtype, 0x123456789abcdef0 & mask);
    CHECK(load(buffer, 2, dtype) == (0x123456789abcdef0 & mask));
    CHECK(load(buffer, 1, dtype) == (0xa5a5a5a5a5a5a5a5 & mask));
    CHECK(load(buffer, 3, dtype) == (0xa5a5a5a5a5a5a5a5 & mask));
  }
}

}  // namespace
}  // namespace assay::oracle
