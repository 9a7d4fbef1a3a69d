// Claims that are made in prose.
#include <fmt/format.h>

#include <algorithm>

#include "contracts/fkc/document.h"
#include "contracts/fkc/phrases.h"
#include "contracts/fkc/testing/fields.h"
#include "contracts/fkc/testing/files.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/fkc/text.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::claims_of;
using testing::file_text;
using testing::kSample;
using testing::listing;
using testing::promises_of;
using testing::replaced;
using testing::sample_with;

std::vector<std::string> promised(std::string_view text, OpFamily family) {
  std::vector<std::string> claims;
  const std::vector<Sentence> prose = sentences_of({{std::string(text), {1, 1}}});
  for (const PhraseMatch& match : find_phrases(prose, family).made) {
    for (const PhraseClaim& claim : match.phrase->claims) {
      claims.push_back(fmt::format("{}={}", row(claim.kind).id, claim.declared));
    }
  }
  return claims;
}

TEST_CASE("every phrase makes its claims in its example, and none in its counter-example") {
  REQUIRE(phrases().size() > 30);
  for (const Phrase& phrase : phrases()) {
    INFO(phrase.words);
    std::vector<std::string> expected;
    for (const PhraseClaim& claim : phrase.claims) {
      expected.push_back(fmt::format("{}={}", row(claim.kind).id, claim.declared));
    }
    CHECK(promised(phrase.example, phrase.family) == expected);
    CHECK(promised(phrase.counter_example, phrase.family).empty());
    // The counter-example has the phrase's words: what takes them back is the rest of it.
    const auto words_of = [](std::string_view text) {
      std::string words = " ";
      for (const Sentence& sentence : sentences_of({{std::string(text), {1, 1}}})) {
        for (const Word& word : sentence.words) words += word.text + " ";
      }
      return words;
    };
    if (phrase.words.find_first_of("|?{") != std::string_view::npos) continue;
    if (phrase.words == "nan preserved") continue;  // "NaN not preserved" parts them
    CHECK(words_of(phrase.counter_example).find(" " + std::string(phrase.words) + " ") !=
          std::string::npos);
  }
}

TEST_CASE("a family's phrases mean nothing elsewhere") {
  CHECK(promised("lossless widening", OpFamily::kSum).empty());
  CHECK(promised("T-precision accumulator", OpFamily::kCast).empty());
  CHECK(promised("lossless widening", OpFamily::kOther).empty());
}

TEST_CASE("negations and conditions take a promise back") {
  using List = std::vector<std::string>;
  const auto cast = [](std::string_view text) { return promised(text, OpFamily::kCast); };
  const List nan = {"nan=preserved"};
  CHECK(cast("NaN preserved; deterministic.") == nan);
  CHECK(cast("Only the second leg loses precision; NaN preserved.") == nan);
  CHECK(cast("**NaN** preserved.") == nan);
  for (const char* text :
       {"This is not a pivot \xE2\x80\x94 NaN preserved.", "NaN preserved, not a canonical one.",
        "It is not true that NaN is preserved.", "NaN is preserved, not always.",
        "NaN is preserved, not for f16.", "NaN is preserved if quiet.", "NaN isn't preserved.",
        "NaN preserved except signalling ones.", "NaN is preserved \xE2\x80\x94 except on ARM.",
        "NaN is preserved (only quiet ones).", "NaN should be preserved.", "NaN preservation",
        "We might see NaN preserved.", "NaN preserved for |x| < 1.", "nan. Preserved.",
        "NaN preserved \xE2\x89\xA5 2^24.", "doesn't matter, NaN preserved",
        "NaN\npreserved-ish if"}) {
    INFO(text);
    CHECK(cast(text).empty());
  }
  // Exact on a part is never exact.
  CHECK(cast("Exact below 2^24.") == List{"domain_exact={role} < {n}"});
  CHECK(cast("Exact below 2^24, deterministic.") == List{"domain_exact={role} < {n}"});
  CHECK(cast("Small indices are always exact.").empty());
  CHECK(cast("exact").empty());
  // The caller's error is no promise of saturation.
  CHECK(cast("Rust `as` saturates NaN->0 and clamps out-of-range, but the contract treats "
             "out-of-range as a caller error")
            .empty());
}

