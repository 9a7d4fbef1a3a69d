// certify_oracle: compares the fast oracle with MPFR.
//
//   certify_oracle              recomputes every certificate with MPFR and compares
//   certify_oracle --write FILE writes the certificate file from MPFR's answers
//   certify_oracle --full       element by element: every input of 32-bit sources, and of f64
//                               sources every boundary, the pattern below and the one above it
//   --only TEXT                 only casts whose name contains TEXT
//   --threads N                 for --full (default: all cores)
//
// Exit status: 0 all equal, 1 a difference, 2 bad arguments, 3 the file cannot be written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <thread>

#include "oracles/boundaries.h"
#include "oracles/certificate.h"

namespace {

using assay::Bits;
using assay::traits;
using namespace assay::oracle;

std::mutex print_mutex;

/// Compares one stretch of inputs; prints the first difference. Returns the number of differences.
std::uint64_t compare(const CastOracle& fast, ExactCast& exact, const std::vector<Bits>& inputs) {
  std::uint64_t differences = 0;
  for (const Bits input : inputs) {
    const Bits expected = exact(input);
    const Bits got = fast.expect_one(input);
    if (got == expected) continue;
    if (differences++ == 0) {
      const std::lock_guard lock(print_mutex);
      fmt::print("{}: input {:#x}: fast {:#x}, MPFR {:#x}\n", cast_name(fast.operation()), input,
                 got, expected);
    }
  }
  return differences;
}

/// A cast's full comparison, as numbered pieces that threads take in turn.
struct Piece {
  Bits first;
  Bits step;
  std::uint64_t count;
  bool boundary;
};

std::vector<Piece> pieces(CastOperation operation) {
  constexpr std::uint64_t kPiece = 1 << 16;
  std::vector<Piece> result;
  const auto split = [&](Bits first, Bits step, std::uint64_t count, bool boundary) {
    for (std::uint64_t done = 0; done < count; done += kPiece) {
      result.push_back({first + done * step, step, std::min(kPiece, count - done), boundary});
    }
  };
  if (traits(operation.from).width <= 32) {
    split(0, 1, traits(operation.from).all_mask() + 1, false);
  } else {
    for (const BoundaryGroup& group : boundary_groups(operation)) {
      split(group.first, group.step, group.count, true);
    }
  }
  return result;
}

bool full(CastOperation operation, unsigned threads) {
  const CastOracle fast(operation);
  const std::vector<Piece> todo = pieces(operation);
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> differences{0};
  std::atomic<std::uint64_t> probes{0};
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      ExactCast exact(operation);
      std::vector<Bits> inputs;
      const Bits sign = traits(operation.from).sign_mask();
      for (std::size_t i = next++; i < todo.size(); i = next++) {
        inputs.clear();
        for (std::uint64_t k = 0; k < todo[i].count; ++k) {
          const Bits bits = todo[i].first + k * todo[i].step;
          inputs.push_back(bits);
          if (!todo[i].boundary) continue;
          for (const Bits near : {bits - 1, bits + 1}) inputs.push_back(near);
          for (const Bits near : {bits - 1, bits, bits + 1}) inputs.push_back(near | sign);
        }
        differences += compare(fast, exact, inputs);
        probes += inputs.size();
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  fmt::print("{}: {} probes, {} differences\n", cast_name(operation), probes.load(),
             differences.load());
  std::fflush(stdout);
  return differences == 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares the fast cast oracle with MPFR.", "certify_oracle");
  bool run_full = false;
  std::string write_to;
  std::string only;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  app.add_flag("--full", run_full, "element by element over whole domains (hours)");
  app.add_option("--write", write_to, "write the certificates to this file");
  app.add_option("--only", only, "only casts whose name contains this");
  app.add_option("--threads", threads, "threads for --full")->check(CLI::Range(1u, 1024u));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : 2;
  }

  std::string text =
      "# cast  probes  digest (XXH3-64 of MPFR's results); written by certify_oracle --write\n";
  bool equal = true;
  std::size_t compared = 0;
  for (const CastOperation operation : certified_casts()) {
    if (cast_name(operation).find(only) == std::string::npos) continue;
    ++compared;
    if (run_full) {
      equal = full(operation, threads) && equal;
      continue;
    }
    const Certificate exact = certify_exactly(operation);
    text += fmt::format("{} {} {:016x}\n", exact.cast, exact.probes, exact.digest);
    if (!write_to.empty()) continue;
    std::string why;
    const std::optional<Certificate> shipped = shipped_certificate(operation);
    const bool same =
        shipped && shipped->digest == exact.digest && verify(CastOracle(operation), why);
    fmt::print("{}: {} probes: {}\n", exact.cast, exact.probes,
               same ? "equal" : "DIFFERENT " + why);
    equal = equal && same;
  }
  if (compared == 0) {
    fmt::print(stderr, "certify_oracle: no cast's name contains '{}'\n", only);
    return 2;
  }
  if (!write_to.empty()) {
    std::ofstream file(write_to);
    file << text;
    if (!file.flush()) {
      fmt::print(stderr, "certify_oracle: cannot write {}\n", write_to);
      return 3;
    }
  }
  return equal ? 0 : 1;
}
