// Documents as an enemy, or a broken tool, would write them.
#include <fstream>
#include <random>
#include <sstream>

#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/fkc/text.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::errors_of;
using testing::kSample;
using testing::listing;
using testing::Marked;
using testing::marked;
using testing::replaced;
using testing::sample_with;
using testing::second_section;

struct Row {
  std::string from;
  std::string to;
  std::string_view kind;  ///< of the one error
  int line;
  int column;
};

std::string nested(int levels) {
  return "caps: " + std::string(static_cast<std::size_t>(levels), '[') +
         std::string(static_cast<std::size_t>(levels), ']') + "\n";
}

const Row kTraps[] = {
    // Anchors, aliases, merge keys, tags.
    {"rank: any", "rank: &r any", "AnchorDisallowed", 23, 13},
    {"rank: any", "rank: &r", "AnchorDisallowed", 23, 13},
    {"layout: {", "layout: &dense {", "AnchorDisallowed", 22, 15},
    {"op_kind: Cast", "&k op_kind: Cast", "AnchorDisallowed", 15, 1},
    {"rank: any", "rank: *ghost", "AliasDisallowed", 23, 13},
    {"    - name: src", "    - <<: { name: src }", "MergeKeyDisallowed", 20, 7},
    {"rank: any", "rank: !!str any", "Yaml", 23, 13},
    {"rank: any", "rank: ! any", "Yaml", 23, 13},
    {"rank: any", "rank: !x any", "Yaml", 23, 13},
    {"layout: {", "layout: !m {", "Yaml", 22, 15},
    // Tokens that change their meaning.
    {"determinism: same_hardware_bitwise", "determinism: no", "NorwayToken", 43, 14},
    {"op_kind: Cast", "op_kind: Off", "NorwayToken", 15, 10},
    {"dtypes: [F32]", "dtypes: [F32, n]", "NorwayToken", 21, 21},
    {"strided: rejected }", "strided: NO }", "NorwayToken", 22, 48},
    {"strided: rejected }", "strided:rejected }", "Yaml", 22, 39},
    // Structure.
    {"  max_ulp: 0\n", "  max_ulp: 1\n  max_ulp: 0\n", "DuplicateKey", 42, 3},
    {"strided: rejected }", "contiguous: rejected }", "DuplicateKey", 22, 39},
    {"caps:\n", "caps:\n\tin_place: false\n", "TabIndentation", 33, 1},
    {"    - name: src", "    -\tname: src", "TabIndentation", 20, 6},
    {"blurb: \"A cast.\"", "blurb: \"never closed", "Yaml", 16, 8},
    {"blurb: \"A cast.\"", "blurb: 'never closed", "Yaml", 16, 8},
    {"  rounding: nearest_even\n", "  rounding: \"nearest_even\n", "Yaml", 45, 13},
    {"variant: Cast }", "variant: a#b, fields: \"x }", "Yaml", 24, 38},
    {"rank: any", "rank: [1, 2", "Yaml", 24, 12},
    {"rank: any", "rank: any\n       device: Cpu", "Yaml", 24, 14},
    {"kernel: cast_a\n", "kernel: cast_a\n---\n", "Yaml", 15, 1},
    {"  rounding: nearest_even\n", "  rounding: nearest_even\n...\nx: 1\n", "Yaml", 46, 1},
    {"kernel: cast_a\n", "%YAML 1.2\nkernel: cast_a\n", "Yaml", 14, 1},
    {"  op_params: { variant: Cast }", "  op_params: { ? [a] : b }", "Yaml", 24, 18},
    {"caps:\n  in_place: false\n  alignment_bytes: 64\n", nested(100), "Yaml", 32, 38},
    {"caps:\n  in_place: false\n  alignment_bytes: 64\n", nested(100000), "Yaml", 32, 38},
    // Bytes that are no text.
    {"A cast.", "A \xff cast.", "Yaml", 16, 11},
    {"A cast.", std::string("A \0 cast.", 9), "Yaml", 16, 11},
    {"A cast.", "A \x04 cast.", "Yaml", 16, 11},
    {"A cast.", "A \xc0\xaf cast.", "Yaml", 16, 11},
    {"A cast.", "A \xed\xa0\x80 cast.", "Yaml", 16, 11},
    {"A cast.", "A \xf4\x90\x80\x80 cast.", "Yaml", 16, 11},
    {"A cast.", "A \xe2\x82", "Yaml", 16, 11},
    {"A cast.", "A \r cast.", "Yaml", 16, 11},
    {"kernel: cast_a", "\xEF\xBB\xBFkernel: cast_a", "Yaml", 14, 1},
    // Fences and headings.
    {"```fkc\nkernel: cast_a", "kernel: cast_a", "UnterminatedFence", 45, 1},
    {"## cast_a (first)", "## prose\n\n## cast_a (first)", "MissingFkcBlock", 11, 1},
    {"rank: any", "rank: any\n## a heading", "HeadingInBlock", 24, 1},
    {"  rounding: nearest_even\n```\n", "  rounding: nearest_even\n", "UnterminatedFence", 13, 1},
    {"  rounding: nearest_even\n```\n", "  rounding: nearest_even\n```\n```fkc\nkernel: x\n```\n",
     "MultipleFkcBlocks", 11, 1},
    {"# Title\n", "# Title\n```fkc\nkernel: lost\n```\n", "OrphanFkcBlock", 10, 1},
    {"# Title\n", "# Title\n```text\nnot closed\n", "UnterminatedFence", 10, 1},
    {"kernel: cast_a", "  kernel: cast_a", "Yaml", 15, 1},
    {"caps:\n  in_place: false\n  alignment_bytes: 64\n", "caps:\n", "IndentationLost", 32, 1},
};