TEST_CASE("sentences") {
  const auto split = [](std::vector<ProseLine> lines) {
    std::string text;
    for (const Sentence& sentence : sentences_of(lines)) {
      text += "[" + sentence.text + "]";
      for (const Word& word : sentence.words) {
        text += fmt::format(" {}@{}:{}{}", word.text, word.place.line, word.place.column,
                            word.apart ? "/" : "");
      }
      text += "\n";
    }
    return text;
  };
  CHECK(split({{"One `half::f16` e.g. this.", {3, 1}}}) ==
        "[One `half::f16` e.g. this.] one@3:1 half::f16@3:6 e.g@3:17 this@3:22\n");
  CHECK(split({{"A-b; c", {1, 5}}, {"d: e.", {2, 1}}, {"F", {3, 1}}}) ==
        "[A-b;] a@1:5 b@1:7\n[c d: e.] c@1:10 d@2:1 e@2:4/\n[F] f@3:1\n");
  CHECK(split({{"x \xE2\x80\x94 y -> z <= 2^24 ...", {1, 1}}}) ==
        "[x \xE2\x80\x94 y -> z <= 2^24 ...] x@1:1 y@1:7/ z@1:12 <=@1:14 2^24@1:17\n");
  CHECK(split({{"'a' _b_", {1, 1}}}) == "['a' _b_] a@1:2 b@1:6\n");
  // A period before a small letter is that of an abbreviation.
  const auto abbreviated = sentences_of({{"See sec. four. Then.", {1, 1}}});
  REQUIRE(abbreviated.size() == 3);
  CHECK(abbreviated[1].statement == 0);
  CHECK(abbreviated[2].statement == 1);
  CHECK(split({}).empty());
  CHECK(split({{"...", {1, 1}}}).empty());
}

TEST_CASE("a claim from prose keeps its sentence and the place of its words") {
  const std::string text = file_text("contracts/testdata/seeds/reference-cast.fkc.txt");
  const Document document = parse_document(text, "seed");
  const Lines lines = split_lines(text);
  const Claim* overflow = document.kernels.at(2).claim(ClaimKind::kOverflow);
  REQUIRE(overflow != nullptr);
  CHECK(overflow->source.text ==
        "out-of-range saturates to +/-inf, NaN preserved, rounds via half::f16::from_f32;");
  const std::string_view line = lines.at(static_cast<std::size_t>(overflow->source.line) - 1);
  CHECK(line.substr(static_cast<std::size_t>(overflow->source.column) - 1, 12) == "out-of-range");
  // A sentence over two lines: the place is that of the phrase.
  const Claim* infinity = document.kernels.at(3).claim(ClaimKind::kInfinity);
  REQUIRE(infinity != nullptr);
  CHECK(infinity->source.text.substr(0, 44) == "Rounding follows the platform IEEE-754 `f64`");
  CHECK(infinity->source.line == 203);
}

std::vector<std::string> audit_claims(const Document& document) {
  REQUIRE(document.kernels.size() == 1);
  std::vector<std::string> claims;
  for (const Claim& claim : document.kernels[0].claims) {
    if (claim.kind < ClaimKind::kRounding || claim.kind > ClaimKind::kDomainExact) continue;
    claims.push_back(fmt::format("{}={} {} line {}", row(claim.kind).id, claim.declared,
                                 to_string(claim.source.kind), claim.source.line));
  }
  return claims;
}

