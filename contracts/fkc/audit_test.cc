// The audit mapping: what is refused, and what it fills in.
#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::errors_of;
using testing::kSample;
using testing::listing;
using testing::replaced;
using testing::sample_with;

constexpr std::string_view kEntry = "  rounding: nearest_even\n";

struct Row {
  std::string_view input;   ///< dtype
  std::string_view output;  ///< dtype
  std::string_view audit;   ///< entries, each indented, from line 45 on
  std::string_view kind;    ///< of the one error, empty if there is none
  int line = 0;
  int column = 0;
};

constexpr Row kRows[] = {
    {"F32", "F16", "  roundin: exact\n", "UnknownAuditKey", 45, 3},
    {"F32", "F16", "  rounding: nearest\n", "UnknownAuditValue", 45, 13},
    {"F32", "F16", "  rounding: [exact]\n", "UnknownAuditValue", 45, 13},
    {"F32", "F16", "  overflow: clamp\n", "UnknownAuditValue", 45, 13},
    {"F32", "F16", "  nan: dropped\n", "UnknownAuditValue", 45, 8},
    {"F32", "F16", "  infinity: flushed\n", "UnknownAuditValue", 45, 13},
    {"F32", "F16", "  signed_zero: lost\n", "UnknownAuditValue", 45, 16},
    {"F32", "F16", "  subnormals: flushed\n", "UnknownAuditValue", 45, 15},
    {"F32", "F16", "  rounding: exact\n  overflow: infinity\n", "AuditContradiction", 46, 13},
    {"F32", "F16", "  rounding: exact\n  overflow: saturate\n", "AuditContradiction", 46, 13},
    {"F32", "F16", "  rounding: toward_zero\n  overflow: infinity\n", "AuditContradiction", 46, 13},
    {"F32", "F16", "  overflow: caller_error\n", "AuditContradiction", 45, 13},
    {"F32", "F16", "  overflow: caller_error\n  caller_error: \"src is nan\"\n",
     "AuditContradiction", 45, 13},
    {"F32", "F16", "  nan: preserved\n  caller_error: \"src is nan\"\n", "AuditContradiction", 45,
     8},
    {"F32", "F16", "  nan: zero\n", "AuditContradiction", 45, 8},
    {"F32", "U32", "  overflow: infinity\n", "AuditContradiction", 45, 13},
    {"F32", "U32", "  nan: preserved\n", "AuditContradiction", 45, 8},
    {"F32", "U32", "  infinity: preserved\n", "AuditContradiction", 45, 13},
    {"F32", "U32", "  signed_zero: preserved\n", "AuditContradiction", 45, 16},
    {"F32", "U32", "  subnormals: preserved\n", "AuditContradiction", 45, 15},
    {"U32", "F32", "  nan: preserved\n", "AuditContradiction", 45, 8},
    {"U32", "F32", "  subnormals: preserved\n", "AuditContradiction", 45, 15},
    {"U32", "F32", "  caller_error: \"src is nan\"\n", "AuditContradiction", 45, 17},
    {"F32", "F16", "  domain_exact: \"src < 2^\"\n", "AuditDomain", 45, 24},
    {"F32", "F16", "  domain_exact: src < 1.5\n", "AuditDomain", 45, 23},
    {"F32", "F16", "  domain_exact: \"5 < src < 3\"\n", "AuditDomain", 45, 18},
    {"F32", "F16", "  domain_exact: \"src < 1 or src > 2\"\n", "AuditDomain", 45, 17},
    {"F32", "F16", "  domain_exact: \"src is nan\"\n", "AuditDomain", 45, 17},
    {"F32", "F16", "  domain_exact: [1]\n", "BadScalarType", 45, 17},
    {"F32", "F16", "  caller_error: \"dst < 0\"\n", "UnknownRole", 45, 17},
    // What is allowed.
    {"F32", "F16", "  rounding: exact\n  overflow: caller_error\n  caller_error: \"src > 9\"\n",
     ""},
    {"F32", "F16", "  rounding: toward_zero\n  overflow: saturate\n", ""},
    {"F32", "U32", "  rounding: toward_zero\n  overflow: saturate\n  nan: zero\n", ""},
    {"F32", "F16", "  nan: ~\n", ""},
    {"F32", "F16", "  domain_exact: \"-2^11 <= src <= 2048\"\n", ""},
};

TEST_CASE("audit entries are checked against their tables, each other and the dtypes") {
  for (const Row& row : kRows) {
    std::string text = sample_with("dtypes: [F32]", "dtypes: [" + std::string(row.input) + "]");
    text = replaced(text, "fixed(F16)", "fixed(" + std::string(row.output) + ")");
    text = replaced(text, kEntry, row.audit);
    const Document document = parse_document(text, "a.fkc.md");
    INFO(row.audit);
    INFO(listing(document));
    const auto errors = errors_of(document);
    if (row.kind.empty()) {
      CHECK(errors.empty());
      CHECK(document.kernels.size() == 1);
      continue;
    }
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == row.kind);
    CHECK(errors[0].line == row.line);
    CHECK(errors[0].column == row.column);
    CHECK_FALSE(errors[0].hint.empty());
    CHECK(document.kernels.empty());
  }
}

TEST_CASE("hints name the allowed values") {
  const auto document = parse_document(sample_with("nearest_even", "up"), "a.fkc.md");
  REQUIRE(document.diagnostics.size() == 1);
  CHECK(document.diagnostics[0].hint == "write `exact`, `nearest_even` or `toward_zero`");
}

TEST_CASE("a NaN that is the caller's error fills the domain, also without words for it") {
  const auto document = parse_document(sample_with(kEntry, "  nan: caller_error\n"), "a.fkc.md");
  INFO(listing(document));
  REQUIRE(document.kernels.size() == 1);
  CHECK(document.kernels[0].caller_error_nan);
  CHECK(document.kernels[0].caller_error.empty());
}

TEST_CASE("a domain needs a kernel with one input") {
  std::string text =
      sample_with("      rank: any\n", "      rank: any\n    - name: other\n      dtypes: [F32]\n");
  text = replaced(text, kEntry, "  caller_error: \"src < 0\"\n");
  const auto errors = errors_of(parse_document(text, "a.fkc.md"));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "AuditDomain");
}

TEST_CASE("an absent, null or misshapen audit mapping") {
  CHECK(errors_of(parse_document(sample_with("audit:\n  rounding: nearest_even\n", ""), "a"))
            .empty());
  CHECK(errors_of(
            parse_document(sample_with("audit:\n  rounding: nearest_even\n", "audit: ~\n"), "a"))
            .empty());
  const auto errors = errors_of(
      parse_document(sample_with("audit:\n  rounding: nearest_even\n", "audit: exact\n"), "a"));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "BadScalarType");
  CHECK(errors[0].line == 44);
  CHECK(errors[0].column == 8);
}

}  // namespace
}  // namespace assay::fkc