TEST_CASE("each trap has one error with its kind and place, and other sections stay readable") {
  for (const Row& row : kTraps) {
    const std::string text = sample_with(row.from, row.to) + second_section();
    const Document document = parse_document(text, "trap.fkc.md");
    INFO("trap: " << row.to.substr(0, 80) << "\n" << listing(document));
    const auto errors = errors_of(document);
    CHECK(errors.size() == 1);
    REQUIRE_FALSE(errors.empty());
    CHECK(errors[0].kind == row.kind);
    CHECK(errors[0].line == row.line);
    CHECK(errors[0].column == row.column);
    CHECK(errors[0].file == "trap.fkc.md");
    CHECK_FALSE(errors[0].hint.empty());
    const bool harms_no_section = row.kind == "OrphanFkcBlock" || row.kind == "MissingFkcBlock" ||
                                  (row.kind == "UnterminatedFence" && errors[0].line == 10);
    REQUIRE(document.kernels.size() == (harms_no_section ? 2 : 1));
    CHECK(document.kernels.back().kernel == "cast_b");
  }
}

TEST_CASE("what looks like a trap and is none") {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"name: src", "name: y"},
           {"\"A cast.\"", "\"no: &a *b !c <<\""},
           {"\"A cast.\"", "'it''s # fine'"},
           {"\"A cast.\"", "\"a \\\" quote\""},
           {"A blurb.", "A \"blurb\twith: [odd } things\n\n~~~\n```fkc\n~~~\n````\n```fkc\n````\n"},
           {"rank: any", "rank: any  # a comment with a \" quote"},
           {"kernel: cast_a", "# comment: \"\nkernel: cast_a"},
           {"```fkc\nkernel: cast_a", "  ```fkc  \nkernel: cast_a"},
           {"rank: any", "rank:\tany"}}) {
    std::string text = sample_with(from, to);
    if (to == "name: y") text = replaced(text, "same_as(src)", "same_as(y)");
    const Document document = parse_document(text, "a.fkc.md");
    INFO(to << "\n" << listing(document));
    CHECK(document.diagnostics.empty());
    CHECK(document.kernels.size() == 1);
  }
}