TEST_CASE("blurb, notes, text and comments are read, and in this order") {
  using List = std::vector<std::string>;
  const std::string bare = sample_with("audit:\n  rounding: nearest_even\n", "");
  CHECK(audit_claims(parse_document(bare, "a")).empty());
  CHECK(audit_claims(parse_document(replaced(bare, "A cast.", "NaN preserved."), "a")) ==
        List{"nan=preserved prose line 16"});
  CHECK(audit_claims(parse_document(
            replaced(bare, "  audited: true\n", "  audited: true\n  notes: \"NaN preserved\"\n"),
            "a")) == List{"nan=preserved prose line 43"});
  CHECK(audit_claims(parse_document(replaced(bare, "A blurb.", "A blurb. NaN\npreserved."), "a")) ==
        List{"nan=preserved prose line 12"});
  CHECK(audit_claims(parse_document(bare + "\nNaN preserved.\n", "a")) ==
        List{"nan=preserved prose line 46"});
  CHECK(audit_claims(parse_document(replaced(bare, "max_ulp: 0", "max_ulp: 0 # NaN preserved"),
                                    "a")) == List{"nan=preserved prose line 41"});
  CHECK(audit_claims(parse_document(
            replaced(bare, "  max_ulp: 0", "  # NaN\n  # preserved\n  max_ulp: 0"), "a")) ==
        List{"nan=preserved prose line 41"});
  // A comment behind a value does not go on with the one above.
  CHECK(audit_claims(parse_document(
                         replaced(bare, "  max_ulp: 0", "  # NaN\n  max_ulp: 0 # preserved"), "a"))
            .empty());
  const Document beside =
      parse_document(replaced(bare, "max_ulp: 0", "max_ulp: 0 # NaN preserved"), "a");
  CHECK(beside.kernels.at(0).claim(ClaimKind::kNan)->source.column == 16);
  // Fenced text, headings, tables and other paragraphs are no sentences of their own.
  for (const char* text : {"```\nNaN preserved\n```", "### NaN preserved", "| NaN preserved |",
                           "NaN\n\npreserved", "- NaN\n- preserved"}) {
    INFO(text);
    CHECK(audit_claims(parse_document(replaced(bare, "A blurb.", text), "a")).empty());
  }
  CHECK(
      audit_claims(parse_document(replaced(bare, "A cast.", "not # NaN preserved"), "a")).empty());
}

/// A cast without an `audit` block whose text is this.
Document with_text(const std::string& text) {
  const std::string bare = sample_with("audit:\n  rounding: nearest_even\n", "");
  return parse_document(replaced(bare, "A blurb.", text), "a");
}

