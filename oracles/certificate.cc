#include "oracles/certificate.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <sstream>

#include "oracles/boundaries.h"
#include "oracles/shipped_certificates.h"
#include "oracles/special_values.h"

namespace assay::oracle {

namespace {

constexpr std::size_t kBlock = 4096;
constexpr std::uint64_t kBoundariesPerGroup = 512;  // of destinations wider than 16 bits

/// Collects source elements and hands them on block by block.
class Blocks {
 public:
  Blocks(Dtype dtype, const std::function<void(const void*, std::size_t)>& use)
      : dtype_(dtype),
        use_(use),
        buffer_(kBlock * static_cast<std::size_t>(traits(dtype).bytes())) {}
  void add(Bits bits) {
    store(buffer_.data(), n_++, dtype_, bits);
    if (n_ == kBlock) flush();
  }
  void flush() {
    if (n_ > 0) use_(buffer_.data(), n_);
    n_ = 0;
  }

 private:
  Dtype dtype_;
  const std::function<void(const void*, std::size_t)>& use_;
  std::vector<unsigned char> buffer_;
  std::size_t n_ = 0;
};

template <typename Answer>
Certificate digest_answers(CastOperation operation, Answer answer) {
  Certificate certificate{cast_name(operation), 0, 0};
  std::vector<unsigned char> out(kBlock * static_cast<std::size_t>(traits(operation.to).bytes()));
  XXH3_state_t* state = XXH3_createState();
  XXH3_64bits_reset(state);
  for_each_certificate_block(operation, [&](const void* in, std::size_t n) {
    answer(in, out.data(), n);
    XXH3_64bits_update(state, out.data(),
                       n * static_cast<std::size_t>(traits(operation.to).bytes()));
    certificate.probes += n;
  });
  certificate.digest = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return certificate;
}

}  // namespace

std::string cast_name(CastOperation operation) {
  return fmt::format("{}_to_{}/{}", traits(operation.from).name, traits(operation.to).name,
                     to_string(operation.rounding));
}

std::vector<CastOperation> certified_casts() {
  std::vector<CastOperation> casts;
  constexpr std::array sources = {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16, Dtype::kU32};
  for (const Dtype from : sources) {
    for (const Dtype to : sources) {
      const CastOperation operation{from, to, natural_rounding(from, to)};
      if (from != to && has_cast_oracle(operation)) casts.push_back(operation);
    }
  }
  return casts;
}

void for_each_certificate_block(CastOperation operation,
                                const std::function<void(const void* in, std::size_t n)>& use) {
  const DtypeTraits& from = traits(operation.from);
  Blocks blocks(operation.from, use);
  if (from.width == 16) {
    for (Bits bits = 0; bits <= from.all_mask(); ++bits) blocks.add(bits);
    blocks.flush();
    return;
  }
  for (const Bits bits : special_values(operation.from)) blocks.add(bits);
  for (const BoundaryGroup& group : boundary_groups(operation)) {
    const bool complete = traits(operation.to).width == 16;
    const std::uint64_t chosen =
        complete ? group.count : std::min(group.count, kBoundariesPerGroup);
    for (std::uint64_t k = 0; k < chosen; ++k) {
      // Evenly spread, the first and the last included.
      const std::uint64_t index = chosen < 2
                                      ? 0
                                      : k * ((group.count - 1) / (chosen - 1)) +
                                            k * ((group.count - 1) % (chosen - 1)) / (chosen - 1);
      const Bits boundary = group.first + index * group.step;
      const bool mirrored = from.is_floating();
      for (const Bits sign : {Bits{0}, from.sign_mask()}) {
        if (sign != 0 && !mirrored) continue;
        blocks.add((boundary - 1) | sign);
        blocks.add(boundary | sign);
        for (int bit = 0; bit < group.rounding_bit; ++bit) {
          blocks.add((boundary + (Bits{1} << bit)) | sign);
        }
      }
    }
  }
  // Every exponent with a spread of significands, for the casts that have no boundaries too.
  if (from.is_floating()) {
    for (Bits field = 0; field <= from.infinity() >> from.fraction_bits(); ++field) {
      Bits mixed = 0x9e3779b97f4a7c15u * (field + 1);
      for (int k = 0; k < 64; ++k) {
        mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9u;
        const Bits sign = k % 2 == 0 ? 0 : from.sign_mask();
        blocks.add(sign | (field << from.fraction_bits()) | ((mixed >> 8) & from.fraction_mask()));
      }
    }
  } else {
    Bits mixed = 0x9e3779b97f4a7c15u;
    for (int k = 0; k < 65536; ++k) {
      mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9u + 1;
      blocks.add((mixed >> 32) >> (k % from.width));
    }
  }
  blocks.flush();
}

Certificate certify_exactly(CastOperation operation) {
  ExactCast exact(operation);
  return digest_answers(operation, [&](const void* in, void* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      store(out, i, operation.to, exact(load(in, i, operation.from)));
    }
  });
}

Certificate certify_fast(const CastOracle& oracle) {
  return digest_answers(oracle.operation(), [&](const void* in, void* out, std::size_t n) {
    oracle.expect(in, out, n);
  });
}

std::optional<Certificate> shipped_certificate(CastOperation operation) {
  std::istringstream lines{std::string(kShippedCertificates)};
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    Certificate row;
    if (words >> row.cast && row.cast == cast_name(operation) && words >> row.probes >> std::hex &&
        words >> row.digest) {
      return row;
    }
  }
  return std::nullopt;
}

bool agrees(const Certificate& now, const std::optional<Certificate>& shipped, std::string& why) {
  if (!shipped) {
    why = fmt::format("no certificate for the oracle of {}", now.cast);
    return false;
  }
  if (now.cast == shipped->cast && now.probes == shipped->probes && now.digest == shipped->digest) {
    return true;
  }
  why = fmt::format(
      "the fast oracle of {} does not match its certificate: digest {:016x} over {} probes, "
      "certified {:016x} over {}",
      now.cast, now.digest, now.probes, shipped->digest, shipped->probes);
  return false;
}

bool verify(const CastOracle& oracle, std::string& why) {
  return agrees(certify_fast(oracle), shipped_certificate(oracle.operation()), why);
}

}  // namespace assay::oracle