TEST_CASE("byte order mark and CRLF change nothing, places included") {
  std::string crlf = "\xEF\xBB\xBF";
  for (const char c : kSample) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Document plain = parse_document(std::string(kSample), "a");
  const Document document = parse_document(crlf, "a");
  INFO(listing(document));
  CHECK(document.diagnostics.empty());
  REQUIRE(document.kernels.size() == 1);
  REQUIRE(document.kernels[0].claims.size() == plain.kernels[0].claims.size());
  for (std::size_t i = 0; i < plain.kernels[0].claims.size(); ++i) {
    const Source& expected = plain.kernels[0].claims[i].source;
    const Source& source = document.kernels[0].claims[i].source;
    CHECK(source.line == expected.line);
    CHECK(source.column == expected.column);
    CHECK(source.text == expected.text);
  }
  CHECK(document.kernels[0].blurb == "A cast.");
}

TEST_CASE("columns count bytes") {
  const Document document = parse_document(
      sample_with("in_place: false", "fast_paths: [ { note: \"\xc3\xa9\", effect: no } ]"), "a");
  const auto errors = errors_of(document);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "NorwayToken");
  CHECK(errors[0].column == 39);
}

TEST_CASE("front matter that does not open or close") {
  struct FrontRow {
    std::string text;
    int line;
  };
  const std::string body(kSample.substr(kSample.find("# Title")));
  for (const std::string& text :
       {std::string(), std::string("\n"), body, "----\n" + body, " ---\n" + body,
        "---\nfkc_version: 1\n" + body, "---\nfkc_version: 1\n" + body + "\n---\n",
        std::string("---\n")}) {
    const Document document = parse_document(text, "a");
    INFO(text.substr(0, 30) << "\n" << listing(document));
    const auto errors = errors_of(document);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == "MalformedFrontMatter");
    CHECK(errors[0].line == 1);
    CHECK(errors[0].column == 1);
    CHECK(document.kernels.empty());
  }
}

TEST_CASE("a comment of the front matter may look like a heading") {
  const Document document =
      parse_document(sample_with("provider:\n", "## who\nprovider:\n  ## what\n"), "a");
  INFO(listing(document));
  CHECK(document.diagnostics.empty());
  CHECK(document.kernels.size() == 1);
}

TEST_CASE("many faults end in a count") {
  std::string text = sample_with("  rounding: nearest_even\n", "");
  std::string keys;
  for (int i = 0; i < 5000; ++i) keys += "  bad" + std::to_string(i) + ": 1\n";
  text = replaced(text, "audit:\n", "audit:\n" + keys);
  const Document document = parse_document(text, "a");
  REQUIRE(document.diagnostics.size() == 1001);
  CHECK(document.diagnostics.back().kind == "TooManyFaults");
  CHECK(has_errors(document.diagnostics));
  CHECK(document.kernels.empty());
}

TEST_CASE("lost fences by the thousand cost one pass, and long texts are cut") {
  std::string text =
      "---\nfkc_version: 1\nprovider: { name: p, backend: Cpu, kernel_source: s }\n---\n";
  for (int i = 0; i < 100000; ++i) text += "```text\n## h\n";
  CHECK(parse_document(text, "a").diagnostics.size() == 1001);
  const std::string heading(100000, 'h');
  const Document document = parse_document(sample_with("cast_a (first)", heading) + "## x\n", "a");
  for (const Diagnostic& diagnostic : document.diagnostics) {
    CHECK(diagnostic.section.size() < 600);
    CHECK(diagnostic.message.size() < 600);
  }
}

TEST_CASE("unreadable files and documents that are too long") {
  for (const char* path : {"/no/such/file.fkc.md", "/", "/dev/zero"}) {
    INFO(path);
    const Document document = read_document(path);
    REQUIRE(document.diagnostics.size() == 1);
    CHECK(document.diagnostics[0].kind == "Io");
    CHECK(document.diagnostics[0].line == 0);
    CHECK(document.file == path);
    CHECK(document.kernels.empty());
  }
  std::string text(kSample);
  text.resize(kMaxDocumentBytes, '\n');
  CHECK(parse_document(text, "a").kernels.size() == 1);
  text += '\n';
  const Document document = parse_document(text, "a");
  REQUIRE(document.diagnostics.size() == 1);
  CHECK(document.diagnostics[0].kind == "Io");
  CHECK(document.kernels.empty());
}