TEST_CASE("what denies, narrows, hedges, asks, quotes or is about others makes no claim") {
  for (const char* text :
       {"It doesn\xE2\x80\x99t round to nearest even.",
        "It does _not_ round to nearest even.",
        "It __never__ rounds toward zero.",
        "Is NaN preserved?",
        "Is NaN preserved",
        "NaN preserved? No.",
        "Rounds toward zero, not a chance.",
        "NaN preserved, not a promise we make.",
        "It does not - sadly - round to nearest even",
        "No -- round to nearest even",
        "NaN preserved \xE2\x80\x94 not in this kernel.",
        "It is never the case (see sec. 4) that NaN preserved",
        "It is never the case (see sec. 4) NaN preserved",
        "This does not hold; NaN preserved",
        "NaN preserved; this does not hold",
        "Truncation toward zero is avoided.",
        "Truncation toward zero is forbidden.",
        "Truncation toward zero is disabled.",
        "Truncation toward zero is wrong.",
        "Avoids truncation toward zero.",
        "Prevents truncation toward zero.",
        "It is false that NaN is preserved.",
        "The claim that NaN is preserved is wrong.",
        "Dont rely on NaN preserved.",
        "NaN preserved: unspecified",
        "NaN preserved is untested",
        "Undefined: NaN preserved",
        "Nobody says NaN is preserved.",
        "Seldom rounds toward zero.",
        "Partly rounds toward zero.",
        "NaN preserved as long as it is quiet.",
        "NaN is preserved in theory.",
        "The goal: NaN preserved",
        "We want NaN preserved.",
        "It used to round to nearest even.",
        "The CUDA kernel truncates toward zero.",
        "PyTorch truncates toward zero.",
        "Kernel cast_b: NaN is preserved.",
        "Use cast_rne to get round to nearest even.",
        "Contrary to torch, NaN is preserved.",
        "The old manual said \"NaN is preserved\".",
        "\"NaN is preserved.\"",
        "\xE2\x80\x9CNaN is preserved.\xE2\x80\x9D",
        "~~NaN is preserved~~",
        "~~The kernel rounds. NaN is preserved. It rounds.~~",
        "> NaN is preserved",
        "> It rounds. NaN preserved.",
        "NaN preserved. (?)",
        "Other kernels have more.\n\n- NaN preserved",
        "Other kernels:\n\nNaN preserved.",
        "    NaN preserved",
        "<!-- Old.\n\nNaN preserved.\n\n-->",
        "NaN preserved. Not on ARM.",
        "NaN preserved. Except in rows.",
        "The payload of a NaN is preserved",
        "The sign of NaN preserved",
        "Signalling NaN preserved",
        "In f32 NaN preserved",
        "f32: NaN preserved",
        "Exact below 24 bits.",
        "Exact below 24 values.",
        "Exact below 2^24-1.",
        "Exact below 16,777,216.",
        "Exact below 2^24.5.",
        "This kernel does not promise any of these:\n\n- NaN preserved\n- rounds toward zero",
        "This kernel does not promise any of these:\n- NaN preserved\n\n1. rounds toward zero",
        "Not promised:\n\nNaN preserved.",
        "**Not promised**\n\nNaN preserved.",
        "### Not promised\n\n- NaN preserved\n- rounds toward zero",
        "### Not promised\n\nNaN preserved.\n\nRounds toward zero.",
        "Not promised\n------------\nNaN preserved."}) {
    INFO(text);
    CHECK(audit_claims(with_text(text)).empty());
  }
  using List = std::vector<std::string>;
  for (const char* text :
       {"NaN preserved.", "The result is contiguous; NaN is preserved.", "- NaN preserved",
        "Guarantees:\n\n- NaN preserved", "### Numerics\n\nNaN preserved.",
        "NaN preserved.\n\nNo padding.", "<!-- Old. -->\n\nNaN preserved.",
        "<!--\nOld.\n-->\n\nNaN preserved.", "NaN\n*preserved*.",
        "NaN preserved\n| a | b |\n|---|---|", "1. It rounds.\n\n    NaN preserved.",
        "<!-- TODO: benchmarks -->\n\nNaN preserved.",
        "### Not promised\n\nSpeed.\n\n### Special values\n\n- NaN preserved"}) {
    INFO(text);
    const List claims = audit_claims(with_text(text));
    REQUIRE(claims.size() == 1);
    CHECK(claims[0].starts_with("nan=preserved prose"));
  }
}

