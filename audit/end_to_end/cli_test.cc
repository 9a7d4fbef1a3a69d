// The program as its users see it: arguments, exit status, files.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "audit/end_to_end/testing/program.h"
#include "audit/end_to_end/testing/report.h"
#include "contracts/testing/catch.h"
#include "reports/testing/schema.h"

namespace {

namespace fs = std::filesystem;

using assay::testing::Folder;
using assay::testing::Outcome;
using assay::testing::read;
using assay::testing::report;
using assay::testing::without_times;

Outcome assay(const std::string& arguments) {
  return assay::testing::run_program(arguments);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kContract = ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md";
const std::string kQuick = " --effort quick --only cast_f32_to_f16 ";

TEST_CASE("a quick audit ends with status 0 and a report that fits its schema") {
  const Folder folder;
  const Outcome outcome =
      assay("audit " + kContract + " --effort quick --out " + folder.path().string());
  INFO(outcome.text);
  REQUIRE(outcome.status == 0);
  REQUIRE(has(outcome.text, " 0 refuted"));
  for (const std::string& fault :
       assay::testing::schema_faults(read(folder.path() / "report.json"))) {
    FAIL_CHECK(fault);
  }
  REQUIRE(fs::exists(folder.path() / "cast.md"));
  REQUIRE(fs::exists(folder.path() / "index.md"));
  const nlohmann::json read_back = report(folder.path());
  REQUIRE(read_back["kernels"].size() == 16);
  REQUIRE(read_back["summary"]["claims"]["refuted"] == 0);
  REQUIRE(read_back["summary"]["claims"]["undecided"] == 0);
  REQUIRE(read_back["summary"]["claims"]["error"] == 0);
  for (const auto& kernel : read_back["kernels"]) {
    std::string digest;
    for (const auto& variant : kernel["variants"]) {
      for (const auto& claim : variant["claims"]) {
        std::uint64_t excluded = 0;
        for (const auto& exclusion : claim.value("excluded", nlohmann::json::array())) {
          excluded += exclusion["probes"].get<std::uint64_t>();
        }
        REQUIRE(claim["planned"] == claim["probes"].get<std::uint64_t>() + excluded);
      }
      REQUIRE_FALSE(variant["digest"] == "");
      if (digest.empty()) digest = variant["digest"];
      REQUIRE(variant["digest"] == digest);
    }
  }
}

TEST_CASE("the seed repeats a run to the bit, whatever the number of workers") {
  const Folder one;
  const Folder two;
  const Folder other;
  REQUIRE(assay("audit " + kContract + kQuick + "--seed 7 --threads 1 --out " + one.path().string())
              .status == 0);
  REQUIRE(assay("audit " + kContract + kQuick + "--seed 7 --threads 3 --out " + two.path().string())
              .status == 0);
  REQUIRE(assay("audit " + kContract + kQuick + "--seed 8 --out " + other.path().string()).status ==
          0);
  REQUIRE(without_times(report(one.path())) == without_times(report(two.path())));
  REQUIRE(without_times(report(one.path())) != without_times(report(other.path())));
  // Spaces without a seed give the same digest.
  const auto first_digest = [](const nlohmann::json& read_back) {
    for (const auto& claim : read_back["kernels"][0]["variants"][0]["claims"]) {
      if (claim["id"] == "bitwise") return claim["measured"]["observations"][0];
    }
    return nlohmann::json();
  };
  REQUIRE(has(first_digest(report(one.path())).dump(), "special values"));
  REQUIRE(first_digest(report(one.path())) == first_digest(report(other.path())));
}

TEST_CASE("a quiet audit prints one line") {
  const Folder folder;
  const Outcome outcome =
      assay("audit " + kContract + kQuick + "--quiet --out " + folder.path().string());
  REQUIRE(outcome.status == 0);
  REQUIRE(std::count(outcome.text.begin(), outcome.text.end(), '\n') == 1);
  REQUIRE(has(outcome.text, "claims upheld"));
}

TEST_CASE("the format option chooses the files") {
  const Folder folder;
  REQUIRE(assay("audit " + kContract + kQuick + "--format json --out " + folder.path().string())
              .status == 0);
  REQUIRE(fs::exists(folder.path() / "report.json"));
  REQUIRE_FALSE(fs::exists(folder.path() / "index.md"));
}

TEST_CASE("pages of an earlier audit in other formats do not stay beside the new report") {
  const Folder folder;
  const std::string audit = "audit " + kContract + kQuick + "--variant scalar --out " +
                            folder.path().string() + " --format ";
  REQUIRE(assay(audit + "html,markdown").status == 0);
  REQUIRE(fs::exists(folder.path() / "index.html"));
  const Outcome outcome = assay(audit + "json");
  REQUIRE(outcome.status == 0);
  CHECK(fs::exists(folder.path() / "report.json"));
  for (const char* page : {"index.html", "cast.html", "index.md", "cast.md"}) {
    CHECK_FALSE(fs::exists(folder.path() / page));
    CHECK(has(outcome.text, std::string("/") + page + ", which told of an earlier audit"));
  }
}

TEST_CASE("a full disk behind standard output is a fault, a reader that has gone is none") {
  const Folder folder;
  const std::string audit = "audit " + kContract + kQuick +
                            "--variant scalar --format json --out " + folder.path().string();
  CHECK(assay(audit + " --quiet >/dev/full").status == 3);
  CHECK(assay("list " + kContract + " >/dev/full").status == 3);
  CHECK(assay("--help >/dev/full").status == 3);
  // More than a buffer holds, to a reader that takes nothing.
  const std::string status = (folder.path() / "status").string();
  const std::string commands[] = {" list " + kContract + " --format json", " --generate man"};
  for (const std::string& command : commands) {
    CAPTURE(command);
    assay("--version > /dev/null; (" + std::string(ASSAY_PROGRAM) + command + "; echo $? > " +
          status + ") | true");
    CHECK(read(status) == "0\n");
  }
}

TEST_CASE("explain refuses options that its source has no use for") {
  const std::string explain = "explain cast_f32_to_f16 --value 1 ";
  CHECK(assay(explain).status == 0);
  const Outcome at = assay(explain + "--at 7");
  CHECK(at.status == 2);
  CHECK(has(at.text, "--at goes with --npy or --token"));
  const Outcome param = assay(explain + "--param foo=3");
  CHECK(param.status == 2);
  CHECK(has(param.text, "--param goes with --npy"));
}

TEST_CASE("a filtered run judges what it was asked for") {
  const Folder folder;
  const Outcome outcome =
      assay("audit " + kContract + kQuick + "--variant scalar --out " + folder.path().string());
  INFO(outcome.text);
  REQUIRE(outcome.status == 0);
  REQUIRE(report(folder.path())["kernels"].size() == 1);
  REQUIRE(report(folder.path())["kernels"][0]["variants"].size() == 1);
}

TEST_CASE("a run cut short by its budget says so and claims no more than it ran") {
  const Folder folder;
  const Outcome outcome = assay("audit " + kContract +
                                " --only cast_f32_to_f64 --variant scalar --effort exhaustive "
                                "--time-budget 1s --out " +
                                folder.path().string());
  INFO(outcome.text);
  const nlohmann::json read_back = report(folder.path());
  REQUIRE(read_back["run"]["complete"] == false);
  REQUIRE(has(outcome.text, "INCOMPLETE"));
  for (const auto& claim : read_back["kernels"][0]["variants"][0]["claims"]) {
    if (claim["id"] != "rounding") continue;
    REQUIRE(claim["strength"] != "exhaustive");
    REQUIRE(claim["planned"].get<std::uint64_t>() > claim["probes"].get<std::uint64_t>());
    REQUIRE(has(claim["space"], "REDUCED"));
  }
}

TEST_CASE("an output that cannot be written to is no reason to fall over") {
  CHECK(assay("2>/dev/full").status == 2);
  CHECK(assay("list " + kContract + " 2>/dev/full >/dev/null").status == 0);
  CHECK(assay("audit no/such/contract --out /tmp 2>/dev/full").status == 2);
}

TEST_CASE("bad arguments end with status 2 and say what is wrong") {
  const Folder folder;
  const std::string out = " --out " + folder.path().string();
  const auto refused = [](const std::string& arguments, const std::string& words) {
    const Outcome outcome = assay(arguments);
    INFO(arguments);
    INFO(outcome.text);
    REQUIRE(outcome.status == 2);
    REQUIRE(has(outcome.text, words));
  };
  refused("", "no command");
  refused("audit", "CONTRACT");
  refused("audit " + kContract + " --no-such-flag" + out, "no-such-flag");
  refused("audit " + kContract + " --effort heroic" + out, "heroic");
  refused("audit " + kContract + " --seed -1" + out, "--seed");
  refused("audit " + kContract + " --seed 18446744073709551616" + out, "--seed");
  refused("audit " + kContract + " --threads 0" + out, "--threads");
  refused("audit " + kContract + " --time-budget soon" + out, "soon");
  refused("audit " + kContract + " --format pdf" + out, "pdf");
  refused("audit " + kContract + " --only no_such_kernel" + out, "no kernel matches");
  refused("audit " + kContract + " --variant NO_SUCH" + out, "available here: scalar");
  refused("audit /no/such/contract.fkc.md" + out, "/no/such/contract.fkc.md");
  refused("audit " + folder.path().string() + out, folder.path().string());
  refused("list /no/such/contract.fkc.md", "/no/such/contract.fkc.md");
  REQUIRE_FALSE(fs::exists(folder.path() / "report.json"));
}

TEST_CASE("a faulty contract ends with status 2, at the place of the fault") {
  const Folder folder;
  const fs::path contract = folder.path() / "faulty.fkc.md";
  std::string text = read(kContract);
  const std::string entry = "rounding: exact";
  text.replace(text.find(entry), entry.size(), "rounding: exakt");
  std::ofstream(contract) << text;
  const Outcome outcome = assay("audit " + contract.string() + " --out " + folder.path().string());
  INFO(outcome.text);
  REQUIRE(outcome.status == 2);
  REQUIRE(has(outcome.text, "faulty.fkc.md:"));
  REQUIRE(has(outcome.text, "exakt"));
}

TEST_CASE("an output folder that cannot be written ends with status 3 before any work") {
  const Folder folder;
  const fs::path in_the_way = folder.path() / "file";
  std::ofstream(in_the_way) << "kept";
  const Outcome outcome =
      assay("audit " + kContract + kQuick + "--out " + (in_the_way / "reports").string());
  INFO(outcome.text);
  REQUIRE(outcome.status == 3);
  REQUIRE(has(outcome.text, in_the_way.string()));
  REQUIRE(read(in_the_way) == "kept");
}

TEST_CASE("a reader that goes away does not change the verdict or lose the reports") {
  const Folder folder;
  const std::string status = (folder.path() / "status").string();
  assay("--version > /dev/null; (" + std::string(ASSAY_PROGRAM) + " audit " + kContract + kQuick +
        "--out " + folder.path().string() + "; echo $? > " + status + ") | true");
  REQUIRE(read(status) == "0\n");
  REQUIRE(report(folder.path())["summary"]["claims"]["refuted"] == 0);
}

TEST_CASE("a kernel that cannot be bound says why, also when a variant is asked for") {
  const Folder folder;
  std::string text = read(kContract);
  const std::string known = "ops::cast_f32_to_f16\"";
  REQUIRE(text.find(known) != std::string::npos);
  text.replace(text.find(known), known.size(), "ops::unknown\"");
  const fs::path contract = folder.path() / "cast.fkc.md";
  std::ofstream(contract) << text;
  const Outcome outcome = assay("audit " + contract.string() + kQuick + "--variant scalar --out " +
                                folder.path().string());
  INFO(outcome.text);
  REQUIRE(outcome.status == 3);
  REQUIRE(has(outcome.text, "ops::unknown"));
}

TEST_CASE(
    "buffers cannot be aligned to more than a page, and a contract that asks for it is told") {
  const Folder folder;
  std::string text = read(kContract);
  const std::string alignment = "alignment_bytes: 64";
  REQUIRE(text.find(alignment) != std::string::npos);
  for (std::size_t at = 0; (at = text.find(alignment, at)) != std::string::npos;) {
    text.replace(at, alignment.size(), "alignment_bytes: 8192");
  }
  const fs::path contract = folder.path() / "cast.fkc.md";
  std::ofstream(contract) << text;
  const Outcome outcome = assay("audit " + contract.string() + kQuick + "--variant scalar --out " +
                                folder.path().string());
  INFO(outcome.text);
  REQUIRE(outcome.status == 3);
  REQUIRE(has(outcome.text, "aligned to 8192 bytes"));
}

TEST_CASE("a library's kernels are listed, and audited in place of the built-in ones") {
  const Folder folder;
  const std::string library = std::string(ASSAY_PLUGINS) + "/cast_u32.so";
  const Outcome listed = assay("--list-entry-points " + library);
  INFO(listed.text);
  REQUIRE(listed.status == 0);
  REQUIRE(has(listed.text,
              "fuel_reference_backend::ops::cast_u32_to_f64  u32 -> f64  variants: example\n"));
  const Outcome outcome =
      assay("audit " + kContract + " --effort quick --only 'cast_u32*' --kernels " + library +
            " --out " + folder.path().string());
  INFO(outcome.text);
  const nlohmann::json kernels = report(folder.path())["kernels"];
  REQUIRE(kernels.size() == 2);
  for (const nlohmann::json& kernel : kernels) {
    REQUIRE(kernel["library"] == library);
    REQUIRE(kernel["variants"].size() == 1);
    REQUIRE(kernel["variants"][0]["name"] == "example");
  }
  REQUIRE(outcome.status == 0);
}

TEST_CASE("compare makes one table of reports, with the libraries that were skipped") {
  const Folder folder;
  const std::string library = std::string(ASSAY_PLUGINS) + "/cast_f32_to_bf16.so";
  REQUIRE(assay("audit " + kContract + " --effort quick --only cast_f32_to_bf16 --kernels " +
                library + " --out " + folder.path().string())
              .status == 0);
  const std::string list = (folder.path() / "list.tsv").string();
  std::ofstream(list) << "cast_f32_to_bf16\tAn example\t\nabsent\tAnother\tno such package\n";
  const std::string reports = (folder.path() / "report.json").string();
  const Outcome outcome =
      assay("compare " + reports + " --libraries " + list + " --out " + folder.path().string());
  INFO(outcome.text);
  REQUIRE(outcome.status == 0);
  CHECK(has(outcome.text, "skipped: no such package"));
  CHECK(has(outcome.text, "1 kernel compared, 0 claims refuted, 1 skipped"));
  const std::string page = read(folder.path() / "comparison.md");
  CHECK(has(page, "| cast_f32_to_bf16 | cast_f32_to_bf16 | example |"));
  CHECK(has(page, "| Another | absent | skipped: no such package |"));

  const Outcome no_report = assay("compare " + list);
  CHECK(no_report.status == 2);
  CHECK(has(no_report.text, list + ":1: this is no JSON"));
  const Outcome no_list = assay("compare " + reports + " --libraries " + reports);
  CHECK(no_list.status == 2);
  CHECK(has(no_list.text, reports + ": line 1"));
  CHECK(assay("compare /nowhere.json").status == 2);
}

TEST_CASE("a library that cannot be used ends with status 2 and a reason") {
  const Outcome missing = assay("audit " + kContract + kQuick + "--kernels /nowhere.so");
  REQUIRE(missing.status == 2);
  REQUIRE(has(missing.text, "/nowhere.so: there is no such file"));
  const Outcome broken =
      assay("--list-entry-points " + std::string(ASSAY_PLUGINS) + "/broken_11.so");
  REQUIRE(broken.status == 2);
  REQUIRE(has(broken.text, "crashed"));
  const Outcome nothing = assay("");
  REQUIRE(nothing.status == 2);
  REQUIRE(has(nothing.text, "assay --help"));
}

TEST_CASE("a kernel of a dtype that cannot be audited is read, and reported as not run") {
  const Folder folder;
  std::string text = read(kContract);
  const std::string known = "dtypes: [F32]";
  const std::size_t at = text.find(known, text.find("kernel: cast_f32_to_f16"));
  REQUIRE(at != std::string::npos);
  text.replace(at, known.size(), "dtypes: [F8E4M3]");
  const fs::path contract = folder.path() / "cast.fkc.md";
  std::ofstream(contract) << text;
  const Outcome outcome =
      assay("audit " + contract.string() + kQuick + "--out " + folder.path().string());
  INFO(outcome.text);
  REQUIRE(outcome.status == 3);
  REQUIRE(has(outcome.text, "warning[UnsupportedDtype]"));
  REQUIRE(has(outcome.text, "lists a dtype that this version cannot audit"));
}

TEST_CASE("list shows every kernel with claims, sources and variants") {
  const Outcome outcome = assay("list " + kContract + " --format json");
  REQUIRE(outcome.status == 0);
  const nlohmann::json listed = nlohmann::json::parse(outcome.text);
  REQUIRE(listed["kernels"].size() == 16);
  for (const auto& kernel : listed["kernels"]) {
    REQUIRE(kernel["variants"].size() >= 1);
    REQUIRE(kernel["variants"][0] == "scalar");
    REQUIRE(kernel["claims"].size() >= 12);
    for (const auto& claim : kernel["claims"]) REQUIRE(claim["source"]["line"] > 0);
  }
  const Outcome text = assay("list " + kContract);
  REQUIRE(text.status == 0);
  REQUIRE(has(text.text, "cast_f64_to_u32"));
}

TEST_CASE("list prints no control characters, and names operations and operands") {
  const Folder folder;
  const fs::path file = folder.path() / "odd.fkc.md";
  std::string text = read(ASSAY_SOURCE_DIR "/contracts/reference/conv-pool.fkc.md");
  const std::string name = text.substr(
      text.find("kernel: "), text.find('\n', text.find("kernel: ")) - text.find("kernel: "));
  text.replace(text.find(name), name.size(), "kernel: \"a\\x1b[2Jb\"");
  std::ofstream(file) << text;
  const Outcome outcome = assay("list " + file.string());
  INFO(outcome.text);
  CHECK(outcome.status == 0);
  CHECK(outcome.text.find('\x1b') == std::string::npos);
  CHECK(has(outcome.text, "a\\u{1b}[2Jb"));
  const nlohmann::json listed =
      nlohmann::json::parse(assay("list --format json " + file.string() + " 2>/dev/null").text);
  bool several = false;
  for (const auto& kernel : listed.at("kernels")) {
    CHECK(kernel.contains("fused_op"));
    for (const auto& input : kernel.at("inputs")) CHECK_FALSE(input.at("name").empty());
    several = several || kernel.at("inputs").size() > 1;
  }
  CHECK(several);
}

TEST_CASE("a folder that cannot be read is an error, and hides none behind it") {
  const Folder folder;
  fs::copy_file(kContract, folder.path() / "z.fkc.md");
  // No permission keeps the superuser out; a path that is too long does.
  const std::string name(250, 'd');
  const fs::path here = fs::current_path();
  fs::current_path(folder.path());
  for (int level = 0; level < 17; ++level) {
    fs::create_directory(name);
    fs::current_path(name);
  }
  fs::current_path(here);
  const Outcome outcome = assay("lint " + folder.path().string());
  CHECK(outcome.status == 2);
  CHECK(has(outcome.text, "error[Io]: this folder cannot be read"));
  CHECK(has(outcome.text, ", 16 kernels"));
  REQUIRE(std::system(("rm -r " + folder.path().string() + "/d*").c_str()) == 0);
}

const std::string kSeeds = ASSAY_SOURCE_DIR "/contracts/testdata/seeds/";

TEST_CASE("list shows claims from prose with their sentence, as text and as JSON") {
  const Outcome text = assay("list " + kSeeds + "reference-cast.fkc.txt");
  CHECK(text.status == 0);
  CHECK(has(text.text, "overflow                 infinity                       prose line 196\n"));
  CHECK(has(text.text, "\"out-of-range saturates to +/-inf, NaN preserved, "));
  const Folder folder;
  const std::string file = (folder.path() / "list.json").string();
  // The warnings go elsewhere.
  const std::string command = "list --format json " + kSeeds + "reference-cast.fkc.txt >" + file;
  CHECK(assay(command + " 2>/dev/null && true").status == 0);
  const nlohmann::json listed = nlohmann::json::parse(read(file));
  REQUIRE(listed["kernels"].size() == 16);
  std::size_t prose = 0;
  for (const auto& kernel : listed["kernels"]) {
    for (const auto& claim : kernel["claims"]) {
      CHECK(claim["source"]["line"] > 0);
      CHECK_FALSE(claim["source"]["text"].get<std::string>().empty());
      prose += claim["source"]["kind"] == "prose";
    }
  }
  CHECK(prose == 75);
}

TEST_CASE("lint --fix writes the rebuilt document, once, and keeps its permissions") {
  const Folder folder;
  const fs::path file = folder.path() / "seed.fkc.md";
  const fs::path link = folder.path() / "link.fkc.md";
  fs::copy_file(kSeeds + "reference-conv-pool.fkc.txt", file);
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_symlink(file, link);
  const Outcome before = assay("lint " + link.string());
  CHECK(has(before.text, "warning[IndentationLost]"));
  CHECK(read(file) == read(kSeeds + "reference-conv-pool.fkc.txt"));
  const Outcome fixed = assay("lint --fix " + link.string());
  CHECK(has(fixed.text, "indentation rebuilt"));
  CHECK_FALSE(has(fixed.text, "IndentationLost"));
  CHECK(has(read(file), "\n      dtypes: [F32, F64]\n"));
  CHECK(fs::is_symlink(link));
  CHECK((fs::status(file).permissions() & fs::perms::all) ==
        (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
  const std::string written = read(file);
  CHECK_FALSE(has(assay("lint --fix " + link.string()).text, "indentation rebuilt"));
  CHECK(read(file) == written);
  // Nothing is left aside.
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 2);
  CHECK(assay("fmt --check " + file.string()).status == 2);
  CHECK(read(file) == written);
  CHECK(assay("fmt " + file.string()).status == 0);
  CHECK(assay("fmt --check " + file.string()).status == 0);
}

TEST_CASE("fmt leaves what it cannot read as it is") {
  const Folder folder;
  const fs::path file = folder.path() / "a.fkc.md";
  std::ofstream(file) << "---\nno: [contract\n---\n";
  const std::string before = read(file);
  const Outcome outcome = assay("fmt " + file.string());
  CHECK(outcome.status == 2);
  CHECK(has(outcome.text, "not formatted"));
  CHECK(read(file) == before);
  CHECK(assay("fmt " + (folder.path() / "none.fkc.md").string()).status == 2);
  CHECK(assay("fmt --check " + kContract).status == 0);
}

}  // namespace