TEST_CASE("a diagnostic is one line, the place with a caret, and a hint") {
  Diagnostic diagnostic{Severity::kError, "Kind", "f", 3, 7, "message", "do it", "", {}, 7};
  CHECK(to_string(diagnostic) == "f:3:7: error[Kind]: message\n  hint: do it");
  diagnostic.excerpt = excerpt_of("caf\xc3\xa9: 1", 8);
  CHECK(to_string(diagnostic) ==
        "f:3:7: error[Kind]: message\n    3 | caf\xc3\xa9: 1\n      |       ^\n  hint: do it");
  diagnostic.excerpt = {};
  diagnostic.severity = Severity::kWarning;
  diagnostic.hint.clear();
  diagnostic.line = 0;
  CHECK(to_string(diagnostic) == "f: warning[Kind]: message");
}

TEST_CASE("of a long line the part around the fault is shown") {
  const std::string line = std::string(1000, 'a') + "\xc3\xa9" + std::string(1000, 'b');
  const Excerpt middle = excerpt_of(line, 1001);
  CHECK(middle.text == "..." + std::string(80, 'a') + "\xc3\xa9" + std::string(78, 'b') + "...");
  CHECK(middle.caret == 83);
  const Excerpt front = excerpt_of(line, 1);
  CHECK(front.text == std::string(160, 'a') + "...");
  CHECK(front.caret == 0);
  const Excerpt end = excerpt_of(line, 5000);
  CHECK(end.text == "..." + std::string(80, 'b'));
  CHECK(end.caret == 83);
  // Never within a character, and nothing that acts on a terminal.
  CHECK(excerpt_of(std::string(159, 'a') + "\xc3\xa9" + std::string(99, 'b'), 1).text ==
        std::string(159, 'a') + "...");
  CHECK(excerpt_of("a\x1b[2J\tb", 1).text == "a\\u{1b}[2J b");
  CHECK(excerpt_of("", 1).text.empty());
}

/// What must hold for any document whatsoever.
void check_sane(const Document& document) {
  for (const Diagnostic& diagnostic : document.diagnostics) {
    if (diagnostic.kind.empty() || diagnostic.message.empty() || diagnostic.line < 0) {
      FAIL("bad diagnostic: " << to_string(diagnostic));
    }
  }
  for (const KernelContract& kernel : document.kernels) {
    if (kernel.kernel.empty() || kernel.claims.size() < 4) FAIL("bad kernel at " << kernel.line);
  }
}

