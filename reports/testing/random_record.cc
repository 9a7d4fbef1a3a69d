#include "reports/testing/random_record.h"

#include <fmt/format.h>

#include <limits>
#include <random>

namespace assay::testing {

namespace {

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  RunRecord record() {
    RunRecord record;
    record.tool = {text(), text(), text(), text()};
    record.machine = {text(), {}, static_cast<int>(below(64)) + 1};
    for (std::uint64_t n = below(4); n > 0; --n) record.machine.targets.push_back(text());
    record.run.command = text();
    record.run.seed = count();
    record.run.effort = below(2) == 0 ? "quick" : "exhaustive";
    if (below(2) == 0) record.run.only = {filled(), text()};
    if (below(2) == 0) record.run.variants = {filled()};
    record.run.started = below(2) == 0 ? "2024-02-29T12:34:56Z" : "2024-02-29T12:34:56.789Z";
    record.run.seconds = magnitude();
    record.run.complete = below(3) > 0;
    record.run.incomplete = text();
    for (std::uint64_t n = below(4); n > 0; --n) record.kernels.push_back(kernel());
    return record;
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  std::uint64_t count() {
    switch (below(4)) {
      case 0:
        return 0;
      case 1:
        return below(1000);
      case 2:
        return random_() >> below(64);
      default:
        return std::numeric_limits<std::uint64_t>::max();
    }
  }

  double magnitude() {
    switch (below(5)) {
      case 0:
        return 0;
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return std::numeric_limits<double>::denorm_min() * static_cast<double>(below(9));
      case 3:
        return static_cast<double>(below(1000));
      default:
        return static_cast<double>(random_()) * 0x1p-70;
    }
  }

  std::string text() {
    constexpr const char* kTexts[] = {
        "",   "a",       "two words", "<b>&amp;|`", "line\nbreak\r\t",
        "\"", "\\u0041", "\x1b[31m",  "\xff\xfe",   "\xc3\xa9\xf0\x9f\x98\x80"};
    std::string result;
    for (std::uint64_t n = below(3); n > 0; --n) result += kTexts[below(std::size(kTexts))];
    return result;
  }
  std::string filled() { return "x" + text(); }

  std::string bits() {
    switch (below(4)) {
      case 0:
        return fmt::format("0x{:02x}", below(256));
      case 1:
        return fmt::format("0x{:04x}", below(65536));
      case 2:
        return fmt::format("0x{:08x}", below(std::uint64_t{1} << 32));
      default:
        return fmt::format("0x{:016x}", random_());
    }
  }

  TensorRecord tensor() {
    TensorRecord record{text(), text(), {}, {}, {}};
    for (std::uint64_t n = below(4); n > 0; --n) {
      record.shape.push_back(static_cast<std::int64_t>(count() >> 1));
    }
    for (std::uint64_t n = below(4); n > 0; --n) record.bits.push_back(bits());
    for (std::uint64_t n = below(4); n > 0; --n) record.values.push_back(text());
    return record;
  }

  Counterexample counterexample() {
    Counterexample record;
    for (std::uint64_t n = below(3); n > 0; --n) record.inputs.push_back(tensor());
    for (std::uint64_t n = below(3); n > 0; --n) {
      record.params.push_back({fmt::format("{}{}", text(), n), text()});
    }
    record.got = tensor();
    record.expected = tensor();
    if (below(2) == 0) {
      record.exact = ExactRecord{filled(), {}, {}, text()};
      if (below(2) == 0) record.exact->below = ValueRecord{bits(), text()};
      if (below(2) == 0) record.exact->above = ValueRecord{bits(), text()};
    }
    if (below(2) == 0) record.ulp_distance = count();
    record.why = filled();
    record.token = filled();
    return record;
  }

  std::optional<double> number() {
    if (below(3) == 0) return std::nullopt;
    return (below(2) == 0 ? -1 : 1) * magnitude();
  }

  Profile profile(std::uint64_t n) {
    Profile record{fmt::format("p{}", n), filled(), filled(), filled(), below(2) == 0, {}, {}};
    for (std::uint64_t s = 1 + below(3); s > 0; --s) record.series.push_back(filled());
    for (std::uint64_t r = 1 + below(4); r > 0; --r) {
      record.rows.push_back({filled(), number(), number(), {}});
      for (std::size_t s = 0; s < record.series.size(); ++s) {
        record.rows.back().values.push_back(number());
      }
    }
    return record;
  }

  Measured measured() {
    Measured record;
    if (below(2) == 0) record.max_ulp_distance = count();
    if (below(2) == 0) record.max_ulp_error = magnitude();
    if (below(2) == 0) {
      record.argmax = ArgMax{below(2) == 0 ? bits() : "", text(), bits(), text(), text()};
    }
    if (below(2) == 0) record.condition = magnitude();
    if (below(2) == 0) record.max_relative = magnitude();
    if (below(2) == 0) record.max_absolute = magnitude();
    for (std::uint64_t n = below(4); n > 0; --n) {
      record.histogram.push_back({static_cast<double>(n), magnitude(), count()});
    }
    for (std::uint64_t n = below(3); n > 0; --n) record.profiles.push_back(profile(n));
    for (std::uint64_t n = below(3); n > 0; --n) record.observations.push_back({filled(), text()});
    return record;
  }

  ClaimRecord claim(const std::string& id) {
    ClaimRecord record;
    record.id = id;
    record.statement = text();
    record.declared = text();
    record.source = {text(), static_cast<int>(below(1000)), static_cast<int>(below(1000)),
                     static_cast<SourceKind>(below(4)), text()};
    record.verdict = static_cast<Verdict>(below(5));
    record.strength = static_cast<Strength>(below(4));
    record.probes = below(std::uint64_t{1} << 40);
    record.violations = count();
    record.why = text();
    if (record.verdict == Verdict::kUpheld) {
      record.strength = static_cast<Strength>(1 + below(3));
      record.probes += 1;
      record.violations = 0;
    } else if (record.verdict == Verdict::kRefuted) {
      record.violations += record.violations == 0 ? 1 : 0;
      if (below(2) == 0) record.counterexample = counterexample();
      if (below(4) == 0) record.token = filled();
    } else {
      record.why = filled();
    }
    if (record.violations > 0 && below(2) == 0)
      record.first_violation = 1 + below(std::uint64_t{1} << 40);
    record.planned = record.probes;
    for (std::uint64_t n = below(3); n > 0; --n) {
      record.excluded.push_back({filled(), below(std::uint64_t{1} << 40)});
      record.planned += record.excluded.back().probes;
    }
    record.space = text();
    record.measured = measured();
    return record;
  }

  VariantRecord variant(const std::string& name) {
    VariantRecord record;
    record.name = name;
    if (below(2) == 0) record.digest = fmt::format("{:016x}", random_());
    record.digest_space = text();
    record.probes = count();
    record.seconds = magnitude();
    record.probes_per_second = magnitude();
    for (const ClaimRow& row : kClaims) {
      if (below(4) == 0) record.claims.push_back(claim(std::string(row.id)));
    }
    for (std::uint64_t n = below(3); n > 0; --n) {
      record.rates.push_back({filled(), magnitude(), magnitude(), magnitude(), magnitude()});
    }
    return record;
  }

  KernelRecord kernel() {
    KernelRecord record;
    record.kernel = filled();
    record.entry_point = text();
    record.op_kind = text();
    record.file = filled();
    record.line = static_cast<int>(below(1000)) + 1;
    record.revision_hash = fmt::format("{:x}", random_());
    record.registrable = below(2) == 0;
    record.library = text();
    if (below(4) == 0) record.not_run = filled();
    for (const char* name : {"scalar", "SSE4", "AVX2", "<AVX3>"}) {
      if (record.not_run.empty() && below(2) == 0) record.variants.push_back(variant(name));
    }
    return record;
  }

  std::mt19937_64 random_;
};

}  // namespace

RunRecord random_record(std::uint64_t seed) {
  return Maker(seed).record();
}

}  // namespace assay::testing
