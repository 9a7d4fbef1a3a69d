// The fields of the schema: what is read, and what is refused.
#include "contracts/fkc/document.h"
#include "contracts/fkc/scalar.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::errors_of;
using testing::kSample;
using testing::listing;
using testing::replaced;
using testing::sample_with;
using testing::second_section;

struct Row {
  std::string_view from;
  std::string_view to;
  std::string_view kind;  ///< of the one error
  int line;
  int column;
};

constexpr Row kErrors[] = {
    {"kernel: cast_a\n", "", "MissingRequiredField", 14, 1},
    {"kernel: cast_a", "kernel: \"\"", "MissingRequiredField", 14, 9},
    {"\"lib::cast_a\"", "\" \"", "MissingRequiredField", 17, 14},
    {"op_kind: Cast\n", "op_kind: Cast\nfused_op: ROPE\n", "OpTargetAmbiguous", 16, 11},
    {"op_kind: Cast\n", "", "OpTargetAmbiguous", 14, 1},
    {"op_kind: Cast", "op_kind: AddElementWise", "UnknownOpKind", 15, 10},
    {"op_kind: Cast", "op_kind: Cast\nbackend: CPU", "UnknownBackend", 16, 10},
    {"\"A cast.\"", "\"\"", "MissingBlurb", 16, 8},
    {"blurb: \"A cast.\"\n", "", "MissingBlurb", 14, 1},
    {"entry_point: \"lib::cast_a\"\n", "", "MissingRequiredField", 14, 1},
    {"determinism: same_hardware_bitwise\n", "", "MissingRequiredField", 14, 1},
    {"determinism: same_hardware_bitwise", "determinism: mostly", "UnknownDeterminism", 43, 14},
    {"determinism: same_hardware_bitwise", "determinism: nondeterministic", "DeterminismIncoherent",
     43, 14},
    {"hardware: true", "hardware: True", "BadScalarType", 40, 32},
    {"[F32]", "[FP32]", "FdxTokenNotInTable", 21, 16},
    {"[F32]", "[]", "BadScalarType", 20, 7},
    {"fixed(F16)", "fixed(FP16)", "FdxTokenNotInTable", 28, 19},
    {"contiguous: required", "contiguous: maybe", "BadLayoutFlag", 22, 29},
    {"{ contiguous: required, strided: rejected }", "{ contiguous: accepted }",
     "AwkwardStrategyIncoherent", 22, 15},
    {"strided: rejected }", "strided: rejected, reverse_strides: accepted }", "LayoutIncoherent",
     22, 15},
    {"rank: any", "rank: banana", "BadScalarType", 23, 13},
    {"rank: any", "rank: 4..=2", "BadScalarType", 23, 13},
    {"variant: Cast", "variant: FusedLinear", "BadOpParamsVariant", 24, 25},
    {"aliasing: none", "aliasing: shared", "UnknownRule", 31, 17},
    {"aliasing: none", "aliasing: in_place(src)", "AliasingIncoherent", 31, 17},
    {"in_place: false", "in_place: true", "AliasingIncoherent", 31, 17},
    {"in_place: false", "in_place: yes_please", "BadScalarType", 33, 13},
    {"in_place: false", "in_place: \"false\"", "BadScalarType", 33, 13},
    {"alignment_bytes: 64", "alignment_bytes: sixteen", "BadScalarType", 34, 20},
    {"alignment_bytes: 64", "alignment_bytes: 0x40", "BadScalarType", 34, 20},
    {"alignment_bytes: 64", "alignment_bytes: 064", "BadScalarType", 34, 20},
    {"alignment_bytes: 64", "alignment_bytes: -64", "BadScalarType", 34, 20},
    {"alignment_bytes: 64", "alignment_bytes: 48", "BadScalarType", 34, 20},
    {"alignment_bytes: 64", "alignment_bytes: 18446744073709551616", "BadScalarType", 34, 20},
    {"  provenance: judge_measured\n", "", "CostProvenanceMissing", 36, 3},
    {"  class: cheap_elementwise\n", "  class: cheap_elementwise\n  overhead_ns: 40\n",
     "CostProvenanceMismatch", 38, 16},
    {"n * (4 + 2)", "2 * * n", "CostExprParse", 38, 16},
    {"max_ulp: 0", "max_ulp: -1", "BadBound", 41, 12},
    {"max_ulp: 0", "max_ulp: 0.5", "BadBound", 41, 12},
    {"max_ulp: 0", "max_ulp: 1e0", "BadBound", 41, 12},
    {"max_ulp: 0", "max_ulp: \"0\"", "BadBound", 41, 12},
    {"max_ulp: 0", "max_ulp: 4294967296", "BadBound", 41, 12},
    {"max_ulp: 0", "max_relative: .nan", "BadBound", 41, 17},
    {"max_ulp: 0", "max_relative: .inf", "BadBound", 41, 17},
    {"max_ulp: 0", "max_absolute: -0.5", "BadBound", 41, 17},
    {"max_ulp: 0", "max_absolute: 1e999", "BadBound", 41, 17},
    {"op_kind: Cast\n", "op_kind: Cast\nkernel_revision_hash: 0xnope\n", "BadScalarType", 16, 23},
    {"fkc_version: 1", "fkc_version: 2", "UnsupportedVersion", 2, 14},
    {"fkc_version: 1", "fkc_version: one", "BadScalarType", 2, 14},
    {"  backend: Cpu", "  backend: cpu", "UnknownBackend", 5, 12},
    {"  name: p\n", "", "MalformedFrontMatter", 4, 3},
};

