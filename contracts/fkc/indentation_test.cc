// Documents that lost their indentation.
#include "contracts/fkc/indentation.h"

#include <algorithm>

#include "contracts/fkc/testing/fields.h"
#include "contracts/fkc/testing/files.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::claims_of;
using testing::errors_of;
using testing::fields_of;
using testing::file_text;
using testing::kSample;
using testing::listing;
using testing::replaced;
using testing::sample_with;
using testing::second_section;

/// Every line trimmed, blank lines left out: what a careless converter makes of a document.
std::string stripped(const std::string& text) {
  std::string result;
  for (const std::string_view line : split_lines(text)) {
    if (!trim(line).empty()) result.append(trim(line)).append("\n");
  }
  return result;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Both documents hold the same kernels with the same fields, and nothing but the lost indentation
/// is wrong with the first.
void check_same_fields(const Document& rebuilt, const Document& original) {
  for (const Diagnostic& diagnostic : rebuilt.diagnostics) {
    INFO(to_string(diagnostic));
    CHECK(diagnostic.severity != Severity::kError);
  }
  CHECK(rebuilt.provider.name.value == original.provider.name.value);
  CHECK(rebuilt.provider.backend.value == original.provider.backend.value);
  CHECK(rebuilt.provider.kernel_source.value == original.provider.kernel_source.value);
  CHECK(rebuilt.provider.link_registry.value == original.provider.link_registry.value);
  CHECK(rebuilt.provider.revision_base.value == original.provider.revision_base.value);
  REQUIRE(rebuilt.kernels.size() == original.kernels.size());
  for (std::size_t i = 0; i < rebuilt.kernels.size(); ++i) {
    INFO(original.kernels[i].kernel);
    CHECK(joined(fields_of(rebuilt.kernels[i])) == joined(fields_of(original.kernels[i])));
  }
}

std::size_t count(const Document& document, std::string_view kind) {
  std::size_t found = 0;
  for (const Diagnostic& diagnostic : document.diagnostics) found += diagnostic.kind == kind;
  return found;
}

TEST_CASE("the two published documents without indentation hold what our contracts hold") {
  const Document casts =
      parse_document(file_text("contracts/testdata/seeds/reference-cast.fkc.txt"), "seed");
  REQUIRE(casts.kernels.size() == 16);
  CHECK(count(casts, "IndentationLost") == 17);
  check_same_fields(casts, parse_document(file_text("contracts/reference/cast.fkc.md"), "own"));
  const Document pools =
      parse_document(file_text("contracts/testdata/seeds/reference-conv-pool.fkc.txt"), "seed");
  REQUIRE(pools.kernels.size() == 4);
  CHECK(count(pools, "IndentationLost") == 5);
  check_same_fields(pools,
                    parse_document(file_text("contracts/reference/conv-pool.fkc.md"), "own"));
}

TEST_CASE("what is stripped is rebuilt as it was, claims and places included") {
  for (const std::string& text :
       {file_text("contracts/reference/cast.fkc.md"),
        file_text("contracts/reference/conv-pool.fkc.md"), std::string(kSample)}) {
    const std::string bare = stripped(text);
    const Document original = parse_document(text, "a");
    const Document rebuilt = parse_document(bare, "a");
    check_same_fields(rebuilt, original);
    const Lines lines = split_lines(bare);
    for (std::size_t i = 0; i < rebuilt.kernels.size(); ++i) {
      CHECK(claims_of(rebuilt.kernels[i]) == claims_of(original.kernels[i]));
      for (const Claim& claim : rebuilt.kernels[i].claims) {
        if (claim.source.kind == SourceKind::kImplied) continue;
        const std::string_view line = lines.at(static_cast<std::size_t>(claim.source.line) - 1);
        CHECK(claim.source.text == line);
        REQUIRE(claim.source.column >= 1);
        CHECK(static_cast<std::size_t>(claim.source.column) <= line.size());
      }
    }
    const auto repaired = repair_indentation(bare);
    REQUIRE(repaired.has_value());
    const Document again = parse_document(*repaired, "a");
    CHECK(count(again, "IndentationLost") == 0);
    check_same_fields(again, original);
    CHECK_FALSE(repair_indentation(*repaired).has_value());
  }
}

TEST_CASE("a rebuilt document has warnings, and for strict readers errors") {
  const std::string bare = stripped(std::string(kSample));
  const Document document = parse_document(bare, "a");
  INFO(listing(document));
  REQUIRE(document.diagnostics.size() == 2);
  CHECK(document.diagnostics[0].kind == "IndentationLost");
  CHECK(document.diagnostics[0].severity == Severity::kWarning);
  CHECK(document.diagnostics[0].line == 3);
  CHECK(document.diagnostics[1].line == 17);
  CHECK(document.diagnostics[1].column == 1);
  CHECK(document.kernels.size() == 1);
  const Document strict = parse_document(bare, "a", {.strict = true});
  std::size_t lost = 0;
  for (const Diagnostic& error : errors_of(strict)) lost += error.kind == "IndentationLost";
  CHECK(lost == 2);
  CHECK(strict.kernels.empty());
}

TEST_CASE("faults of a rebuilt block stand where the file has them") {
  std::string bare = stripped(sample_with("max_ulp: 0", "max_ulp: -1"));
  Document document = parse_document(bare, "a");
  INFO(listing(document));
  auto errors = errors_of(document);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "BadBound");
  CHECK(errors[0].column == 10);
  CHECK(split_lines(bare).at(static_cast<std::size_t>(errors[0].line) - 1) == "max_ulp: -1");
  bare = stripped(sample_with("max_ulp: 0", "max_ulp: 0\n  max_ulp: 1"));
  document = parse_document(bare, "a");
  errors = errors_of(document);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "DuplicateKey");
  CHECK(errors[0].column == 1);
  CHECK(split_lines(bare).at(static_cast<std::size_t>(errors[0].line) - 1) == "max_ulp: 1");
}

