#include "reports/markdown.h"
#include "reports/pages.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "contracts/testing/catch.h"
#include "reports/markdown_text.h"
#include "reports/testing/contains.h"
#include "reports/testing/golden.h"
#include "reports/testing/sample_record.h"

namespace assay {
namespace {

using testing::contains;

TEST_CASE("the pages of the sample record") {
  const std::vector<RenderedFile> files = render_markdown(testing::sample_record());
  REQUIRE(files.size() == 4);
  CHECK(files[0].name == "index.md");
  // A contract may not take the index's name, nor one that differs in letter case only.
  CHECK(files[1].name == "cast.md");
  CHECK(files[2].name == "Cast-2.md");
  CHECK(files[3].name == "index-2.md");
  testing::check_golden("sample.index.md", files[0].content);
  testing::check_golden("sample.cast.md", files[1].content);
  testing::check_golden("sample.not_run.md", files[2].content);
  CHECK_THAT(files[0].content, contains("(cast.md)") && contains("(Cast-2.md)"));
}

TEST_CASE("an empty record gives an index that says so") {
  const std::vector<RenderedFile> files = render_markdown(RunRecord{});
  REQUIRE(files.size() == 1);
  CHECK_THAT(files[0].content, contains("No kernel was audited."));
}

TEST_CASE("counts that do not add up are said") {
  RunRecord record = testing::sample_record();
  record.kernels[0].variants[0].claims[0].planned += 1;
  const std::string page = render_markdown(record)[1].content;
  CHECK_THAT(page, contains("191,490 of 191,503 planned (does not add up: 12 excluded)"));
  CHECK_THAT(render_markdown(testing::sample_record())[1].content, !contains("add up"));
}

TEST_CASE("variants share a row only where every number is the same") {
  RunRecord record = testing::sample_record();
  record.kernels.resize(1);
  CHECK_THAT(render_markdown(record)[1].content, contains("`precision.max_ulp` on scalar, SSE4\n"));
  record.kernels[0].variants[1].claims[0].violations += 1;
  const std::string page = render_markdown(record)[1].content;
  CHECK_THAT(page, contains("`precision.max_ulp` on scalar\n"));
  CHECK_THAT(page, contains("`precision.max_ulp` on SSE4\n"));
  CHECK_THAT(page, contains("1,025 of 191,490 probes"));
}

TEST_CASE("the condition of the worst sum stands beside its error") {
  RunRecord record = testing::sample_record();
  Measured& measured = record.kernels[0].variants[0].claims[1].measured;
  const std::string head = "| exact result there | `1.00048828125 (0x1.002p+0)` |\n";
  const std::string row = "| condition there (magnitudes of the terms over that of their sum) | ";
  CHECK_THAT(render_markdown(record)[1].content, contains(head) && !contains(row));
  measured.condition = 1234567.8;
  CHECK_THAT(render_markdown(record)[1].content, contains(head + row + "1.235e+06 |\n"));
  measured.condition = std::numeric_limits<double>::infinity();
  CHECK_THAT(render_markdown(record)[1].content,
             contains(head + row + "infinity (the exact sum is 0) |\n"));
}

TEST_CASE("hostile names change nothing of a page's structure") {
  const std::vector<RenderedFile> files = render_markdown(testing::hostile_record());
  REQUIRE(files.size() == 2);
  testing::check_golden("hostile.index.md", files[0].content);
  testing::check_golden("hostile.page.md", files[1].content);
  for (const RenderedFile& file : files) {
    std::istringstream lines(file.content);
    std::ptrdiff_t columns = 0;  // of the table that the line is in
    bool in_block = false;       // of the command, where nothing has a meaning but its end
    for (std::string line; std::getline(lines, line);) {
      INFO(file.name << ": " << line);
      if (line.starts_with("```")) in_block = !in_block;
      if (in_block) continue;
      CHECK(line.find("<script") == std::string::npos);
      CHECK(line.find('\x1b') == std::string::npos);
      CHECK(line.find('\xff') == std::string::npos);
      CHECK(!line.starts_with("# heading"));
      CHECK(line.find("[link](") == std::string::npos);
      if (!line.starts_with("|")) {
        columns = 0;
        CHECK(line.find('|') == std::string::npos);
        continue;
      }
      const std::ptrdiff_t pipes = std::ranges::count(line, '|');
      if (columns == 0) columns = pipes;
      CHECK(pipes == columns);
    }
    CHECK(!in_block);
  }
}

TEST_CASE("page names come from contract names and stay plain files") {
  CHECK(page_stem("contracts/reference/cast.fkc.md") == "cast");
  CHECK(page_stem("cast.md") == "cast");
  CHECK(page_stem("cast") == "cast");
  CHECK(page_stem("a b$(c)\n.fkc.md") == "a-b--c--");
  CHECK(page_stem("../..") == "contract");
  CHECK(page_stem(".fkc.md") == "contract");
  CHECK(page_stem("") == "contract");
  CHECK(page_stem(std::string(1000, 'x')).size() == 200);
}

TEST_CASE("text and code are escaped") {
  CHECK(md_text("a|b<c>&d") == "a&#124;b&#60;c&#62;&#38;d");
  CHECK(md_text("`*_[x](y)!$#~\\") == "\\`\\*\\_\\[x\\](y)\\!\\$\\#\\~\\\\");
  CHECK(md_text("max_ulp _x_ a__b") == "max_ulp \\_x\\_ a\\_\\_b");
  CHECK(md_text("a\nb") == "a b");
  CHECK(md_code("") == "");
  CHECK(md_code("0x3c00 <*_>") == "`0x3c00 <*_>`");
  CHECK(md_code("a`b") == "<code>a&#96;b</code>");
  CHECK(md_code("a|b*<") == "<code>a&#124;b&#42;&#60;</code>");
  CHECK(md_code(" x") == "<code> x</code>");
  // What mdBook would take for a command of its own.
  CHECK(md_text("{{#include /etc/passwd}}") == "&#123;{\\#include /etc/passwd}}");
  CHECK(md_code("{{#include /etc/passwd}}") == "<code>&#123;{&#35;include /etc/passwd}}</code>");
  CHECK(md_code("f{x}") == "`f{x}`");
  CHECK(md_text("{{{a}}}") == "&#123;&#123;{a}}}");
  CHECK(md_shell_block("a {{#include b}}") == "<code>a &#123;{&#35;include b}}</code>\n\n");
  CHECK(md_shell_block("a `b` ````c") == "`````sh\na `b` ````c\n`````\n\n");
  CHECK(md_shell_block("a") == "```sh\na\n```\n\n");
  CHECK(md_head({"a", "b"}) == "| a | b |\n| --- | --- |\n");
}

}  // namespace
}  // namespace assay
