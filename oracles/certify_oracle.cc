// certify_oracle: compares the fast oracle with MPFR.
//
//   certify_oracle              recomputes every certificate with MPFR and compares
//   certify_oracle --write FILE writes the certificate file from MPFR's answers
//   certify_oracle --full       every input of sources of up to 32 bits, and of f64 sources every
//                               boundary, the pattern below and the one above it
//   --only TEXT                 only casts whose name contains TEXT
//   --threads N                 for --full (default: all cores)
//
// Exit status: 0 all equal, 1 a difference, 2 bad arguments, 3 the file cannot be written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "oracles/certificate.h"
#include "oracles/full_comparison.h"

namespace {

using namespace assay::oracle;

bool full(CastOperation operation, unsigned threads) {
  const CastOracle fast(operation);
  const auto start = std::chrono::steady_clock::now();
  auto last = start;
  const Comparison whole = compare_in_full(
      operation, [&](const void* in, void* out, std::size_t n) { fast.expect(in, out, n); },
      threads,
      [&](std::uint64_t done) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::seconds(30)) return;
        last = now;
        fmt::print(stderr, "{}: {} inputs so far\n", cast_name(operation), done);
      });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print("{}: {} inputs, {} of them rounded by MPFR: {} differences; {:.0f} s\n",
             cast_name(operation), whole.inputs, whole.mpfr, whole.differences, seconds.count());
  if (whole.differences > 0) fmt::print("  the first at {:#x}\n", whole.first_difference);
  std::fflush(stdout);
  return whole.differences == 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares the fast cast oracle with MPFR.", "certify_oracle");
  bool run_full = false;
  std::string write_to;
  std::string only;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  app.add_flag("--full", run_full, "over whole domains (some hours of processor time)");
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