TEST_CASE("each fault of a field has its kind and its place") {
  for (const Row& row : kErrors) {
    const Document document = parse_document(sample_with(row.from, row.to), "a.fkc.md");
    INFO(row.to << "\n" << listing(document));
    const auto errors = errors_of(document);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == row.kind);
    CHECK(errors[0].line == row.line);
    CHECK(errors[0].column == row.column);
    CHECK(errors[0].file == "a.fkc.md");
    CHECK(document.kernels.empty());
  }
}

TEST_CASE("a fused operation has names and parameter records of its own") {
  const auto errors =
      errors_of(parse_document(sample_with("op_kind: Cast", "fused_op: FlashAttn"), "a.fkc.md"));
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].kind == "UnknownFusedOp");
  CHECK(errors[0].column == 11);
  CHECK(errors[1].kind == "BadOpParamsVariant");
  const std::string text = replaced(sample_with("op_kind: Cast", "fused_op: FLASH_ATTN"),
                                    "variant: Cast", "variant: FlashAttn");
  const Document document = parse_document(text, "a.fkc.md");
  REQUIRE(document.kernels.size() == 1);
  CHECK(document.kernels[0].fused_op == "FLASH_ATTN");
  CHECK(document.kernels[0].op_kind.empty());
}

TEST_CASE("the sample itself is faultless") {
  const Document document = parse_document(std::string(kSample), "a.fkc.md");
  INFO(listing(document));
  CHECK(document.diagnostics.empty());
  REQUIRE(document.kernels.size() == 1);
  const KernelContract& kernel = document.kernels[0];
  CHECK(kernel.line == 11);
  CHECK(kernel.backend == "Cpu");  // inherited
  CHECK(kernel.kernel_source == "s");
  CHECK(kernel.entry_point.line == 17);
  CHECK(kernel.entry_point.column == 14);
  CHECK(kernel.inputs[0].name.line == 20);
  CHECK(kernel.inputs[0].name.column == 13);
  CHECK(kernel.outputs[0].dtype_rule.line == 28);
  CHECK(kernel.outputs[0].dtype_rule.column == 19);
}

TEST_CASE("a misspelled key is a warning, and the kernel stays") {
  const Document document = parse_document(sample_with("  max_ulp: 0\n", "  max_ulps: 0\n"), "a");
  INFO(listing(document));
  REQUIRE(document.diagnostics.size() == 1);
  CHECK(document.diagnostics[0].severity == Severity::kWarning);
  CHECK(document.diagnostics[0].kind == "UnknownKey");
  CHECK(document.diagnostics[0].line == 41);
  CHECK(document.diagnostics[0].column == 3);
  CHECK(document.diagnostics[0].section == "cast_a (first)");
  REQUIRE(document.kernels.size() == 1);
  CHECK(document.kernels[0].claim(ClaimKind::kMaxUlp) == nullptr);
}

TEST_CASE("several faults of one section are all reported") {
  std::string text = sample_with("[F32]", "[FP32]");
  text = replaced(text, "max_ulp: 0", "max_ulp: -1");
  text = replaced(text, "rounding: nearest_even", "rounding: up");
  const auto errors = errors_of(parse_document(text, "a"));
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].kind == "FdxTokenNotInTable");
  CHECK(errors[1].kind == "BadBound");
  CHECK(errors[2].kind == "UnknownAuditValue");
}

TEST_CASE("bounds become claims with their values; a missing bound is none") {
  const Document document = parse_document(
      sample_with("max_ulp: 0", "max_ulp: 2\n  max_relative: 1e-3\n  max_absolute: 0.5"), "a");
  REQUIRE(document.kernels.size() == 1);
  const KernelContract& kernel = document.kernels[0];
  CHECK(std::get<std::uint64_t>(kernel.claim(ClaimKind::kMaxUlp)->value) == 2);
  CHECK(std::get<double>(kernel.claim(ClaimKind::kMaxRelative)->value) == 1e-3);
  CHECK(kernel.claim(ClaimKind::kMaxRelative)->declared == "1e-3");
  CHECK(std::get<double>(kernel.claim(ClaimKind::kMaxAbsolute)->value) == 0.5);
  CHECK(kernel.claim(ClaimKind::kBitwise) == nullptr);
}

