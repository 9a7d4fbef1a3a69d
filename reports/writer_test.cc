#include "reports/writer.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "contracts/testing/catch.h"
#include "reports/testing/contains.h"
#include "reports/testing/sample_record.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::contains;

/// A folder of this test's own, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "assay-reports-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// While it lives, no file can grow beyond `bytes`: writing fails with EFBIG, as it would with
/// ENOSPC on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit old_ = {};
  void (*handler_)(int);
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// The message of the ReportError that `action` throws.
template <typename Action>
std::string report_error(Action action) {
  try {
    action();
  } catch (const ReportError& error) {
    return error.what();
  }
  FAIL("no ReportError was thrown");
  return "";
}

TEST_CASE("reports are written in reading order, each format once") {
  const Scratch scratch;
  const fs::path out = scratch.path() / "deep" / "er";
  const std::vector<std::string> formats = {"json", "markdown", "json"};
  const std::vector<fs::path> paths = write_reports(testing::sample_record(), out, formats);
  CHECK(paths == std::vector<fs::path>{out / "index.md", out / "cast.md", out / "Cast-2.md",
                                       out / "index-2.md", out / "report.json"});
  CHECK(entries(out) == paths.size());  // nothing temporary is left
  for (const fs::path& path : paths) CHECK(fs::file_size(path) > 100);

  const std::vector<std::string> only = {"json"};
  CHECK(write_reports(RunRecord{}, out, only) == std::vector<fs::path>{out / "report.json"});
  CHECK(entries(out) == paths.size());
  CHECK_THAT(read(out / "report.json"), contains("\"kernels\": []"));
}

TEST_CASE("pages of an earlier report in other formats are removed, and nothing else") {
  const Scratch scratch;
  const fs::path& out = scratch.path();
  std::vector<std::string> all;
  for (const ReportFormat& format : report_formats()) all.emplace_back(format.name);
  const RunRecord record = testing::sample_record();
  const std::size_t written = write_reports(record, out, all).size();
  CHECK(remove_stale_reports(record, out, all).empty());
  std::ofstream(out / "index.html") << "<!DOCTYPE html><title>mine</title>";
  fs::remove(out / "junit.xml");
  fs::create_directory(out / "junit.xml");
  std::ofstream(out / "notes.md") << "# Precision audit\n";
  const std::vector<fs::path> removed =
      remove_stale_reports(record, out, std::vector<std::string>{"json"});
  CHECK(removed.size() == written - 3);  // the report, my page, and what is no file
  for (const char* kept : {"report.json", "index.html", "junit.xml", "notes.md"}) {
    CHECK(fs::exists(out / kept));
  }
  CHECK(entries(out) == 4);
  CHECK(remove_stale_reports(record, out / "nowhere", std::vector<std::string>{}).empty());
}

TEST_CASE("every format writes its mark into each of its files") {
  for (const RunRecord& record : {testing::sample_record(), testing::hostile_record()}) {
    for (const ReportFormat& format : report_formats()) {
      for (const RenderedFile& file : format.render(record)) {
        CAPTURE(file.name);
        CHECK_THAT(file.content.substr(0, kMarkBytes), contains(std::string(format.mark)));
      }
    }
  }
}

TEST_CASE("every format is found by its name and an unknown one is refused before any work") {
  const Scratch scratch;
  for (const ReportFormat& format : report_formats()) {
    CHECK(find_report_format(format.name) == &format);
  }
  CHECK(find_report_format("pdf") == nullptr);
  const fs::path out = scratch.path() / "out";
  const std::vector<std::string> formats = {"json", "pdf"};
  const std::string message =
      report_error([&] { write_reports(testing::sample_record(), out, formats); });
  CHECK_THAT(message, contains("'pdf'") && contains("markdown, html, json"));
  CHECK(!fs::exists(out));
}

TEST_CASE("a regular file in the folder's place is named, with the reason and a remedy") {
  const Scratch scratch;
  const fs::path file = scratch.path() / "out";
  std::ofstream(file) << "mine";
  const std::vector<std::string> formats = {"json"};
  for (const fs::path& folder : {file, file / "below"}) {
    const std::string checked = report_error([&] { check_writable(folder); });
    CHECK_THAT(checked,
               contains(folder.string()) && contains("Not a directory") && contains("--out"));
    CHECK(report_error([&] { write_reports(RunRecord{}, folder, formats); }) == checked);
  }
  CHECK(read(file) == "mine");
}

