// `assay lint` as its users see it.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "audit/end_to_end/testing/program.h"
#include "contracts/testing/catch.h"
#include "reports/testing/schema.h"

namespace {

using assay::testing::Folder;
using assay::testing::Outcome;
using assay::testing::run_program;

const std::string kContracts = ASSAY_SOURCE_DIR "/contracts/";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST_CASE("the contracts that assay ships have no errors") {
  const Outcome outcome = run_program("lint " + kContracts + "reference");
  INFO(outcome.text);
  CHECK(outcome.status == 0);
  CHECK(has(outcome.text, "2 documents, 20 kernels: 0 errors, "));
}

TEST_CASE("a fault is shown with its line, a caret and a hint, and ends with status 2") {
  const std::string path = kContracts + "broken/BadBound.fkc.md";
  const Outcome outcome = run_program("lint " + path);
  CHECK(outcome.status == 2);
  CHECK(outcome.text ==
        path +
            ":37:12: error[BadBound]: `precision.max_ulp` is \"-1\"\n"
            "   37 |   max_ulp: -1\n"
            "      |            ^\n"
            "  hint: a ULP bound is a whole number from 0 to 4294967295, or ~ for no claim\n"
            "1 document, 0 kernels: 1 error, 0 warnings, 0 notes\n");
  const Outcome missing = run_program("lint /no/such/file.fkc.md");
  CHECK(missing.status == 2);
  CHECK(has(missing.text, "/no/such/file.fkc.md: error[Io]: "));
}

TEST_CASE("what is no regular file is not waited for, but for what this process has open") {
  const Folder folder;
  const std::string pipe = (folder.path() / "pipe.fkc.md").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& path : {pipe, std::string("/dev/zero")}) {
    const Outcome outcome = run_program("lint " + path);
    CHECK(outcome.status == 2);
    CHECK(has(outcome.text, path + ": error[Io]: is no regular file"));
    const Outcome audit = run_program("audit " + path + " --out " + folder.path().string());
    CHECK(audit.status == 2);
    CHECK(has(audit.text, path + ": error[Io]: is no regular file"));
  }
  const std::string contract = kContracts + "reference/cast.fkc.md";
  CHECK(run_program("lint /dev/stdin < " + contract).status == 0);
  // A program at the other end of a pipe.
  const Outcome piped =
      run_program("lint /dev/stdin < " + pipe + " & cat " + contract + " > " + pipe + "; wait $!");
  INFO(piped.text);
  CHECK(piped.status == 0);
  CHECK(has(piped.text, "1 document, 16 kernels: 0 errors"));
}

TEST_CASE("a folder with too much below it, as a whole system, is not searched to its end") {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "many");
  for (int i = 0; i <= 100'000; ++i) {
    const std::string name = (folder.path() / "many" / std::to_string(i)).string();
    const int file = open(name.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    REQUIRE(file >= 0);
    close(file);
  }
  const Outcome outcome = run_program("lint " + folder.path().string());
  CHECK(outcome.status == 2);
  CHECK(has(outcome.text, "error[Io]: this folder has more than 100000 files below it"));
}

TEST_CASE("what breaks the letter alone is an error with --strict") {
  const std::string path = kContracts + "broken/DuplicateEntryPoint.fkc.md";
  CHECK(run_program("lint " + path).status == 0);
  const Outcome strict = run_program("lint --strict " + path);
  CHECK(strict.status == 2);
  CHECK(has(strict.text, "error[DuplicateEntryPoint]"));
}

TEST_CASE("JSON and SARIF fit their schemas and leave the status as it is") {
  for (const auto& [format, schema] : std::vector<std::pair<std::string, std::string>>{
           {"json", "assay-lint-1.schema.json"}, {"sarif", "sarif-2.1.0-subset.schema.json"}}) {
    INFO(format);
    const Outcome broken = run_program("lint --format " + format + " " + kContracts + "broken");
    CHECK(broken.status == 2);
    for (const std::string& fault : assay::testing::schema_faults(broken.text, schema)) {
      FAIL_CHECK(fault);
    }
    const Outcome good =
        run_program("lint --format " + format + " " + kContracts + "reference/cast.fkc.md");
    CHECK(good.status == 0);
    CHECK(assay::testing::schema_faults(good.text, schema).empty());
  }
  CHECK(run_program("lint --format yaml " + kContracts + "reference").status == 2);
}

TEST_CASE("documents of one provider are held together only when asked for") {
  const std::string path = kContracts + "broken/ProviderMismatch";
  CHECK(run_program("lint " + path).status == 0);
  const Outcome outcome = run_program("lint --one-provider " + path);
  CHECK(outcome.status == 2);
  CHECK(has(outcome.text, "b.fkc.md:7:18: error[ProviderMismatch]"));
}

TEST_CASE("entry points of the built-in table are looked up, others' are not") {
  const Folder folder;
  const std::string path = folder.path() / "cast.fkc.md";
  std::string text = read(kContracts + "reference/cast.fkc.md");
  const std::string name = "ops::cast_f32_to_f16\"";
  REQUIRE(has(text, name));
  text.replace(text.find(name), name.size(), "ops::cast_f32_to_half\"");
  std::ofstream(path) << text;
  const Outcome outcome = run_program("lint " + path);
  INFO(outcome.text);
  CHECK(outcome.status == 2);
  CHECK(has(outcome.text, "error[UnknownEntryPoint]"));
  CHECK(has(outcome.text, "1 error, 0 warnings"));
  const std::string table = "link_registry: fuel_reference_backend";
  text.replace(text.find(table), table.size(), "link_registry: another_backend");
  std::ofstream(path) << text;
  CHECK(run_program("lint " + path).status == 0);
}

TEST_CASE("folders of inventories are left out") {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "_inventory");
  std::ofstream(folder.path() / "_inventory" / "x.fkc.md") << "no contract";
  std::filesystem::copy_file(kContracts + "reference/cast.fkc.md", folder.path() / "cast.fkc.md");
  const Outcome outcome = run_program("lint " + folder.path().string());
  CHECK(outcome.status == 0);
  CHECK(has(outcome.text, "1 document, 16 kernels"));
}

}  // namespace