TEST_CASE("a sentence beside a promise may take it back, which a note tells") {
  const std::string bare = sample_with("audit:\n  rounding: nearest_even\n", "");
  const auto notes = [](const Document& document) {
    std::size_t count = 0;
    for (const Diagnostic& diagnostic : document.diagnostics) {
      count += diagnostic.kind == "ProseDisagrees" && diagnostic.severity == Severity::kNote;
    }
    return count;
  };
  for (const char* text : {"The following is false. NaN preserved.",
                           "NaN preserved. This is false.",
                           "NaN preserved. That is wrong.",
                           "Old behaviour.\n\nNaN preserved.",
                           "Do not rely on this.\n\nNaN preserved.",
                           "The next sentence is a lie.\nNaN preserved.",
                           "NaN preserved. Untrue on ARM.",
                           "NaN preserved. Broken on ARM.",
                           "NaN preserved. This holds only on ARM.",
                           "NaN preserved. That does not hold on ARM.",
                           "NaN preserved.\n\nThis is no longer true.",
                           "NaN preserved. Not on ARM.",
                           "NaN preserved. It is not so on ARM.",
                           "NaN preserved. It fails on ARM.",
                           "NaN preserved. This fails on ARM.",
                           "NaN preserved. On ARM it becomes zero.",
                           "NaN preserved. On ARM it is not.",
                           "NaN preserved. With flags they are lost.",
                           "Ignore this. NaN preserved.",
                           "None of the claims below holds. It rounds. NaN preserved."}) {
    INFO(text);
    const Document document = parse_document(replaced(bare, "A blurb.", text), "a");
    CHECK(audit_claims(document).empty());
    CHECK(notes(document) == 1);
  }
  for (const char* text :
       {"NaN preserved. This is the predecessor of cast_b.", "It does not pad. NaN preserved.",
        "The old contents of the output are not read. NaN preserved.",
        "Callers can ignore the status. NaN preserved.", "NaN preserved. It is fast.",
        "NaN preserved. On ARM, NEON is used.",
        "The following is false.\n\nSpeed.\n\nNaN preserved.",
        "Wrong.\n\nThe output is contiguous.\n\nNaN preserved."}) {
    INFO(text);
    const Document document = parse_document(replaced(bare, "A blurb.", text), "a");
    CHECK(audit_claims(document).size() == 1);
    CHECK(notes(document) == 0);
  }
  // An integer has no NaN to preserve.
  const std::string taken_back =
      replaced(replaced(bare, "[F32]", "[U32]"), "A blurb.", "NaN preserved. This is false.");
  CHECK(notes(parse_document(taken_back, "a")) == 0);
  // What a field says is said.
  const Document stated = parse_document(
      sample_with("A blurb.", "The following is false. Round to nearest even."), "a");
  CHECK(notes(stated) == 0);
}

TEST_CASE("keys in comments are no sentences") {
  const std::string bare = sample_with("audit:\n  rounding: nearest_even\n", "");
  for (const char* comment :
       {"# nan: preserved", "# notes: \"NaN preserved\"", "# audit:\n#   nan: preserved",
        "# was: NaN preserved", "# audit:\n#   NaN preserved", "# result:\n#   NaN preserved",
        "# - NaN preserved"}) {
    INFO(comment);
    const std::string text = replaced(bare, "accept:\n", std::string(comment) + "\naccept:\n");
    CHECK(audit_claims(parse_document(text, "a")).empty());
  }
}

TEST_CASE("a sentence that is no claim takes none away") {
  const std::string text = file_text("contracts/testdata/seeds/reference-cast.fkc.txt");
  const Document before = parse_document(text, "seed");
  for (const char* sentence :
       {"It doesn\xE2\x80\x99t round to nearest even.", "Truncation toward zero is avoided."}) {
    // Behind every heading, so that each kernel has it.
    std::string changed;
    for (const std::string_view line : split_lines(text)) {
      changed += std::string(line) + "\n";
      if (line.starts_with("## ")) changed += "\n" + std::string(sentence) + "\n\n";
    }
    const Document after = parse_document(changed, "seed");
    REQUIRE(after.kernels.size() == before.kernels.size());
    for (std::size_t i = 0; i < after.kernels.size(); ++i) {
      INFO(sentence << " " << after.kernels[i].kernel);
      CHECK(promises_of(after.kernels[i]) == promises_of(before.kernels[i]));
    }
  }
}

TEST_CASE("prose moves no border that an audit entry draws") {
  std::string text = replaced(std::string(kSample), "fixed(F16)", "fixed(U32)");
  text = replaced(text, "A blurb.", "Values outside [0, u32::MAX] are caller errors.");
  const auto kernel = [&](const std::string& entries) {
    const Document document =
        parse_document(replaced(text, "rounding: nearest_even\n", entries), "a");
    INFO(listing(document));
    REQUIRE(document.kernels.size() == 1);
    return document.kernels[0];
  };
  CHECK(kernel("rounding: toward_zero\n").caller_error.size() == 2);
  CHECK(kernel("rounding: toward_zero\n").caller_error_nan);
  // Both borders may occur.
  const std::vector<Interval> outside = kernel("rounding: toward_zero\n").caller_error;
  CHECK(outside[0].upper == "0");
  CHECK_FALSE(outside[0].upper_inclusive);
  CHECK(outside[1].lower == "4294967295");
  CHECK_FALSE(outside[1].lower_inclusive);
  // The entry keeps its NaN, and the domain its one interval.
  CHECK_FALSE(kernel("rounding: toward_zero\n  nan: zero\n").caller_error_nan);
  CHECK(kernel("rounding: toward_zero\n  caller_error: \"src < 0\"\n").caller_error.size() == 1);
}

