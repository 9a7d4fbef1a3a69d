// The record of one audit: plain values that every report is written from (`assay-report/1`).
// The field names are those of the JSON report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contracts/claim.h"
#include "contracts/dtype.h"
#include "contracts/verdict.h"

namespace assay {

/// Elements of a tensor that are enough of it for a record; its shape tells of the others.
inline constexpr std::size_t kRecordedElements = 64;

/// A tensor as evidence: its elements' bits, and the values they stand for. Of a large tensor these
/// may be its first elements only.
struct TensorRecord {
  std::string name;
  std::string dtype;                ///< "f32"
  std::vector<std::int64_t> shape;  ///< empty for a scalar
  std::vector<std::string> bits;    ///< lower-case hex of the format's full width
  std::vector<std::string> values;  ///< shortest round-trip decimal and hex float
};

struct ParameterRecord {
  std::string name;
  std::string value;
};

/// What of a counterexample is too large for its token: a file of the report's folder kCaseFolder.
struct CaseFile {
  std::string name;
  std::string content;
};
inline constexpr const char* kCaseFolder = "counterexamples";

/// A value of a format.
struct ValueRecord {
  std::string bits;
  std::string value;
};

/// The exact result, and where it lies among the values of the output's format.
struct ExactRecord {
  std::string value;  ///< decimal and hex float
  /// The format's values next to it: both the same where it is one of them; nothing beyond the end
  /// of an integer format.
  std::optional<ValueRecord> below;
  std::optional<ValueRecord> above;
  std::string midpoint;  ///< halfway between them; empty where there is none
};

struct Counterexample {
  std::vector<TensorRecord> inputs;
  std::vector<ParameterRecord> params;  ///< length, offset, stride_h, layout …; no name twice
  TensorRecord got;
  TensorRecord expected;                  ///< no elements where no single value is expected
  std::optional<ExactRecord> exact = {};  ///< of casts, where it is a finite number
  std::optional<std::uint64_t> ulp_distance;
  std::string why;                    ///< one sentence
  std::string token;                  ///< one word that repeats the case: `assay repro TOKEN`
  std::optional<CaseFile> file = {};  ///< that the token names, if it does
};

/// One count of the ULP-error histogram: errors e with lower < e <= upper (the first row,
/// lower = upper = 0, counts the exact results).
struct HistogramRow {
  double lower = 0;
  double upper = 0;  ///< infinity in the last row
  std::uint64_t count = 0;
};

/// One stretch of a profile's axis.
struct ProfileRow {
  std::string at;  ///< in words: "2^-14 to 2^15", "NaN"
  /// What the stretch covers of a numbered axis, ends included; none for a row that stands apart
  /// (zero, NaN).
  std::optional<double> first;
  std::optional<double> last;
  std::vector<std::optional<double>> values;  ///< one per series; none where nothing was measured
};

/// How a measure runs along one axis: the data of a picture. Rows are in the axis's order, with no
/// gap and no overlap; the numbered ones stand together.
struct Profile {
  std::string id;                 ///< "worst_error"; no two of a claim have the same
  std::string title;              ///< "Worst ULP error by exponent of the input"
  std::string axis;               ///< what rows are numbered by: "exponent of the input"
  std::string measure;            ///< what values are, with their unit: "ULP error"
  bool logarithmic_axis = false;  ///< rows grow by a factor, not by a step
  std::vector<std::string> series;
  std::vector<ProfileRow> rows;
};

/// The input at which a maximum was measured.
struct ArgMax {
  std::string input;        ///< bits; empty where it is more than one element
  std::string input_value;  ///< shortest round-trip decimal, or which elements in words
  std::string got;          ///< bits
  std::string got_value;
  std::string exact_value;  ///< the exact result, as a decimal and a hex significand
};

/// A measured fact that is no number of the fixed set: NaN behaviour, out-of-domain behaviour.
struct Observation {
  std::string name;   ///< "NaN results with the quiet bit set"
  std::string value;  ///< "16777214 of 16777214"
};

struct Measured {
  std::optional<std::uint64_t> max_ulp_distance;
  std::optional<double> max_ulp_error;
  std::optional<ArgMax> argmax;
  /// Of the sum at `max_ulp_error`: its condition number, sum|x||w| over |sum|, of the exact
  /// values. Infinite where the exact sum is 0 and its terms are not.
  std::optional<double> condition;
  std::optional<double> max_relative;
  std::optional<double> max_absolute;
  std::vector<HistogramRow> histogram;
  std::vector<Profile> profiles = {};
  std::vector<Observation> observations;
};

/// The reason of an exclusion that leaves no evidence wanting: the contract promises nothing there.
inline constexpr const char* kOutsideDomain = "outside the contract's domain";

/// Probes that were planned and not run, with the reason.
struct Exclusion {
  std::string reason;
  std::uint64_t probes = 0;
};

struct ClaimRecord {
  std::string id;
  std::string statement;
  std::string declared;  ///< empty where nothing is declared
  Source source;
  Verdict verdict = Verdict::kUndecided;
  Strength strength = Strength::kNone;
  std::uint64_t probes = 0;   ///< run, of those that bear on this claim
  std::uint64_t planned = 0;  ///< probes + the sum of excluded
  std::vector<Exclusion> excluded;
  std::uint64_t violations = 0;  ///< probes that violated the claim
  /// Where the first of them stands among the probes that ran, in the plan's order, from 1: of a
  /// claim about single results, among all results of the sweeps; of one about calls, among its
  /// own probes. None without a violation, and where another claim's probes show it.
  std::optional<std::uint64_t> first_violation = {};
  std::string space;  ///< the probe spaces in words
  std::string why;    ///< for undecided and error: the reason
  Measured measured;
  std::optional<Counterexample> counterexample;
  /// Repeats what a verdict of `error`, or a refutation without a counterexample, is about.
  std::string token = {};
  std::optional<CaseFile> file = {};  ///< that this token names, if it does
};

/// How long one call of fixed shapes takes.
struct RateRecord {
  std::string what;    ///< the call: "3x3, 32 to 32 channels, 56x56"
  double seconds = 0;  ///< of one call, measured
  double flops = 0;    ///< of one call by the contract's `cost.flops`; 0 where not known
  double bytes = 0;    ///< of one call by the contract's `cost.bytes_moved`; 0 where not known
  double speedup = 0;  ///< over the kernel's first variant; 0 where unknown
};

struct VariantRecord {
  std::string name;  ///< "scalar", "AVX2"
  std::string
      digest;  ///< XXH3-64 over all outputs of the comparable spaces, hex; empty if none ran
  std::string digest_space;  ///< what the digest covers
  std::uint64_t probes = 0;
  double seconds = 0;  ///< CPU seconds of the workers
  double probes_per_second = 0;
  std::vector<ClaimRecord> claims;
  std::vector<RateRecord> rates = {};  ///< empty where the kernel was not timed
};

struct KernelRecord {
  std::string kernel;
  std::string entry_point;
  std::string op_kind;
  std::string file;
  int line = 0;
  std::string revision_hash;  ///< hex
  bool registrable = true;
  std::vector<VariantRecord> variants;
  std::string not_run;       ///< why the kernel has no variants here, if so
  std::string library = {};  ///< path of the shared library that it came from; empty: built in
};

struct ToolRecord {
  std::string version;
  std::string revision;
  std::string compiler;
  std::string flags;
};

struct MachineRecord {
  std::string cpu;
  std::vector<std::string> targets;
  int threads = 1;
};

struct RunInfo {
  std::string command;
  std::uint64_t seed = 0;
  std::string effort;
  std::vector<std::string> only = {};      ///< globs of the kernels that were asked for; none: all
  std::vector<std::string> variants = {};  ///< globs of the variants; none: all that there are
  std::string started;                     ///< UTC, ISO 8601
  double seconds = 0;
  bool complete = true;    ///< false when interrupted or out of time
  std::string incomplete;  ///< why not complete
  /// Where the reports go, as the caller named it, for the commands that they show; no part of
  /// them, since a report may be moved.
  std::string report_folder = {};
};

struct Summary {
  std::uint64_t upheld = 0;
  std::uint64_t refuted = 0;
  std::uint64_t unclaimed = 0;
  std::uint64_t undecided = 0;
  std::uint64_t error = 0;
  std::uint64_t probes = 0;
};

struct RunRecord {
  ToolRecord tool;
  MachineRecord machine;
  RunInfo run;
  std::vector<KernelRecord> kernels;

  /// Counts over all claims of all variants.
  Summary summary() const;
};

}  // namespace assay
