// The canonical form of documents.
#include "contracts/fkc/formatter.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "contracts/fkc/document.h"
#include "contracts/fkc/indentation.h"
#include "contracts/fkc/testing/fields.h"
#include "contracts/fkc/testing/files.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::claims_of;
using testing::fields_of;
using testing::file_text;
using testing::kSample;
using testing::replaced;
using testing::sample_with;

/// The paths of all documents of a folder, from the source folder on.
std::vector<std::string> documents_in(const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path root(ASSAY_SOURCE_DIR);
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.is_regular_file()) paths.push_back(fs::relative(entry.path(), root).string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// What must hold for the canonical form of any document.
bool check_form(const std::string& text) {
  const auto once = formatted(text);
  if (!once) return false;
  const auto twice = formatted(*once);
  REQUIRE(twice.has_value());
  CHECK((*twice == *once));
  const Document before = parse_document(text, "a");
  const Document after = parse_document(*once, "a");
  CHECK(after.kernels.size() == before.kernels.size());
  CHECK(after.diagnostics.size() == before.diagnostics.size());
  for (std::size_t i = 0; i < std::min(before.kernels.size(), after.kernels.size()); ++i) {
    CHECK(fields_of(after.kernels[i]) == fields_of(before.kernels[i]));
    CHECK(claims_of(after.kernels[i]) == claims_of(before.kernels[i]));
  }
  const auto marks = [](const std::string& of) { return std::count(of.begin(), of.end(), '#'); };
  CHECK(marks(*once) == marks(text));
  return true;
}

TEST_CASE("the form is stable, and says what the document said") {
  std::size_t done = 0;
  for (const std::string& path : documents_in("contracts/reference")) {
    INFO(path);
    CHECK(check_form(file_text(path)));
    CHECK((formatted(file_text(path)) == file_text(path)));  // ours are in canonical form
  }
  for (const std::string& path : documents_in("contracts/broken")) {
    INFO(path);
    done += check_form(file_text(path));
  }
  CHECK(done > 40);
  for (const std::string& path : documents_in("contracts/testdata/seeds")) {
    INFO(path);
    CHECK_FALSE(formatted(file_text(path)).has_value());  // its indentation is lost
    CHECK(check_form(repair_indentation(file_text(path)).value()));
  }
  CHECK(check_form(std::string(kSample)));
  std::string crlf;
  for (const char c : kSample) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(check_form(crlf));
  // Every line that is written anew ends as the others do.
  const std::string form = formatted(replaced(crlf, "kernel: cast_a", "kernel:   cast_a")).value();
  CHECK((form == crlf));
}

/// The block of the sample, formatted.
std::string block(const std::string& text) {
  const auto result = formatted(text);
  REQUIRE(result.has_value());
  const std::size_t start = result->find("```fkc\n") + 7;
  return result->substr(start, result->find("```\n", start) - start);
}

std::string document_with(const std::string& content) {
  return "---\nfkc_version: 1\nprovider:\n  name: p\n  backend: Cpu\n  kernel_source: \"s\"\n---\n"
         "## a\n\nProse  \n```fkc\n" +
         content + "```\n  prose\n";
}

TEST_CASE("keys, quotes, brackets, lists and comments") {
  const std::string text = document_with(R"(# first
determinism: "bitwise"  # last of all
unknown:   [ a,"b c" ]
blurb: It's plain
kernel: 'k'
precision:
    notes: |
        two # no comment
        lines
    max_ulp: 0 # none
    audited: true
accept:
  op_params: {fields: {b: {note: free, kind: usize}, a: {kind: "usize"}}, variant: Cast}
  # operands
  inputs:
  - dtypes: [F32,
      F64]   # inside
    name: "x"
    rank: "2..=4"
    layout: {strided: rejected, contiguous: required}
  # the second
  - { name: y }
cost:
  flops: 0
  overhead_ns: "40"
  bytes_moved: n * 4
  memory:
# end
)");
  CHECK(block(text) == R"(kernel: k
blurb: "It's plain"
accept:
  # operands
  inputs:
    - name: x
      # inside
      dtypes: [F32, F64]
      layout: { contiguous: required, strided: rejected }
      rank: "2..=4"
    # the second
    - { name: y }
  op_params: { variant: Cast, fields: { b: { kind: usize, note: "free" }, a: { kind: usize } } }
cost:
  flops: 0
  bytes_moved: "n * 4"
  overhead_ns: "40"
  memory: ~
precision:
  max_ulp: 0  # none
  audited: true
  notes: "two # no comment\nlines\n"
# first
determinism: bitwise  # last of all
unknown: [a, "b c"]
# end
)");
  CHECK(formatted(text)->find("Prose  \n```fkc") != std::string::npos);
  CHECK(formatted(text)->find("```\n  prose\n") != std::string::npos);
}

TEST_CASE("words that mean something to YAML keep their quotes, and lists in lists their items") {
  CHECK(block(document_with(R"(kernel: k
words: ["null", "yes", "a:", "b"]
"yes": 1
two: |
  one
  two
nested:
  - - a, b
    - c
)")) == R"(kernel: k
words: ["null", "yes", "a:", b]
"yes": 1
two: "one\ntwo\n"
nested:
  - ["a, b", c]
)");
}

TEST_CASE("a line in quotes opens no text") {
  CHECK(block(document_with("kernel: k\nblurb: \"of the form\n  a: |\n    b\"  # c\n")) ==
        "kernel: k\n# c\nblurb: \"of the form a: | b\"\n");
}

TEST_CASE("what cannot be read is not formatted") {
  for (const std::string& text :
       {sample_with("max_ulp: 0", "max_ulp: [0"), sample_with("A blurb.", "A \xff blurb."),
        sample_with("---\n", ""), std::string(kSample) + "## no block\n",
        sample_with("max_ulp: 0", "max_ulp: &a 0"), std::string()}) {
    CHECK_FALSE(formatted(text).has_value());
  }
}

TEST_CASE(
    "quotes and brackets inside plain text open nothing, and no comment is lost or invented") {
  const std::string text = document_with(R"(kernel: k
blurb: half-open [0, 1) casts, 'tis so  # one
entry_point: half-open - 'tis so  # two
accept:
  inputs:
    - name: x
      dtypes: [a'b, c"d, "e"]  # three
      # four
      layout: { contiguous: it's, strided: "#" }
precision:
  notes: |
    text
    # not a comment
determinism: a#b  # five
)");
  CHECK(block(text) == R"(kernel: k
blurb: "half-open [0, 1) casts, 'tis so"  # one
entry_point: "half-open - 'tis so"  # two
accept:
  inputs:
    - name: x
      dtypes: [a'b, c"d, e]  # three
      # four
      layout: { contiguous: it's, strided: "#" }
precision:
  notes: "text\n# not a comment\n"
determinism: a#b  # five
)");
}

TEST_CASE("where it is unsure what is a comment, nothing is formatted") {
  for (const char* value : {"\"A cast.\"#x", "A cast\n  'tis # lost", "\"\\x23\"  # one"}) {
    INFO(value);
    CHECK_FALSE(formatted(sample_with("\"A cast.\"", value)).has_value());
  }
  // An overlooked comment, and a mark in a value that would make up for it.
  CHECK_FALSE(formatted(sample_with("blurb: \"A cast.\"",
                                    "variant: \"\\x23\"\nblurb: A cast\n  'tis # lost"))
                  .has_value());
}

TEST_CASE("comments make the same claims in another place") {
  const std::string bare = sample_with("audit:\n  rounding: nearest_even\n", "");
  const auto with = [&](std::string_view lines) {
    return replaced(bare, "  max_ulp: 0\n  audited: true\n", lines);
  };
  // A comment goes on below itself, and goes with its value.
  const std::string below =
      with("  audited: true  # NaN preserved\n                 # only on AVX2\n  max_ulp: 0\n");
  CHECK(check_form(below));
  CHECK(formatted(below)->find("  max_ulp: 0\n  audited: true  # NaN preserved\n"
                               "                 # only on AVX2\ndeterminism") !=
        std::string::npos);
  CHECK(parse_document(*formatted(below), "a").kernels.at(0).claim(ClaimKind::kNan) == nullptr);
  const std::string longer = with(
      "  audited: true  # NaN preserved\n                 # only\n"
      "                 # on AVX2\n  max_ulp: 0\n");
  CHECK(check_form(longer));
  CHECK(formatted(longer)->find("# NaN preserved\n                 # only\n"
                                "                 # on AVX2\ndeterminism") != std::string::npos);
  // Two comments stay two.
  const std::string apart = with("  max_ulp: 0  # NaN preserved\n\n  # seen\n  audited: true\n");
  CHECK(check_form(apart));
  CHECK(*formatted(apart) == apart);
  CHECK(parse_document(*formatted(apart), "a").kernels.at(0).claim(ClaimKind::kNan) != nullptr);
  const std::string met =
      with("  max_ulp: 0  # NaN preserved\n  notes: \"n\"\n  # seen\n  audited: true\n");
  CHECK(check_form(met));
  CHECK(formatted(met)->find("# NaN preserved\n\n  # seen\n  audited") != std::string::npos);
  // One that went on with another comment does not go on with the one that it meets.
  const std::string parted = with("  audited: true  # seen\n  # good\n  max_ulp: 0\n");
  const std::string stable = "bit_stable_on_same_hardware: true";
  CHECK(formatted(replaced(parted, stable, stable + "  # stable"))
            ->find("true  # stable\n\n  # good\n  max_ulp: 0\n") != std::string::npos);
  // What is only noted counts too.
  CHECK_FALSE(
      formatted(with("  audited: true  # nothing\n  # NaN preserved\n  # on AVX2\n  max_ulp: 0\n"))
          .has_value());
  // A sentence that would lose its end.
  CHECK_FALSE(formatted(with("  audited: true  # NaN preserved\n  # only on AVX2\n  max_ulp: 0\n"))
                  .has_value());
}

TEST_CASE("texts that need care keep their value") {
  for (const char* value :
       {"\"\\\"quoted\\\" \\\\ back\"", "'it''s: # fine'", "\"tab\\tline\\nend\"",
        "\"\\x01\\uFEFF\"", "\"he\\_llo\\N \\xe9\\_\"", "\"\\L\\P\\e\\x80\\xA0\"", "\"true\"",
        "\"~\"", "\"12\"", "\"\"", "\"- dash\"", "\"\xC3\xA9 \xE2\x80\x94\"",
        "plain text, with commas", ">-\n  folded\n  text"}) {
    INFO(value);
    const std::string text = sample_with("\"A cast.\"", value);
    CHECK(check_form(text));
  }
}

TEST_CASE("damaged documents are formatted to the same contents or not at all") {
  std::mt19937_64 random(20240301);
  constexpr std::string_view kSpecial = "{}[]:,#&*!|>'\"%@`-?~ \t\n";
  std::size_t done = 0;
  for (int round = 0; round < 300; ++round) {
    std::string text(kSample);
    for (int flip = 0; flip < 3; ++flip) {
      text[random() % text.size()] = kSpecial[random() % kSpecial.size()];
    }
    INFO(text);
    const auto once = formatted(text);
    repair_indentation(text);
    if (!once) continue;
    ++done;
    const auto twice = formatted(*once);
    REQUIRE(twice.has_value());
    REQUIRE((*twice == *once));
    const Document before = parse_document(text, "a");
    const Document after = parse_document(*once, "a");
    REQUIRE(after.kernels.size() == before.kernels.size());
    if (!after.kernels.empty()) {
      REQUIRE((fields_of(after.kernels[0]) == fields_of(before.kernels[0])));
    }
  }
  CHECK(done > 50);
}

}  // namespace
}  // namespace assay::fkc