TEST_CASE("a special value that a format lacks is promised nothing") {
  using List = std::vector<std::string>;
  std::string text = sample_with("audit:\n  rounding: nearest_even\n", "");
  text = replaced(text, "A cast.", "lossless widening");
  CHECK(audit_claims(parse_document(replaced(text, "[F32]", "[U32]"), "a")) ==
        List{"rounding=exact prose line 16"});
  text = replaced(text, "lossless widening", "via half::f16::from_f32");
  CHECK(audit_claims(parse_document(replaced(text, "[F32]", "[F16]"), "a")).size() == 5);
  CHECK(audit_claims(parse_document(text, "a")).size() == 6);  // overflow too
  // The largest f32 rounds to bf16's infinity: their exponents are the same.
  CHECK(audit_claims(parse_document(replaced(text, "fixed(F16)", "fixed(BF16)"), "a")).size() == 6);
}

std::vector<Diagnostic> disagreements(const Document& document) {
  std::vector<Diagnostic> found;
  for (const Diagnostic& diagnostic : document.diagnostics) {
    if (diagnostic.kind == "ProseDisagrees") found.push_back(diagnostic);
  }
  return found;
}

TEST_CASE("where prose and structure, or prose and prose disagree, a warning says so") {
  using List = std::vector<std::string>;
  Document document = parse_document(sample_with("A cast.", "Rounds toward zero."), "a");
  auto found = disagreements(document);
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::kWarning);
  CHECK(found[0].line == 16);
  CHECK(found[0].column == 9);
  CHECK(found[0].message ==
        "this says rounding: toward_zero, and the contract says nearest_even elsewhere");
  CHECK(audit_claims(document) == List{"rounding=nearest_even audit line 45"});

  document = parse_document(sample_with("A cast.", "Round to nearest even."), "a");
  CHECK(disagreements(document).empty());

  const std::string bare = sample_with("audit:\n  rounding: nearest_even\n", "");
  document = parse_document(
      replaced(replaced(bare, "A cast.", "Rounds toward zero."), "A blurb.",
               "Rounds to nearest, ties to even. Rounds toward zero. To nearest, ties to even."),
      "a");
  found = disagreements(document);
  REQUIRE(found.size() == 1);
  CHECK(found[0].line == 12);
  CHECK(audit_claims(document).empty());
  // What both say is not lost: it is shown, and left open.
  REQUIRE(document.kernels.at(0).disputed.size() == 1);
  const Claim* disputed = document.kernels[0].disputed_claim(ClaimKind::kRounding);
  REQUIRE(disputed != nullptr);
  CHECK(disputed->declared == "toward_zero or nearest_even");
  CHECK(disputed->source.text == "Rounds toward zero.");
  CHECK(disputed->source.line == 16);
  CHECK(disputed->source.column == 9);
  CHECK(document.kernels[0].disputed_claim(ClaimKind::kNan) == nullptr);

  document = parse_document(sample_with("A cast.", "bit-identical everywhere"), "a");
  found = disagreements(document);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "this says bitwise: bitwise, and the contract says same_hardware_bitwise elsewhere");
  CHECK(document.kernels.at(0).claim(ClaimKind::kBitwise) == nullptr);
}

TEST_CASE("prose takes time in proportion to its length") {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "nan preserved not ";
  CHECK(promised(text, OpFamily::kCast).empty());
  text = "result";
  for (int i = 0; i < 200000; ++i) text += " nan preserved";
  CHECK(promised(text, OpFamily::kCast).size() == 200000);
}

}  // namespace
}  // namespace assay::fkc