TEST_CASE("null is absence, never the text null; in quotes it is a text") {
  for (const char* null : {"", " ~", " null", " Null", " NULL"}) {
    INFO("null:" << null);
    const auto read = [&](std::string_view from, const std::string& key) {
      return parse_document(sample_with(from, key + ":" + null), "a");
    };
    const auto missing = errors_of(read("kernel: cast_a", "kernel"));
    REQUIRE(missing.size() == 1);
    CHECK(missing[0].kind == "MissingRequiredField");
    const Document absent = parse_document(
        sample_with("max_ulp: 0", std::string("max_ulp:") + null + "\n  max_relative:" + null +
                                      "\n  notes:" + null),
        "a");
    REQUIRE(absent.kernels.size() == 1);
    CHECK(absent.diagnostics.empty());
    CHECK_FALSE(absent.kernels[0].precision.max_ulp.has_value());
    CHECK_FALSE(absent.kernels[0].precision.max_relative.has_value());
    CHECK(absent.kernels[0].precision.notes.value.empty());
    const Document inherited = parse_document(
        sample_with("op_kind: Cast\n", std::string("op_kind: Cast\nfused_op:") + null +
                                           "\nvariant:" + null + "\nkernel_source:" + null + "\n"),
        "a");
    REQUIRE(inherited.kernels.size() == 1);
    CHECK(inherited.kernels[0].variant.empty());
    CHECK(inherited.kernels[0].kernel_source == "s");
  }
  const auto listed = errors_of(parse_document(sample_with("[F32]", "[F32, null]"), "a"));
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].kind == "FdxTokenNotInTable");
  const Document quoted = parse_document(sample_with("kernel: cast_a", "kernel: \"~\""), "a");
  REQUIRE(quoted.kernels.size() == 1);
  CHECK(quoted.kernels[0].kernel == "~");
}

TEST_CASE("ranks") {
  struct RankRow {
    std::string_view text;
    int lower;
    std::optional<int> upper;
  };
  const RankRow rows[] = {{"any", 0, std::nullopt},
                          {"4", 4, 4},
                          {"2..=4", 2, 4},
                          {"2..", 2, std::nullopt},
                          {"\" 0 ..= 1 \"", 0, 1}};
  for (const RankRow& row : rows) {
    INFO(row.text);
    const Document document =
        parse_document(sample_with("rank: any", "rank: " + std::string(row.text)), "a");
    REQUIRE(document.kernels.size() == 1);
    CHECK(document.kernels[0].inputs[0].rank.lower == row.lower);
    CHECK(document.kernels[0].inputs[0].rank.upper == row.upper);
  }
}

TEST_CASE("a describe-only section needs neither operation nor operands") {
  std::string text = sample_with("op_kind: Cast\n", "op_kind: Reshape\nregistrable: false\n");
  const Document document = parse_document(text, "a");
  INFO(listing(document));
  REQUIRE(document.kernels.size() == 1);
  CHECK_FALSE(document.kernels[0].registrable);
}

TEST_CASE("two kernels of one name, and of one entry point") {
  const std::string two = std::string(kSample) + second_section();
  CHECK(parse_document(two, "a").kernels.size() == 2);
  const auto same_name = parse_document(replaced(two, "kernel: cast_b", "kernel: cast_a"), "a");
  REQUIRE(errors_of(same_name).size() == 1);
  CHECK(errors_of(same_name)[0].kind == "DuplicateKernel");
  CHECK(same_name.kernels.size() == 1);
  const auto same_point = parse_document(replaced(two, "lib::cast_b", "lib::cast_a"), "a");
  REQUIRE(same_point.diagnostics.size() == 1);
  CHECK(same_point.diagnostics[0].kind == "DuplicateEntryPoint");
  CHECK(same_point.kernels.size() == 2);
}

TEST_CASE("the revision hash covers what the canonical list covers") {
  const auto hash = [](std::string_view from, std::string_view to) {
    const Document document = parse_document(sample_with(from, to), "a");
    return document.kernels.empty() ? "none" : document.kernels[0].revision_hash;
  };
  const std::string base = hash("kernel: cast_a", "kernel: cast_a");
  // FNV-1a 64 over the records, computed with another program.
  CHECK(base == "9c1aa85aac9ecb65");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"lib::cast_a", "lib::cast_x"},
           {"revision_base: \"r\"", "revision_base: \"q\""},
           {"dtypes: [F32]", "dtypes: [F64]"},
           {"(4 + 2)", "(4 + 3)"},
           {"strided: rejected }", "strided: rejected, start_offset: rejected }"}}) {
    INFO(to);
    CHECK(hash(from, to) != base);
    CHECK(hash(from, to) != "none");
  }
  CHECK(hash("max_ulp: 0", "max_ulp: 1") == base);
  CHECK(hash("rounding: nearest_even", "rounding: exact") == base);
  CHECK(hash("op_kind: Cast\n", "op_kind: Cast\nkernel_revision_hash: 0xAB\n") ==
        "00000000000000ab");
}