/// The block of one section, rebuilt.
std::string rebuilt(std::string_view block) {
  const Lines lines = split_lines(block);
  return joined(rebuilt_lines(lines, {1, static_cast<int>(lines.size()) + 1}, block_shape()).lines);
}

TEST_CASE("keys with several possible parents, texts, lists and comments") {
  CHECK(rebuilt(R"(kernel: k
variant: outer
accept:
# operands
inputs:
- name: x
dtypes:
- F32
- F64

layout:
contiguous: required
broadcast_axes: [0,
1]
fdx:
quant:
family: MX
gather:
kind: paged_blocks
notes: >
of the input
name: a text that begins like a key ends there
- { no: item }
- name: y
dtypes: [F32]
op_params:
variant: inner
fields:
kernel: { kind: usize }
variant: { kind: usize }
return: # all of it
outputs:
- name: out
aliasing: none
caps:
fast_paths:
- { when: always }
- when: "m > 1"
class: conv
notes: "of the
caps: here"
cost:
class: free
precision:
notes: of the precision
which goes on
determinism: bitwise
unknown: 1
audit:
nan: preserved)") == R"(kernel: k
variant: outer
accept:
  # operands
  inputs:
    - name: x
      dtypes:
        - F32
        - F64

      layout:
        contiguous: required
        broadcast_axes: [0,
            1]
      fdx:
        quant:
          family: MX
        gather:
          kind: paged_blocks
      notes: >
          of the input
      name: a text that begins like a key ends there
    - { no: item }
    - name: y
      dtypes: [F32]
  op_params:
    variant: inner
    fields:
      kernel: { kind: usize }
      variant: { kind: usize }
return: # all of it
  outputs:
    - name: out
      aliasing: none
caps:
  fast_paths:
    - { when: always }
    - when: "m > 1"
      class: conv
  notes: "of the
      caps: here"
cost:
  class: free
precision:
  notes: of the precision
      which goes on
determinism: bitwise
unknown: 1
audit:
  nan: preserved
)");
}

TEST_CASE("a list item ends the text above it") {
  CHECK(rebuilt("accept:\ninputs:\n- name: x\nnotes: >\ntext\n- name: y") ==
        "accept:\n  inputs:\n    - name: x\n      notes: >\n          text\n    - name: y\n");
}

TEST_CASE("a field behind parameters is no parameter") {
  CHECK(rebuilt("accept:\nop_params:\nfields:\na: { kind: usize }\ndeterminism: bitwise") ==
        "accept:\n  op_params:\n    fields:\n      a: { kind: usize }\ndeterminism: bitwise\n");
}

TEST_CASE("lines that a list may hold belong to the list that takes them") {
  const std::string inputs = "accept:\n  inputs:\n    - name: x\n      dtypes:\n        - F32\n";
  const std::string bare = "accept:\ninputs:\n- name: x\ndtypes:\n- F32\n";
  CHECK(rebuilt(bare + "- name: y") == inputs + "    - name: y\n");
  CHECK(rebuilt(bare + "- { name: y }") == inputs + "    - { name: y }\n");
  // One whose first key is misspelt too, so that its key is what is reported.
  CHECK(rebuilt(bare + "- nam: y\nrank: any") == inputs + "    - nam: y\n      rank: any\n");
  CHECK(rebuilt(bare + "-") == inputs + "        -\n");
  CHECK(rebuilt(bare + "unknown: 1") == inputs + "      unknown: 1\n");
  CHECK(rebuilt("caps:\nfast_paths:\n- { when: always,\nclass: conv }") ==
        "caps:\n  fast_paths:\n    - { when: always,\n        class: conv }\n");
}

TEST_CASE("a path in a text that goes on is no field") {
  CHECK(rebuilt("precision:\nnotes: rounds as\nhalf::f16 does") ==
        "precision:\n  notes: rounds as\n      half::f16 does\n");
}

TEST_CASE("comments behind the last field stay") {
  CHECK(rebuilt("kernel: k\ncost:\nclass: free\n# end\n\n# of all") ==
        "kernel: k\ncost:\n  class: free\n# end\n\n# of all\n");
}

TEST_CASE("an apostrophe or a bracket in plain text swallows no lines of a stripped document") {
  for (const char* blurb : {"yes, 'tis so", "half-open [0, 1) casts", "it's - 'tis"}) {
    INFO(blurb);
    const std::string text = sample_with("\"A cast.\"", blurb);
    const Document rebuilt = parse_document(stripped(text), "a");
    REQUIRE(rebuilt.kernels.size() == 1);
    check_same_fields(rebuilt, parse_document(text, "a"));
  }
}

TEST_CASE("a line of text that begins like a field is a fault, and no claim") {
  const std::string bare =
      stripped(replaced(sample_with("  max_ulp: 0\n", ""), "audited: true\n",
                        "audited: true\n  notes: >\n    the old bound was\n    max_ulp: 0\n"));
  const Document document = parse_document(bare, "a");
  INFO(listing(document));
  CHECK(document.kernels.empty());
  const auto errors = errors_of(document);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "IndentationLost");
  CHECK(split_lines(bare).at(static_cast<std::size_t>(errors[0].line) - 1) == "max_ulp: 0");
  CHECK_FALSE(repair_indentation(bare).has_value());
  // In canonical order the field behind the text is one.
  const std::string text =
      sample_with("audited: true\n", "audited: true\n  notes: >\n    a text\n");
  const Document next = parse_document(stripped(text), "a");
  INFO(listing(next));
  CHECK(next.kernels.size() == 1);
  CHECK(repair_indentation(stripped(text)).has_value());
}

