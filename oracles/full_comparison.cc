#include "oracles/full_comparison.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "oracles/boundaries.h"
#include "oracles/cast_oracle.h"
#include "oracles/special_values.h"

namespace assay::oracle {

namespace {

void add(Comparison& to, const Comparison& more) {
  if (to.differences == 0) to.first_difference = more.first_difference;
  to.inputs += more.inputs;
  to.mpfr += more.mpfr;
  to.differences += more.differences;
}

/// MPFR's results for increasing inputs, by bisection between those that differ.
class Bisection {
 public:
  Bisection(ExactCast& exact, const std::vector<Bits>& inputs)
      : exact_(exact), inputs_(inputs), results_(inputs.size()) {
    if (inputs.empty()) return;
    ask(0);
    ask(inputs.size() - 1);
    between(0, inputs.size() - 1);
  }

  const std::vector<Bits>& results() const { return results_; }
  std::uint64_t asked() const { return asked_; }

 private:
  void ask(std::size_t i) {
    results_[i] = exact_(inputs_[i]);
    ++asked_;
  }

  /// Fills in what lies between two inputs whose results are known.
  void between(std::size_t low, std::size_t high) {
    if (high - low < 2) return;
    if (results_[low] == results_[high]) {
      for (std::size_t i = low + 1; i < high; ++i) results_[i] = results_[low];
      return;
    }
    const std::size_t middle = low + (high - low) / 2;
    ask(middle);
    between(low, middle);
    between(middle, high);
  }

  ExactCast& exact_;
  const std::vector<Bits>& inputs_;
  std::vector<Bits> results_;
  std::uint64_t asked_ = 0;
};

Comparison compare_results(CastOperation operation, const FastCast& fast,
                           const std::vector<Bits>& inputs, const std::vector<Bits>& expected) {
  const auto& [from, to, rounding] = operation;
  std::vector<std::uint64_t> in(inputs.size());
  std::vector<std::uint64_t> out(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) store(in.data(), i, from, inputs[i]);
  fast(in.data(), out.data(), inputs.size());
  Comparison result;
  result.inputs = inputs.size();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (load(out.data(), i, to) == expected[i]) continue;
    if (result.differences++ == 0) result.first_difference = inputs[i];
  }
  return result;
}

Comparison compare_each(ExactCast& exact, CastOperation operation, const FastCast& fast,
                        const std::vector<Bits>& inputs) {
  std::vector<Bits> expected;
  for (const Bits input : inputs) expected.push_back(exact(input));
  Comparison result = compare_results(operation, fast, inputs, expected);
  result.mpfr = inputs.size();
  return result;
}

/// Part of a whole comparison: consecutive patterns, or boundaries of a group.
struct Piece {
  Bits first = 0;
  Bits step = 0;
  std::uint64_t count = 0;
  bool boundaries = false;
};

constexpr std::uint64_t kPiece =
    1 << 14;  // divides every sign's patterns; a sign's NaNs are its last

std::vector<Piece> pieces(CastOperation operation) {
  std::vector<Piece> result;
  const auto split = [&](Piece whole) {
    for (std::uint64_t done = 0; done < whole.count; done += kPiece) {
      result.push_back({whole.first + done * whole.step, whole.step,
                        std::min(kPiece, whole.count - done), whole.boundaries});
    }
  };
  if (traits(operation.from).width <= 32) {
    split({0, 1, traits(operation.from).all_mask() + 1, false});
  } else {
    for (const BoundaryGroup& group : boundary_groups(operation)) {
      split({group.first, group.step, group.count, true});
    }
  }
  return result;
}

Comparison compare_piece(ExactCast& exact, CastOperation operation, const FastCast& fast,
                         const Piece& piece) {
  const DtypeTraits& from = traits(operation.from);
  std::vector<Bits> inputs;
  for (std::uint64_t k = 0; k < piece.count; ++k) {
    const Bits bits = piece.first + k * piece.step;
    if (piece.boundaries) {
      for (const Bits probe : {bits - 1, bits, bits + 1}) inputs.push_back(probe);
    } else {
      inputs.push_back(bits);
    }
  }
  if (!piece.boundaries) {
    if (from.is_nan(inputs.back())) return compare_each(exact, operation, fast, inputs);
    return compare_sorted(exact, operation, fast, inputs);
  }
  // Where boundaries are two patterns apart or fewer, their probes overlap.
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  Bisection positive(exact, inputs);
  Comparison result = compare_results(operation, fast, inputs, positive.results());
  result.mpfr = positive.asked();
  for (Bits& input : inputs) input |= from.sign_mask();
  if (traits(operation.to).is_floating()) {
    std::vector<Bits> mirrored = positive.results();
    for (Bits& bits : mirrored) bits |= traits(operation.to).sign_mask();
    add(result, compare_results(operation, fast, inputs, mirrored));
  } else {
    add(result, compare_sorted(exact, operation, fast, inputs));
  }
  return result;
}

}  // namespace

Comparison compare_sorted(ExactCast& exact, CastOperation operation, const FastCast& fast,
                          const std::vector<Bits>& inputs) {
  const Bisection bisection(exact, inputs);
  Comparison result = compare_results(operation, fast, inputs, bisection.results());
  result.mpfr = bisection.asked();
  return result;
}

Comparison compare_in_full(CastOperation operation, const FastCast& fast, unsigned threads,
                           const std::function<void(std::uint64_t)>& progress) {
  const std::vector<Piece> todo = pieces(operation);
  Comparison total;
  {
    ExactCast exact(operation);
    total = compare_each(exact, operation, fast, special_values(operation.from));
  }
  std::mutex mutex;  // guards `total` and `progress`
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      ExactCast exact(operation);
      for (std::size_t i = next++; i < todo.size(); i = next++) {
        const Comparison piece = compare_piece(exact, operation, fast, todo[i]);
        const std::lock_guard lock(mutex);
        add(total, piece);
        if (progress && i % 256 == 255) progress(total.inputs);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  return total;
}

}  // namespace assay::oracle