TEST_CASE("the other revision hash covers the bytes of the block, and nothing around them") {
  const auto hashes = [](const std::string& text) {
    const Document document = parse_document(text, "a");
    REQUIRE(document.kernels.size() == 1);
    return document.kernels[0].hashes;
  };
  const std::string base = hashes(std::string(kSample)).block;
  // FNV-1a 64 over entry point, revision base and bytes, computed with another program.
  CHECK(base == "6a96b30a0c424613");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"max_ulp: 0", "max_ulp: 1"},
           {"rank: any", "rank: any  # a comment"},
           {"revision_base: \"r\"", "revision_base: \"q\""}}) {
    CHECK(hashes(sample_with(from, to)).block != base);
  }
  CHECK(hashes(sample_with("A blurb.", "Other prose.")).block == base);
  const RevisionHashes declared =
      hashes(sample_with("op_kind: Cast\n", "op_kind: Cast\nkernel_revision_hash: 0xAB\n"));
  CHECK(declared.declared == "00000000000000ab");
  CHECK(declared.records == hashes(std::string(kSample)).records);
  CHECK(hashes(std::string(kSample)).declared.empty());
}

TEST_CASE("scalars by their written form") {
  CHECK(parse_unsigned("18446744073709551615") == 18446744073709551615u);
  for (const char* text :
       {"", "01", "+1", "-1", "1.0", "1_0", "1e3", "0x1", " 1", "1:30", "18446744073709551616"}) {
    INFO(text);
    CHECK_FALSE(parse_unsigned(text).has_value());
  }
  CHECK(parse_number("-1.5e-3") == -1.5e-3);
  CHECK(parse_number("0.0") == 0.0);
  for (const char* text : {"", ".5", "5.", "1e", "+1", "0x1p3", ".nan", "inf", "nan", "1e999",
                           "1:30", "01.5", "1,5"}) {
    INFO(text);
    CHECK_FALSE(parse_number(text).has_value());
  }
  CHECK(parse_boolean("true") == true);
  CHECK(parse_boolean("false") == false);
  CHECK_FALSE(parse_boolean("True").has_value());
}

TEST_CASE("a blurb may be a block scalar of one line") {
  for (const char* blurb : {"|\n  A cast.", ">\n  A\n  cast.", "|-\n  A cast."}) {
    const Document document = parse_document(sample_with("\"A cast.\"", blurb), "a");
    INFO(blurb << "\n" << listing(document));
    CHECK(document.diagnostics.empty());
    REQUIRE(document.kernels.size() == 1);
    CHECK(document.kernels[0].blurb == "A cast.");
  }
  const auto errors =
      errors_of(parse_document(sample_with("\"A cast.\"", "|\n  A cast.\n  And more."), "a"));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "MissingBlurb");
}

TEST_CASE("constants of a cost are decimal numbers") {
  for (const char* good : {"40", "0", "0.5", "1e3", "1.5e-3"}) {
    const Document document =
        parse_document(sample_with("bytes_moved: \"n * (4 + 2)\"",
                                   "bytes_moved: \"n\"\n  overhead_ns: " + std::string(good)),
                       "a");
    INFO(good << "\n" << listing(document));
    // What is measured has no constants.
    for (const Diagnostic& error : errors_of(document))
      CHECK(error.kind == "CostProvenanceMismatch");
  }
  for (const char* bad : {"010", "00", "040", "01e3", "1e", "0x10"}) {
    const Document document =
        parse_document(sample_with("bytes_moved: \"n * (4 + 2)\"",
                                   "bytes_moved: \"n\"\n  flops: " + std::string(bad)),
                       "a");
    INFO(bad << "\n" << listing(document));
    const auto errors = errors_of(document);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == "CostExprParse");
    CHECK(document.kernels.empty());
  }
}

TEST_CASE("escapes of characters beyond ASCII are read as UTF-8") {
  const Document document =
      parse_document(sample_with("\"A cast.\"", "\"\xC3\xA9\\_\\N\\xA0\""), "a");
  REQUIRE(document.kernels.size() == 1);
  CHECK(document.kernels[0].blurb == "\xC3\xA9\xC2\xA0\xC2\x85\xC2\xA0");
}

}  // namespace
}  // namespace assay::fkc