TEST_CASE("a folder that takes no file is refused") {
  // The kernel's own folder: not writable for any user, root included.
  const std::string message = report_error([] { check_writable("/proc/self"); });
  CHECK_THAT(message, contains("/proc/self") && contains("--out"));
}

TEST_CASE("checking a folder creates it and leaves nothing in it") {
  const Scratch scratch;
  const fs::path out = scratch.path() / "a" / "b";
  check_writable(out);
  CHECK(fs::is_directory(out));
  CHECK(entries(out) == 0);
  check_writable(out);
}

TEST_CASE("when writing fails, earlier reports are as they were and no temporary remains") {
  const Scratch scratch;
  const fs::path& out = scratch.path();
  std::ofstream(out / "index.md") << "old index";
  std::ofstream(out / "report.json") << "old report";
  const std::vector<std::string> formats = {"markdown", "json"};
  // Room for the first files, but not for the last: all or none.
  RunRecord record = testing::sample_record();
  record.kernels.resize(1);
  std::string message;
  {
    const FileSizeLimit limit(static_cast<rlim_t>(9000));
    message = report_error([&] { write_reports(record, out, formats); });
  }
  CHECK_THAT(message, contains("report.json") && contains("File too large") && contains("--out"));
  CHECK(read(out / "index.md") == "old index");
  CHECK(read(out / "report.json") == "old report");
  CHECK(entries(out) == 2);
  // The limit is what made it fail.
  CHECK(write_reports(record, out, formats).size() == 3);
  CHECK(read(out / "index.md") != "old index");
}

TEST_CASE("a folder in a file's place is refused and no temporary remains") {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "report.json" / "full");
  const std::vector<std::string> formats = {"json"};
  const std::string message =
      report_error([&] { write_reports(RunRecord{}, scratch.path(), formats); });
  CHECK_THAT(message, contains("report.json") && contains("a folder stands"));
  CHECK(entries(scratch.path()) == 1);
}

TEST_CASE("what tokens name is written beside the report, once, whatever the format") {
  const Scratch scratch;
  RunRecord record = testing::sample_record();
  std::size_t named = 0;
  for (VariantRecord& variant : record.kernels.at(0).variants) {
    for (ClaimRecord& claim : variant.claims) {
      if (!claim.counterexample) continue;
      claim.counterexample->file = CaseFile{"0123456789abcdef.json", "{}\n"};
      ++named;
    }
  }
  REQUIRE(named >= 2);
  const std::vector<std::string> formats = {"json"};
  CHECK(write_reports(record, scratch.path(), formats).size() == 1);
  CHECK(read(scratch.path() / kCaseFolder / "0123456789abcdef.json") == "{}\n");
  CHECK(entries(scratch.path() / kCaseFolder) == 1);
  CHECK_FALSE(fs::exists(scratch.path() / "other" / kCaseFolder));
  write_reports(testing::sample_record(), scratch.path() / "other", formats);
  CHECK_FALSE(fs::exists(scratch.path() / "other" / kCaseFolder));
}

TEST_CASE("so is what the token of a claim without a counterexample names") {
  const Scratch scratch;
  RunRecord record = testing::sample_record();
  ClaimRecord& claim = record.kernels.at(0).variants.at(0).claims.at(0);
  claim.counterexample.reset();
  claim.token = "token";
  claim.file = CaseFile{"fedcba9876543210.json", "{}\n"};
  write_reports(record, scratch.path(), std::vector<std::string>{"json"});
  CHECK(read(scratch.path() / kCaseFolder / "fedcba9876543210.json") == "{}\n");
}

TEST_CASE("a temporary left by another run is stepped over, not overwritten") {
  const Scratch scratch;
  const fs::path left = scratch.path() / (".assay-" + std::to_string(::getpid()) + "-0.tmp");
  std::ofstream(left) << "left";
  check_writable(scratch.path());
  CHECK(read(left) == "left");
}

}  // namespace
}  // namespace assay
