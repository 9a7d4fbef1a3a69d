// Certificates: the reason to trust the fast oracle.
//
// For each cast, a fixed probe set is answered by MPFR and the digest of the answers is kept in
// `oracles/certificates/cast.txt`. The tests recompute the MPFR digests and compare them with the
// file; an audit recomputes the digest of the fast oracle's answers and refuses to use it when the
// two differ. `certify_oracle --full` compares the fast oracle with MPFR element by element over
// every input of 32-bit sources and every boundary of f64 sources.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contracts/dtype.h"
#include "oracles/cast_exact.h"
#include "oracles/cast_oracle.h"

namespace assay::oracle {

struct Certificate {
  std::string cast;  ///< "f32_to_f16/nearest_even"
  std::uint64_t probes = 0;
  std::uint64_t digest = 0;  ///< XXH3-64 of the results, each in the destination's width
};

std::string cast_name(CastOperation operation);

/// All casts that the fast oracle serves: the rows of the certificate file.
std::vector<CastOperation> certified_casts();

/// The probe set of a cast's certificate, in blocks of source elements: every bit pattern of a
/// 16-bit source; else every boundary of a 16-bit destination, and up to 512 boundaries of each
/// exponent of a wider one, each boundary with the pattern below it and with every sticky bit, in
/// both signs; and all special values and exponents.
void for_each_certificate_block(CastOperation operation,
                                const std::function<void(const void* in, std::size_t n)>& use);

/// The digest of MPFR's answers over the probe set.
Certificate certify_exactly(CastOperation operation);

/// The digest of the fast oracle's answers over the same set.
Certificate certify_fast(const CastOracle& oracle);

/// The shipped certificate of this cast, or nothing.
std::optional<Certificate> shipped_certificate(CastOperation operation);

/// True when an oracle's certificate is the shipped one of the same cast. `why` says what differs.
bool agrees(const Certificate& now, const std::optional<Certificate>& shipped, std::string& why);

/// True when the fast oracle's digest equals the shipped certificate. `why` says what differs.
bool verify(const CastOracle& oracle, std::string& why);

}  // namespace assay::oracle
