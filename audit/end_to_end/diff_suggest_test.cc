// `assay diff` and `assay suggest` as their users run them: on reports of audits, and with git.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "audit/end_to_end/testing/program.h"
#include "contracts/testing/catch.h"
#include "reports/json.h"
#include "reports/reader.h"
#include "reports/testing/schema.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using testing::Folder;
using testing::Outcome;
using testing::run_program;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The front matter and the section of one kernel of the reference casts.
std::string section_of(const std::string& kernel) {
  const std::string text = read(ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md");
  const std::size_t front = text.find("\n## ");
  const std::size_t begin = text.find("\n## " + kernel);
  const std::size_t end = text.find("\n## ", begin + 1);
  return text.substr(0, front) + text.substr(begin, end == text.npos ? text.npos : end - begin) +
         (end == text.npos ? "" : "\n");
}

std::string without(std::string text, const std::string& from, const std::string& to = "") {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

constexpr const char* kPromises =
    "audit:\n  rounding: nearest_even\n  overflow: infinity\n  nan: preserved\n  infinity: "
    "preserved\n  signed_zero: preserved\n  subnormals: preserved\n";

/// A cast of 16 bits, which a quick audit tries exhaustively, without its promises.
std::string open_contract() {
  const std::string text = section_of("cast_bf16_to_f16");
  return without(without(text, kPromises), "max_ulp: ~", "max_ulp: 5");
}

Outcome shell(const std::string& command) {
  return run_program("--version >/dev/null; " + command);
}

TEST_CASE("reports of audits come back byte for byte, and differ in nothing from themselves") {
  const Folder folder;
  const std::string contract = (folder.path() / "a.fkc.md").string();
  write(contract, section_of("cast_bf16_to_f16"));
  REQUIRE(run_program("audit " + contract + " --effort quick --quiet --out " +
                      (folder.path() / "one").string())
              .status == 0);
  const std::string path = (folder.path() / "one/report.json").string();
  CHECK(json_report(read_report_file(path)) == read(path));
  const Outcome same = run_program("diff " + path + " " + path);
  CHECK(same.status == 0);
  CHECK(has(same.text, "\nno changes\n"));

  // Fewer variants are a regression, and the reverse is none.
  REQUIRE(run_program("audit " + contract + " --effort quick --quiet --variant scalar --out " +
                      (folder.path() / "two").string())
              .status == 0);
  const std::string fewer = (folder.path() / "two/report.json").string();
  const std::string out = (folder.path() / "diff.json").string();
  const Outcome less = run_program("diff " + path + " " + fewer + " --format json --out " + out);
  CHECK(less.status == 1);
  CHECK(has(read(out), "\"variant_gone\""));
  CHECK(testing::schema_faults(read(out), "assay-diff-1.schema.json") ==
        std::vector<std::string>{});
  const Outcome more = run_program("diff " + fewer + " " + path + " --format markdown");
  CHECK(has(more.text, "variant is new"));
  CHECK(!has(more.text, "variant is gone"));
}

TEST_CASE("what is no report ends with status 2, its name and its place") {
  const Folder folder;
  const fs::path bad = folder.path() / "bad.json";
  write(bad, "{\n \"schema\": \"assay-report/9\"\n}\n");
  const Outcome outcome = run_program("diff " + bad.string() + " " + bad.string());
  CHECK(outcome.status == 2);
  CHECK(has(outcome.text, "bad.json:2: schema: the report has the form \"assay-report/9\""));
  CHECK(run_program("diff " + bad.string()).status == 2);
  CHECK(run_program("diff /no/such /no/such").status == 2);
  CHECK(run_program("suggest " + bad.string() + " --report " + bad.string()).status == 2);
}

TEST_CASE("a suggestion is applied by git, lints clean, and is upheld") {
  std::string crlf = open_contract();
  for (std::size_t at = 0; (at = crlf.find('\n', at)) != std::string::npos; at += 2) {
    crlf.insert(at, "\r");
  }
  const std::string flow =
      without(open_contract(), "  audited: true\n", "  audited: true\n# the end\n");
  for (const std::string& text : {open_contract(), crlf, flow}) {
    const Folder folder;
    const std::string in_folder = "cd " + folder.path().string() + " && ";
    fs::create_directory(folder.path() / "my contracts");
    const fs::path contract = folder.path() / "my contracts" / "a.fkc.md";
    write(contract, text);
    const std::string audit = std::string(ASSAY_PROGRAM) +
                              " audit 'my contracts/a.fkc.md' --effort quick --quiet --out out";
    REQUIRE(shell(in_folder + audit).status == 0);
    const Outcome suggested =
        shell(in_folder + ASSAY_PROGRAM +
              " suggest 'my contracts/a.fkc.md' --report out/report.json --out p.patch");
    INFO(suggested.text);
    REQUIRE(suggested.status == 0);
    const std::string patch = read(folder.path() / "p.patch");
    INFO(patch);
    CHECK(has(patch, "# cast_bf16_to_f16: precision.max_ulp: 5 -> 0\n# evidence: exhaustive, "));
    CHECK(has(patch, "\n+  max_ulp: 0"));
    for (const char* key : {"rounding: nearest_even", "nan: preserved", "overflow: infinity"}) {
      CHECK(has(patch, std::string("\n+  ") + key));
    }
    const Outcome applied =
        shell(in_folder + "git init -q . && git apply --whitespace=nowarn p.patch");
    INFO(applied.text);
    REQUIRE(applied.status == 0);
    const std::string after = read(contract);
    CHECK(has(after, "rounding: nearest_even"));
    CHECK(has(after, "\r\n") == has(text, "\r\n"));

    const Outcome lint = shell(in_folder + ASSAY_PROGRAM + " lint 'my contracts/a.fkc.md'");
    INFO(lint.text);
    CHECK(lint.status == 0);
    CHECK(has(lint.text, " 0 errors, 0 warnings"));
    REQUIRE(shell(in_folder + audit).status == 0);
    const RunRecord record = read_report_file(folder.path() / "out/report.json");
    for (const VariantRecord& variant : record.kernels.at(0).variants) {
      for (const ClaimRecord& claim : variant.claims) {
        if (claim.source.kind == SourceKind::kAuditEntry || claim.id == "precision.max_ulp") {
          CHECK(claim.verdict == Verdict::kUpheld);
        }
      }
    }
    // It says all that the evidence does; a report of before is not about it any more.
    const Outcome again = shell(in_folder + ASSAY_PROGRAM +
                                " suggest 'my contracts/a.fkc.md' --report out/report.json");
    CHECK(again.status == 0);
    CHECK(has(again.text, "nothing can be tightened"));
    CHECK(!has(again.text, "+++"));
  }
}

TEST_CASE("suggest audits by itself, and changes no file") {
  const Folder folder;
  const fs::path contract = folder.path() / "a.fkc.md";
  write(contract, open_contract());
  const Outcome outcome =
      run_program("suggest " + contract.string() + " --effort quick --variant scalar");
  INFO(outcome.text);
  CHECK(outcome.status == 0);
  CHECK(has(outcome.text, "\n+  max_ulp: 0"));
  CHECK(has(outcome.text, "probes or more on each of scalar: "));
  CHECK(has(outcome.text, "# file names are relative to /"));
  CHECK(read(contract) == open_contract());
  CHECK(fs::directory_iterator(folder.path()) != fs::directory_iterator());
  // A margin without --from-samples, and the reverse, is a misunderstanding.
  CHECK(run_program("suggest " + contract.string() + " --margin 5").status == 2);
  CHECK(run_program("suggest " + contract.string() + " --from-samples").status == 2);
}

}  // namespace
}  // namespace assay
