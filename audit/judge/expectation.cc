#include "audit/judge/expectation.h"

#include <cstring>

namespace assay {

Expectation::Expectation(const oracle::CastOracle& oracle, bool saturates)
    : oracle_(oracle),
      saturates_(saturates),
      from_(oracle.operation().from),
      to_bytes_(static_cast<std::size_t>(traits(oracle.operation().to).bytes())),
      results_(kBlockProbes) {}

bool Expectation::met_by(const void* out, const Block& block, const void* in) {
  const std::size_t bytes = block.probes * to_bytes_;
  if (block.stretched && constant(block)) {
    // The first row, and each as the one before it.
    const std::size_t row_bytes = kStretches * to_bytes_;
    const char* const results = static_cast<const char*>(out);
    return std::memcmp(results, row_, row_bytes) == 0 &&
           std::memcmp(results, results + row_bytes, bytes - row_bytes) == 0;
  }
  fill_each(block, in);
  return std::memcmp(out, results_.data(), bytes) == 0;
}

const void* Expectation::of(const Block& block, const void* in) {
  if (block.stretched && constant(block)) {
    if (std::memcmp(row_, row_in_results_, kStretches * to_bytes_) != 0 || !results_are_rows_) {
      fill_rows(block.probes);
    }
    return results_.data();
  }
  fill_each(block, in);
  return results_.data();
}

/// Fills `results_` by asking the oracle, of a block that is not one row again and again.
void Expectation::fill_each(const Block& block, const void* in) {
  results_are_rows_ = false;
  if (block.row > 0) {
    expect_rows(block, static_cast<const char*>(in));
  } else {
    expect(in, results_.data(), block.probes);
  }
}

/// What is due: the oracle's results, with the contract's rule for overflow.
void Expectation::expect(const void* in, void* out, std::size_t n) const {
  oracle_.expect(in, out, n);
  const auto& [from, to, rounding] = oracle_.operation();
  if (!saturates_ || !traits(to).is_floating()) return;
  for (std::size_t i = 0; i < n; ++i) {
    const Bits due = oracle::load(out, i, to);
    if (!traits(to).is_infinite(due) || !traits(from).is_finite(oracle::load(in, i, from))) {
      continue;
    }
    oracle::store(out, i, to, (due & traits(to).sign_mask()) | traits(to).max_finite());
  }
}

/// Fills `results_` for a block made of rows.
void Expectation::expect_rows(const Block& block, const char* in) {
  const auto from_bytes = static_cast<std::size_t>(traits(from_).bytes());
  char* const out = reinterpret_cast<char*>(results_.data());
  const std::size_t row_bytes = block.row * to_bytes_;
  std::size_t places[kBlockProbes];  // of each slot's row
  std::size_t position = 0;
  std::size_t slot_of_row = block.first_slot;
  std::size_t next = 0;  // of the inserted
  for (std::size_t r = 0; r < block.rows; ++r) {
    for (; next < kInserted && block.inserted[next] == r; ++next) ++position;
    places[slot_of_row] = position;
    position += block.row;
    if (++slot_of_row == block.rows) slot_of_row = 0;
  }
  const auto expect_row = [&](std::size_t slot) {
    char* const to = out + places[slot] * to_bytes_;
    expect(in + places[slot] * from_bytes, to, block.row);
    return to;
  };
  for (std::size_t slot = 0; slot < block.rising_from; ++slot) expect_row(slot);
  if (block.rising_from < block.rows) {
    const char* const least = expect_row(block.rising_from);
    const bool one_result = std::memcmp(least, expect_row(block.rows - 1), row_bytes) == 0;
    for (std::size_t slot = block.rising_from + 1; slot + 1 < block.rows; ++slot) {
      if (one_result) {
        std::memcpy(out + places[slot] * to_bytes_, least, row_bytes);
      } else {
        expect_row(slot);
      }
    }
  }
  // The inserted probes, in one call.
  std::uint64_t inputs[kInserted];
  std::uint64_t results[kInserted];
  for (std::size_t k = 0; k < kInserted; ++k) {
    const std::size_t place = block.inserted[k] * block.row + k;
    oracle::store(inputs, k, from_, oracle::load(in, place, from_));
  }
  expect(inputs, results, kInserted);
  const Dtype to = oracle_.operation().to;
  for (std::size_t k = 0; k < kInserted; ++k) {
    const std::size_t place = block.inserted[k] * block.row + k;
    oracle::store(out, place, to, oracle::load(results, k, to));
  }
}

/// True when every stretch has one result; `row_` then holds them.
bool Expectation::constant(const Block& block) {
  std::uint64_t ends[2 * kStretches];
  std::uint64_t end_results[2 * kStretches];
  if (traits(from_).bytes() == 4) {  // that of all sources with many such blocks
    std::uint32_t words[2 * kStretches];
    for (std::size_t i = 0; i < kStretches; ++i) {
      words[i] = static_cast<std::uint32_t>(block.first[i]);
      words[kStretches + i] = static_cast<std::uint32_t>(block.last[i]);
    }
    std::memcpy(ends, words, sizeof(words));
  } else {
    for (std::size_t i = 0; i < kStretches; ++i) {
      oracle::store(ends, i, from_, block.first[i]);
      oracle::store(ends, kStretches + i, from_, block.last[i]);
    }
  }
  expect(ends, end_results, 2 * kStretches);
  std::memcpy(row_, end_results, kStretches * to_bytes_);
  const char* second = reinterpret_cast<const char*>(end_results) + kStretches * to_bytes_;
  return std::memcmp(row_, second, kStretches * to_bytes_) == 0;
}

void Expectation::fill_rows(std::size_t probes) {
  const std::size_t row_bytes = kStretches * to_bytes_;
  char* to = reinterpret_cast<char*>(results_.data());
  std::memcpy(to, row_, row_bytes);
  // Doubling copies: the buffer is a power of two of rows.
  for (std::size_t done = row_bytes; done < probes * to_bytes_; done *= 2) {
    std::memcpy(to + done, to, done);
  }
  std::memcpy(row_in_results_, row_, row_bytes);
  results_are_rows_ = true;
}

}  // namespace assay
