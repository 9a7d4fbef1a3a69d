// Pages for browsers: what they show, and that nothing in a record can become a part of them.
#include "reports/html.h"

#include <algorithm>
#include <limits>
#include <set>

#include "contracts/testing/catch.h"
#include "reports/html_bits.h"
#include "reports/html_chart.h"
#include "reports/html_style.h"
#include "reports/html_text.h"
#include "reports/testing/contains.h"
#include "reports/testing/conv_record.h"
#include "reports/testing/golden.h"
#include "reports/testing/html_reader.h"
#include "reports/testing/sample_record.h"

namespace assay {
namespace {

using testing::attribute;
using testing::contains;
using testing::HtmlElement;
using testing::HtmlPage;
using testing::read_html;

/// A page as golden files keep it: the style sheet is none of their business.
std::string without_style(std::string page) {
  const std::size_t at = page.find(html_style());
  REQUIRE(at != std::string::npos);
  return page.replace(at, html_style().size(), "");
}

std::vector<RenderedFile> all_pages() {
  std::vector<RenderedFile> pages;
  for (const RunRecord& record :
       {testing::sample_record(), testing::hostile_record(), testing::conv_record(), RunRecord{}}) {
    for (RenderedFile& file : render_html(record)) pages.push_back(std::move(file));
  }
  return pages;
}

TEST_CASE("the pages of the sample record for browsers") {
  const std::vector<RenderedFile> files = render_html(testing::sample_record());
  REQUIRE(files.size() == 4);
  CHECK(files[0].name == "index.html");
  CHECK(files[1].name == "cast.html");
  CHECK(files[2].name == "Cast-2.html");
  CHECK(files[3].name == "index-2.html");
  testing::check_golden("sample.index.html", without_style(files[0].content));
  testing::check_golden("sample.cast.html", without_style(files[1].content));
  testing::check_golden("sample.not_run.html", without_style(files[2].content));
  testing::check_golden("hostile.page.html",
                        without_style(render_html(testing::hostile_record())[1].content));
}

TEST_CASE("pages are well-formed, load nothing and run nothing, whatever a contract says") {
  const std::set<std::string> kElements = {
      "html",   "head",    "meta",    "title",   "style",      "body",  "a",    "header", "main",
      "footer", "section", "nav",     "h1",      "h2",         "h3",    "p",    "dl",     "div",
      "dt",     "dd",      "table",   "caption", "thead",      "tbody", "tr",   "th",     "td",
      "code",   "pre",     "span",    "mark",    "strong",     "br",    "wbr",  "ul",     "li",
      "q",      "details", "summary", "figure",  "figcaption", "svg",   "rect", "line",   "text"};
  const std::set<std::string> kAttributes = {
      "lang",  "charset", "name",    "content",  "http-equiv", "class",
      "href",  "id",      "role",    "tabindex", "aria-label", "aria-labelledby",
      "scope", "open",    "viewBox", "x",        "y",          "x1",
      "x2",    "y1",      "y2",      "width",    "height",     "text-anchor"};
  for (const RenderedFile& file : all_pages()) {
    const HtmlPage page = read_html(file.content);
    INFO(file.name);
    for (const std::string& fault : page.faults) FAIL_CHECK(fault);
    for (const HtmlElement& element : page.elements) {
      INFO(element.name << " " << element.text);
      CHECK(kElements.contains(element.name));
      for (const testing::HtmlAttribute& given : element.attributes) {
        INFO(given.name << " = " << given.value);
        CHECK(kAttributes.contains(given.name));
      }
    }
    for (const char forbidden : {'\x1b', '\xff', '\x00', '\r'}) {
      CHECK(file.content.find(forbidden) == std::string::npos);
    }
  }
}

TEST_CASE("links lead to a place on the page or to another page of the report") {
  RunRecord twice = testing::sample_record();  // two kernels on one page
  twice.kernels.insert(twice.kernels.begin(), twice.kernels.front());
  for (const RunRecord& record : {testing::sample_record(), testing::hostile_record(), twice}) {
    const std::vector<RenderedFile> files = render_html(record);
    std::set<std::string> names;
    for (const RenderedFile& file : files) names.insert(file.name);
    for (const RenderedFile& file : files) {
      const HtmlPage page = read_html(file.content);
      std::set<std::string> ids;
      for (const HtmlElement& element : page.elements) {
        const std::string id = attribute(element, "id");
        if (!id.empty()) CHECK(ids.insert(id).second);
      }
      int links = 0;
      for (const HtmlElement& element : page.elements) {
        const std::string label = attribute(element, "aria-labelledby");
        if (!label.empty()) CHECK(ids.contains(label));
        if (element.name != "a") continue;
        ++links;
        const std::string target = attribute(element, "href");
        INFO(file.name << ": " << target);
        CHECK((target.starts_with("#") ? ids.contains(target.substr(1)) : names.contains(target)));
      }
      CHECK(links > 0);
    }
  }
}

TEST_CASE("what is wrong comes first, in words") {
  const std::string page = render_html(testing::sample_record())[1].content;
  const auto at = [&](const std::string& words) {
    INFO(words);
    const std::size_t found = page.find(words);
    CHECK(found != std::string::npos);
    return found;
  };
  CHECK(at("<dt>refuted</dt>") < at("<h2 id=\"refuted\">"));
  CHECK(at("The weakest evidence behind an upheld claim") < at("<h2 id=\"refuted\">"));
  CHECK(at("<h2 id=\"refuted\">") < at("<h2 id=\"kernels\">"));
  CHECK(at("REFUTED</span>") < at("<h3>Pictures</h3>"));
  at("a tie is rounded away from zero instead of to even");
  at("assay repro cast_f32_f16/scalar/precision.max_ulp/3f801000");
  at("all bit patterns of f32");
  at("4,294,967,296");
}

TEST_CASE("an incomplete run says so on every page") {
  RunRecord record = testing::sample_record();
  CHECK_THAT(render_html(record)[0].content, !contains("INCOMPLETE"));
  record.run.complete = false;
  record.run.incomplete = "interrupted";
  for (const RenderedFile& file : render_html(record)) {
    CHECK_THAT(file.content, contains("<strong>INCOMPLETE.</strong>") && contains("(interrupted)"));
  }
}

TEST_CASE("an index without kernels says that there are none") {
  const std::vector<RenderedFile> files = render_html(RunRecord{});
  REQUIRE(files.size() == 1);
  CHECK_THAT(files[0].content,
             contains("No kernel was audited.") && contains("No claim about numbers is upheld."));
}

TEST_CASE("a counterexample is laid out in sign, exponent and significand") {
  Counterexample example;
  example.inputs = {{"x", "f32", {1}, {"0xbf801000"}, {"-1.0004883"}}};
  example.got = {"y", "f16", {1}, {"0x3c01"}, {"1.001"}};
  example.expected = {"y", "f16", {1}, {"0xbc00"}, {"-1"}};
  example.why = "the sign is lost";
  const std::string html = html_counterexample(example);
  const auto bits = [](const std::string& text) {
    return "<span class=\"bits\">" + text + "</span></td>";
  };
  CHECK_THAT(html, contains(bits("1") + "<td>" + bits("01111111").substr(0) + "<td>" +
                            bits("00000000001000000000000")));
  CHECK_THAT(html, contains(bits("1") + "<td>" + bits("01111") + "<td>" + bits("0000000000")));
  // What came differs from what is due in the sign and in the last bit.
  CHECK_THAT(html, contains(bits("<mark>0</mark>") + "<td>" + bits("01111") + "<td>" +
                            bits("000000000<mark>1</mark>")));
}

TEST_CASE("bits that are none are shown and not laid out") {
  for (const char* bits : {"", "0x", "0xzz", "12", "0x3c01ffffffffffffffffff", "<b>"}) {
    Counterexample example;
    example.got = example.expected = {"y", "f16", {1}, {bits}, {"?"}};
    const std::string html = html_counterexample(example);
    INFO(bits);
    CHECK_THAT(html, !contains("class=\"bits\""));
    CHECK(read_html("<!DOCTYPE html>\n" + html).faults.empty());
  }
  Counterexample unknown;
  unknown.got = {"y", "f12", {1}, {"0x3c01"}, {"?"}};
  CHECK_THAT(html_counterexample(unknown), !contains("class=\"bits\""));
}

TEST_CASE("a value of the format is its own neighbour, a gap in it has two") {
  Counterexample example;
  example.got = {"y", "f16", {1}, {"0x3c01"}, {"1.001"}};
  example.exact =
      ExactRecord{"1 (0x1p+0)", ValueRecord{"0x3c00", "1"}, ValueRecord{"0x3c00", "1"}, ""};
  CHECK_THAT(html_counterexample(example),
             contains("the same in f16") && !contains("neighbour") && !contains("halfway"));
  example.exact->above = ValueRecord{"0x3c01", "1.001"};
  example.exact->midpoint = "1.0005";
  CHECK_THAT(html_counterexample(example),
             contains("neighbour below") && contains("neighbour above") && contains("halfway"));
  example.exact->above.reset();
  CHECK_THAT(html_counterexample(example), !contains("neighbour above"));
}

double height_of(const HtmlElement& bar) {
  return std::stod(attribute(bar, "height"));
}

std::vector<HtmlElement> bars_of(const std::string& figure) {
  const HtmlPage page = read_html("<!DOCTYPE html>\n" + figure);
  for (const std::string& fault : page.faults) FAIL_CHECK(fault);
  std::vector<HtmlElement> bars;
  for (const HtmlElement& element : page.elements) {
    if (element.name == "rect") bars.push_back(element);
  }
  return bars;
}

TEST_CASE("bars are as high as their values, and as broad as they are said to be") {
  Chart chart{"title", "axis", "measure", {"one"}, {}, false, false, ""};
  CHECK(html_chart(chart).empty());
  chart.bars = {{"a", 1, {4.0}}, {"b", 3, {2.0}}, {"c", 1, {0.0}}, {"d", 1, {std::nullopt}}};
  const std::string figure = html_chart(chart);
  const std::vector<HtmlElement> bars = bars_of(figure);
  REQUIRE(bars.size() == 2);
  const double ratio = height_of(bars[0]) / height_of(bars[1]);
  CHECK((ratio > 1.99 && ratio < 2.01));
  CHECK(std::stod(attribute(bars[1], "width")) > 2.5 * std::stod(attribute(bars[0], "width")));
  CHECK_THAT(figure, contains("<th scope=\"row\">a</th><td>4</td>") &&
                         contains("<th scope=\"row\">c</th><td>0</td>") &&
                         contains("<th scope=\"row\">d</th><td>not known</td>"));
}

TEST_CASE("of two series one may be unknown where the other is not") {
  const Chart chart{"title", "axis", "measure", {"one", "two"}, {{"a", 1, {std::nullopt, 3.0}}},
                    false,   false,  ""};
  const std::string figure = html_chart(chart);
  const std::vector<HtmlElement> bars = bars_of(figure);
  REQUIRE(bars.size() == 1);
  CHECK(attribute(bars[0], "class") == "s1");
  CHECK_THAT(figure, contains("<td>not known</td><td>3</td>"));
}

TEST_CASE("by the logarithm one among billions is still seen, and none is not") {
  const Chart chart{"title",
                    "axis",
                    "results",
                    {"one"},
                    {{"few", 1, {1.0}}, {"none", 1, {0.0}}, {"most", 1, {4294967295.0}}},
                    true,
                    true,
                    ""};
  const std::string figure = html_chart(chart);
  const std::vector<HtmlElement> bars = bars_of(figure);
  REQUIRE(bars.size() == 2);
  CHECK(height_of(bars[0]) > 3);
  CHECK(height_of(bars[1]) > 20 * height_of(bars[0]));
  CHECK_THAT(figure, contains("<td>4,294,967,295</td>"));
}

TEST_CASE("an infinite value is drawn to the top and told in words") {
  const Chart chart{"title",
                    "axis",
                    "measure",
                    {"one"},
                    {{"a", 1, {std::numeric_limits<double>::infinity()}}, {"b", 1, {1.0}}},
                    false,
                    false,
                    ""};
  const std::string figure = html_chart(chart);
  const std::vector<HtmlElement> bars = bars_of(figure);
  REQUIRE(bars.size() == 2);
  CHECK(height_of(bars[0]) >= height_of(bars[1]));
  CHECK_THAT(figure, contains("<td>infinity</td>"));
}

TEST_CASE("every picture has its data as a table") {
  for (const RenderedFile& file : all_pages()) {
    const HtmlPage page = read_html(file.content);
    const auto count = [&](const std::string& name) {
      return std::ranges::count(page.elements, name, &HtmlElement::name);
    };
    INFO(file.name);
    CHECK(count("svg") == count("figure"));
    std::size_t at = 0;
    for (std::ptrdiff_t i = 0; i < count("figure"); ++i) {
      at = file.content.find("<figure>", at);
      const std::size_t end = file.content.find("</figure>", at);
      const std::size_t table = file.content.find("<table>", at);
      CHECK(table < end);
      at = end;
    }
  }
  CHECK_THAT(render_html(testing::sample_record())[1].content, contains("<figure>"));
}

TEST_CASE("text is escaped, and code may break after separators only") {
  CHECK(html_text("<a href=\"x\">'&'") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;");
  CHECK(html_code("a_b/c.d-e") == "<code>a_<wbr>b/<wbr>c.<wbr>d-e</code>");
  CHECK(html_code("").empty());
}

}  // namespace
}  // namespace assay