TEST_CASE("a line of text that begins like the text's own field is a fault") {
  const std::string bare = stripped(
      sample_with("audited: true\n", "audited: true\n  notes: >\n    a text\n    notes: more\n"));
  CHECK(count(parse_document(bare, "a"), "IndentationLost") == 3);  // the front matter, the block
}

TEST_CASE("comments hide no lost indentation") {
  const std::string bare = stripped(std::string(kSample));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"accept:\n", "  # operands\naccept:\n"}, {"provider:\n", "provider: # ours\n"}}) {
    const Document document = parse_document(replaced(bare, from, to), "a");
    INFO(to << listing(document));
    CHECK(document.kernels.size() == 1);
  }
}

TEST_CASE("a section that is null by its own word has lost nothing") {
  CHECK(
      count(parse_document(
                sample_with("caps:\n  in_place: false\n  alignment_bytes: 64\n", "caps: ~\n"), "a"),
            "IndentationLost") == 0);
}

TEST_CASE("a rebuilt block that cannot be read is said to be unread") {
  const std::string bare = stripped(sample_with("max_ulp: 0", "max_ulp: [0"));
  const Document document = parse_document(bare, "a");
  INFO(listing(document));
  CHECK(std::any_of(document.diagnostics.begin(), document.diagnostics.end(),
                    [](const Diagnostic& fault) { return fault.severity == Severity::kNote; }));
}

TEST_CASE("nothing is repaired where nothing is lost, or where it does not help") {
  CHECK_FALSE(repair_indentation(std::string(kSample)).has_value());
  CHECK_FALSE(repair_indentation("no contract").has_value());
  CHECK_FALSE(repair_indentation(stripped(sample_with("max_ulp: 0", "max_ulp: [0"))).has_value());
}

TEST_CASE("a structure that was rebuilt wrong is not written") {
  const std::string bare = stripped(std::string(kSample));
  CHECK(repair_indentation(bare).has_value());
  // An item whose first key is not on the line of its dash.
  CHECK_FALSE(repair_indentation(replaced(bare, "- name: src", "- # c\nname: src")).has_value());
  CHECK_FALSE(repair_indentation(replaced(bare, "- name: src", "-\tname: src")).has_value());
  // One block is beyond repair: half of a document is not mended either.
  const std::string tab = replaced(stripped(second_section()), "caps:\n", "caps:\n\t");
  CHECK_FALSE(repair_indentation(bare + tab).has_value());
}

TEST_CASE("only the stripped blocks of a document are rewritten") {
  const std::string text = "\xEF\xBB\xBF" + replaced(stripped(std::string(kSample)), "A blurb.\n",
                                                     "A blurb.\n\n    code  \n\tx\r\n");
  const auto repaired = repair_indentation(text);
  REQUIRE(repaired.has_value());
  CHECK(repaired->substr(0, 3) == "\xEF\xBB\xBF");
  CHECK(repaired->find("A blurb.\n\n    code  \n\tx\r\n") != std::string::npos);
  CHECK(repaired->find("      dtypes: [F32]\n") != std::string::npos);
  CHECK(stripped(*repaired) == stripped(text.substr(3)));
}

TEST_CASE("rebuilding takes time and memory in proportion to the block") {
  std::string block = "accept:\ninputs:\n";
  for (int i = 0; i < 100000; ++i) block += "- name: x\nlayout:\nstrided: rejected\nnobody: 1\n";
  const Lines lines = split_lines(block);
  const auto result = rebuilt_lines(lines, {1, static_cast<int>(lines.size()) + 1}, block_shape());
  CHECK(result.lines.size() == lines.size());
}

}  // namespace
}  // namespace assay::fkc
