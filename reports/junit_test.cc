#include "reports/junit.h"

#include <algorithm>
#include <regex>
#include <set>

#include "contracts/testing/catch.h"
#include "reports/rollup.h"
#include "reports/testing/contains.h"
#include "reports/testing/conv_record.h"
#include "reports/testing/golden.h"
#include "reports/testing/sample_record.h"
#include "reports/xml_text.h"

namespace assay {
namespace {

using testing::contains;

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// The sums of the suites' own counts.
std::size_t counted_in(const std::string& xml, const std::string& what) {
  std::size_t sum = 0;
  const std::regex pattern(" " + what + "=\"([0-9]+)\"");
  for (std::sregex_iterator found(xml.begin(), xml.end(), pattern), end; found != end; ++found) {
    sum += std::stoul((*found)[1]);
  }
  return sum;
}

/// What stands between the test case's tags; empty for one that passed.
std::string case_of(const std::string& xml, const std::string& name) {
  const std::size_t at = xml.find(" name=\"" + name + "\" time=\"0\"");
  REQUIRE(at != std::string::npos);
  const std::size_t close = xml.find('>', at);
  if (xml[close - 1] == '/') return "";
  return xml.substr(close + 1, xml.find("</testcase>", close) - close - 1);
}

TEST_CASE("the JUnit reports of the records") {
  testing::check_golden("sample.junit.xml", junit_report(testing::sample_record()));
  testing::check_golden("conv.junit.xml", junit_report(testing::conv_record()));
}

TEST_CASE("there is one test case for each claim and variant, and the counts are theirs") {
  for (const RunRecord& record : {testing::sample_record(), testing::hostile_record(),
                                  testing::conv_record(), testing::crowded_record()}) {
    const std::string xml = junit_report(record);
    const Summary sum = record.summary();
    std::size_t not_run = 0;
    std::size_t open = 0;
    for (const KernelRecord& kernel : record.kernels) {
      not_run += was_not_run(kernel) ? 1 : 0;
      for (const VariantRecord& variant : kernel.variants) {
        for (const ClaimRecord& claim : variant.claims) {
          open += is_open(record.run, kernel, claim) ? 1 : 0;
        }
      }
    }
    const std::size_t errors = open + not_run + (record.run.complete ? 0 : 1);
    const std::size_t skipped = sum.unclaimed + sum.undecided + sum.error - open;
    const std::size_t cases =
        1 + not_run + sum.upheld + sum.refuted + sum.unclaimed + sum.undecided + sum.error;
    CHECK(times(xml, "<testcase ") == cases);
    CHECK(counted_in(xml, "tests") == cases);
    CHECK(times(xml, "<failure ") == sum.refuted);
    CHECK(counted_in(xml, "failures") == sum.refuted);
    CHECK(times(xml, "<error ") == errors);
    CHECK(counted_in(xml, "errors") == errors);
    CHECK(times(xml, "<skipped>") == skipped);
    CHECK(counted_in(xml, "skipped") == skipped);

    std::set<std::string> names;
    const std::regex pattern("<testcase (classname=\"[^\"]*\" name=\"[^\"]*\")");
    for (std::sregex_iterator found(xml.begin(), xml.end(), pattern), end; found != end; ++found) {
      names.insert((*found)[1]);
    }
    CHECK(names.size() == cases);
  }
}

TEST_CASE("each verdict is what its test says") {
  const std::string xml = junit_report(testing::sample_record());
  CHECK(case_of(xml, "rounding [scalar]").empty());
  const std::string refuted = case_of(xml, "precision.max_ulp [SSE4]");
  CHECK_THAT(refuted,
             contains("<failure type=\"refuted\" message=\"a tie is rounded away from zero "
                      "instead of to even\">"));
  CHECK_THAT(refuted, contains("0x3f801000") && contains("got 0x3c01") && contains("0x3c00"));
  CHECK_THAT(refuted, contains("contracts/reference/cast.fkc.md:28"));
  CHECK_THAT(refuted, contains("--variant SSE4 --effort standard --seed 42\n"));
  CHECK_THAT(case_of(xml, "nan [scalar]"), contains("<skipped>unclaimed: "));
  const std::string undecided = case_of(xml, "bitwise [scalar]");
  CHECK_THAT(undecided, contains("<error type=\"undecided\" message=\"undecided: the time budget "
                                 "ran out before any probe"));
  CHECK_THAT(undecided, contains("--only cast_f32_f16 --effort standard --seed 42\n"));
  CHECK_THAT(
      case_of(xml, "in_bounds [AVX2]"),
      contains("<error type=\"error\" message=\"the kernel crashed: SIGSEGV at length 17\">"));
  CHECK_THAT(case_of(xml, "the kernel is audited"),
             contains("<error type=\"not run\" message=\"not run: no kernel is registered under"));
  CHECK(case_of(xml, "the audit comes to its end").empty());
  // Two contracts whose pages clash are two packages.
  CHECK_THAT(xml, contains("classname=\"cast.cast_f32_f16\"") &&
                      contains("classname=\"Cast-2.cast_f64_f16\""));
}

TEST_CASE("a comparison of variants that is not owed is skipped") {
  RunRecord record = testing::sample_record();
  record.run.variants = {"scalar"};
  CHECK_THAT(case_of(junit_report(record), "bitwise [scalar]"), contains("<skipped>undecided: "));
}

TEST_CASE("an audit that is incomplete, or ran nothing, is in error") {
  RunRecord record = testing::sample_record();
  record.run.complete = false;
  record.run.incomplete = "interrupted";
  CHECK_THAT(case_of(junit_report(record), "the audit comes to its end"),
             contains("<error type=\"incomplete\" message=\"incomplete: interrupted\">"));
  record = testing::sample_record();
  for (KernelRecord& kernel : record.kernels) kernel.variants.clear();
  const std::string nothing = "<error type=\"nothing run\" message=\"no kernel was run\">";
  CHECK_THAT(case_of(junit_report(record), "the audit comes to its end"), contains(nothing));
  CHECK_THAT(case_of(junit_report(RunRecord{}), "the audit comes to its end"), contains(nothing));
}

TEST_CASE("claims with one id have names of their own") {
  RunRecord record = testing::sample_record();
  std::vector<ClaimRecord>& claims = record.kernels[0].variants[0].claims;
  claims.push_back(claims[1]);
  CHECK(case_of(junit_report(record), "rounding #2 [scalar]").empty());
}

TEST_CASE("hostile words stay text of the document") {
  const std::string xml = junit_report(testing::hostile_record());
  testing::check_golden("hostile.junit.xml", xml);
  CHECK(xml.find("<script") == std::string::npos);
  for (const char c : xml) {
    const auto byte = static_cast<unsigned char>(c);
    CHECK((byte == '\n' || (byte >= 0x20 && byte < 0x7f)));
  }
}

TEST_CASE("what XML may not have is shown") {
  using namespace std::string_literals;
  CHECK(xml_line("a<b>&\"c\" ]]>") == "a&lt;b&gt;&amp;&quot;c&quot; ]]&gt;");
  CHECK(xml_line("a\nb\tc") == "a b c");
  CHECK(xml_line("\0\x1b\x7f"s) == "\\u{0}\\u{1b}\\u{7f}");
  CHECK(xml_line("\xff\xed\xa0\x80") == "\\xff\\xed\\xa0\\x80");  // a lone surrogate
  CHECK(xml_line("\xef\xbf\xbe|\xef\xbf\xbf|\xef\xbf\xbd") == "\\u{fffe}|\\u{ffff}|\xef\xbf\xbd");
  CHECK(xml_line("\xc3\xa9 \xf0\x9f\x99\x82") == "\xc3\xa9 \xf0\x9f\x99\x82");
}

}  // namespace
}  // namespace assay