std::string cast_document() {
  std::ifstream stream(std::string(ASSAY_SOURCE_DIR) + "/contracts/reference/cast.fkc.md",
                       std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST_CASE("truncated documents are read without a crash, and never without an error") {
  const std::string text = cast_document();
  REQUIRE(text.size() > 20000);
  std::size_t faultless = 0;
  for (std::size_t size = 0; size < text.size(); size += 97) {
    const Document document = parse_document(text.substr(0, size), "cut");
    check_sane(document);
    if (!has_errors(document.diagnostics)) ++faultless;
  }
  // Only a cut between two sections leaves a whole document.
  CHECK(faultless < 40);
}

TEST_CASE("documents with flipped bytes are read without a crash or a hang") {
  const std::string text = cast_document();
  std::mt19937_64 random(20240229);
  constexpr std::string_view kSpecial = "{}[]:,#&*!|>'\"%@`-?~ \t\n\r\0\x04";
  for (int round = 0; round < 300; ++round) {
    std::string broken = text;
    for (int flip = 0; flip < 8; ++flip) {
      const std::size_t at = random() % broken.size();
      broken[at] = random() % 2 == 0 ? kSpecial[random() % kSpecial.size()]
                                     : static_cast<char>(random() % 256);
    }
    check_sane(parse_document(broken, "flip"));
  }
}

TEST_CASE("small documents of YAML's own characters are read without a crash or a hang") {
  std::mt19937_64 random(7);
  constexpr std::string_view kAlphabet = "{}[]:,#&*!|>'\"%@`-?~ \t\nab1";
  for (int round = 0; round < 3000; ++round) {
    std::string yaml;
    for (std::uint64_t i = random() % 40; i > 0; --i) {
      yaml += kAlphabet[random() % kAlphabet.size()];
    }
    const std::string text =
        replaced(std::string(kSample), "accept:\n", yaml + "\naccept:\n") + second_section();
    const Document document = parse_document(text, "soup");
    check_sane(document);
  }
}

TEST_CASE("a comma in braces does not cut a value in silence") {
  for (const char* entry : {"kind: (usize, @@usize)", "kind: usize, @@b", "constraint: a, @@b c",
                            "kind: Vec<(usize,@@usize)>"}) {
    INFO(entry);
    const Marked text = marked(
        sample_with("op_params: { variant: Cast }",
                    "op_params: { variant: Cast, fields: { a: { " + std::string(entry) + " } } }"));
    const Document document = parse_document(text.text, "a");
    INFO(listing(document));
    const auto errors = errors_of(document);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == "Yaml");
    CHECK(errors[0].line == text.line);
    CHECK(errors[0].column == text.column);
  }
  for (const char* entry :
       {"kind: \"(usize, usize)\"", "kind: usize, note:", "kind: usize, note: , constraint: a",
        "kind: usize, note: ~", "kind: usize, \"note\": a"}) {
    INFO(entry);
    const Document document = parse_document(
        sample_with("op_params: { variant: Cast }",
                    "op_params: { variant: Cast, fields: { a: { " + std::string(entry) + " } } }"),
        "a");
    INFO(listing(document));
    CHECK(errors_of(document).empty());
  }
}

TEST_CASE("an alias or a merge key hides no fault of another value") {
  for (const char* layout : {"layout: *l", "layout: { <<: *l }"}) {
    std::string text = sample_with("layout: { contiguous: required, strided: rejected }", layout);
    text = replaced(text, "op_kind: Cast", "op_kind: Cast\nvariant: &l v");
    text = replaced(text, "rounding: nearest_even", "rounding: sideways");
    const Document document = parse_document(replaced(text, "max_ulp: 0", "max_ulp: -1"), "a");
    INFO(listing(document));
    std::string kinds;
    for (const Diagnostic& diagnostic : document.diagnostics) kinds += diagnostic.kind + " ";
    const bool merge = std::string_view(layout).find('<') != std::string_view::npos;
    CHECK(kinds == std::string("AnchorDisallowed ") + (merge ? "MergeKeyDisallowed " : "") +
                       "AliasDisallowed BadBound UnknownAuditValue ");
    CHECK(document.kernels.empty());
  }
  // A part that an alias stands for is not missing.
  std::string text = sample_with("kernel: cast_a", "kernel: &k cast_a");
  text = replaced(text, "max_ulp: 0\n  audited: true", "max_ulp: *k");
  text = replaced(text, "determinism: same_hardware_bitwise", "determinism: *k");
  const Document document = parse_document(text, "a");
  INFO(listing(document));
  CHECK(document.diagnostics.size() == 3);
}

TEST_CASE("a fence that is almost an fkc block is not passed over in silence") {
  for (const char* open : {"~~~fkc", "````fkc", "```FKC", "```fkc title=x", "  ```Fkc"}) {
    INFO(open);
    const std::string mark(trim(open).substr(0, trim(open).find_first_of("fF")));
    const std::string text =
        std::string(kSample) + open + "\nkernel: lost\n" + mark + "\n" + second_section();
    const Document document = parse_document(text, "a");
    INFO(listing(document));
    REQUIRE(document.diagnostics.size() == 1);
    CHECK(document.diagnostics[0].kind == "MissingFkcBlock");
    CHECK(document.diagnostics[0].severity == Severity::kWarning);
    CHECK(document.diagnostics[0].line == 47);
    CHECK(document.diagnostics[0].column == (open[0] == ' ' ? 3 : 1));
    CHECK(document.kernels.size() == 2);
  }
  for (const char* open : {"```text", "```fkcx", "```", "~~~~ fk"}) {
    INFO(open);
    const std::string text =
        std::string(kSample) + open + "\nkernel: x\n" + (open[0] == '~' ? "~~~~\n" : "```\n");
    CHECK(parse_document(text, "a").diagnostics.empty());
  }
}

}  // namespace
}  // namespace assay::fkc
