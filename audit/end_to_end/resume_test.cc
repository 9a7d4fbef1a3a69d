// Audits that are killed and taken up again end with the report of one that was left alone.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "audit/end_to_end/testing/program.h"
#include "audit/end_to_end/testing/report.h"
#include "contracts/testing/catch.h"

namespace {

namespace fs = std::filesystem;

using namespace assay::testing;
using std::chrono::milliseconds;

const std::string kContracts = ASSAY_SOURCE_DIR "/contracts/reference";
// Kernels of both families.
const std::string kAudit = "audit " + kContracts +
                           " --effort quick --only cast_f16_to_f32 --only max_pool2d_f16 "
                           "--quiet --out ";

fs::path checkpoint(const fs::path& folder) {
  return folder / "audit.checkpoint";
}

/// The program, started and not waited for.
class Running {
 public:
  explicit Running(const std::string& arguments) : pid_(fork()) {
    if (pid_ != 0) return;
    // The program itself, so that a signal is for it and not for a shell.
    const std::string command =
        std::string("exec ") + ASSAY_PROGRAM + " >/dev/null 2>&1 " + arguments;
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (pid_ > 0) end(SIGKILL);
  }

  bool ended(int& status) {
    if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
    pid_ = -1;
    return true;
  }
  void end(int signal) {
    kill(pid_, signal);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  void kill_a_worker() const {
    const std::string id = std::to_string(pid_);
    std::ifstream children("/proc/" + id + "/task/" + id + "/children");
    pid_t child = 0;
    if (children >> child) kill(child, SIGKILL);
  }

 private:
  pid_t pid_;
};

TEST_CASE("an audit that is killed at any moment loses nothing, and ends with the same report") {
  const Folder left_alone;
  REQUIRE(run_program(kAudit + left_alone.path().string()).status == 0);
  CHECK_FALSE(fs::exists(checkpoint(left_alone.path())));
  const nlohmann::json due = without_times(report(left_alone.path()));

  const unsigned seed = GENERATE(1u, 2u);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const Folder folder;
  std::string arguments = kAudit + folder.path().string();
  int kills = 0;
  int status = -1;
  // Moments that lie closer at first, since the first units are the short ones.
  for (bool over = false; !over;) {
    Running running(arguments);
    // No more than one worker is killed in a run: a unit that is struck twice is given up.
    const int moments = 1 + static_cast<int>(random() % 2);
    for (int moment = 0; moment < moments && !over; ++moment) {
      const auto wait = milliseconds(20 + random() % (100 + 100 * static_cast<unsigned>(kills)));
      const auto until = std::chrono::steady_clock::now() + wait;
      while (!over && std::chrono::steady_clock::now() < until) {
        over = running.ended(status);
        std::this_thread::sleep_for(milliseconds(1));
      }
      if (!over && moment + 1 < moments) running.kill_a_worker();
    }
    if (over) break;
    running.end(kills % 4 == 3 ? SIGTERM : SIGKILL);
    ++kills;
    // Killed when only its own end was left: there is nothing to go on with, and all is reported.
    if (fs::exists(folder.path() / "report.json") && !fs::exists(checkpoint(folder.path()))) {
      status = 0;
      break;
    }
    // Killed before it had begun: then it is started again.
    if (fs::exists(checkpoint(folder.path())) && fs::file_size(checkpoint(folder.path())) > 2000) {
      arguments = "audit --quiet --resume " + folder.path().string();
    }
  }
  INFO(kills << " kills");
  REQUIRE(kills > 0);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  CHECK(without_times(report(folder.path())) == due);
  CHECK_FALSE(fs::exists(checkpoint(folder.path())));
}

TEST_CASE("an audit whose time was short is taken up from any folder, with more time") {
  const Folder folder;
  const std::string out = folder.path().string();
  const Outcome first = run_program(kAudit + out + " --time-budget 0.2");
  REQUIRE(first.status == 3);
  const nlohmann::json part = report(folder.path());
  CHECK_FALSE(part["run"]["complete"].get<bool>());
  const std::string resume = " --time-budget 1h --threads 1 --resume " + out;
  const Outcome second = run_program("audit --quiet" + resume);
  INFO(second.text);
  CHECK(second.status == 0);
  const nlohmann::json whole = report(folder.path());
  CHECK(whole["run"]["complete"].get<bool>());
  for (const char* key : {"command", "started", "seed"}) {
    CHECK(whole["run"][key] == part["run"][key]);
  }
  CHECK(whole["run"]["seconds"] > part["run"]["seconds"]);
  CHECK(whole["machine"]["threads"] == 1);
  const Outcome third = run_program("audit" + resume);
  CHECK(third.status == 2);
  CHECK(third.text.find("no unfinished audit") != std::string::npos);
}

TEST_CASE(
    "an audit that ran out of time while its truths were made gives each claim its evidence") {
  const std::string run =
      "audit " + kContracts + "/conv-pool.fkc.md --effort quick --only conv2d_f32 --quiet --out ";
  const Folder left_alone;
  REQUIRE(run_program(run + left_alone.path().string()).status == 0);
  const nlohmann::json due = without_times(report(left_alone.path()));
  // At one of these moments some truths are there, and others are not.
  for (const char* budget : {"0.01", "0.03", "0.05", "0.08", "0.12", "0.2"}) {
    CAPTURE(budget);
    const Folder folder;
    const std::string out = folder.path().string();
    if (run_program(run + out + " --threads 16 --time-budget " + budget).status == 0) break;
    REQUIRE(run_program("audit --quiet --time-budget 1h --resume " + out).status == 0);
    CHECK(without_times(report(folder.path())) == due);
  }
}

TEST_CASE("an audit is not taken up when what it was about has changed") {
  const Folder folder;
  const fs::path contract = folder.path() / "cast.fkc.md";
  fs::copy_file(kContracts + "/cast.fkc.md", contract);
  const std::string out = (folder.path() / "out").string();
  const std::string run = "audit " + contract.string() +
                          " --effort quick --only cast_f16_to_f32 --time-budget 0.01 --out " + out;
  REQUIRE(run_program(run).status == 3);
  std::ofstream(contract, std::ios::app) << "\nOne more sentence.\n";
  const Outcome changed = run_program("audit --resume " + out);
  CHECK(changed.status == 2);
  CHECK(changed.text.find("a contract has changed") != std::string::npos);
  CHECK(fs::exists(checkpoint(out)));

  // Started anew, it says what it gives up.
  const Outcome anew = run_program(run);
  CHECK(anew.text.find("is given up for this one") != std::string::npos);
  // A filter that matches nothing gives up nothing.
  const auto size = fs::file_size(checkpoint(out));
  const Outcome nothing =
      run_program("audit " + contract.string() + " --only no_such_kernel --out " + out);
  CHECK(nothing.status == 2);
  CHECK(fs::file_size(checkpoint(out)) == size);
}

TEST_CASE("an audit whose library is replaced meanwhile gives no report, and keeps nothing") {
  const Folder folder;
  const fs::path library = folder.path() / "cast_u32.so";
  const fs::path other = folder.path() / "other.so";
  for (const fs::path& copy : {library, other}) {
    fs::copy_file(std::string(ASSAY_PLUGINS) + "/cast_u32.so", copy);
  }
  std::ofstream(other, std::ios::app) << "another version";
  const std::string shard = GENERATE("", " --shard 1/2");
  const fs::path out = folder.path() / "out";
  const fs::path kept = out / (shard.empty() ? "audit.checkpoint" : "audit.shard");
  const fs::path words = folder.path() / "words";
  Running running("audit " + kContracts + "/cast.fkc.md --only cast_u32_to_f32 --effort " +
                  "exhaustive --time-budget 3s --kernels " + library.string() + shard + " --out " +
                  out.string() + " 2>" + words.string());
  int status = -1;
  while (!fs::exists(kept)) {
    REQUIRE_FALSE(running.ended(status));
    std::this_thread::sleep_for(milliseconds(1));
  }
  fs::rename(other, library);
  while (!running.ended(status)) std::this_thread::sleep_for(milliseconds(5));
  INFO(read(words));
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
  CHECK(read(words).find(library.string() + "' was written or replaced") != std::string::npos);
  CHECK_FALSE(fs::exists(out / "report.json"));
  CHECK_FALSE(fs::exists(kept));
}

TEST_CASE("what --resume is given is looked at") {
  const Folder folder;
  const std::string out = folder.path().string();
  struct Row {
    std::string arguments;
    std::string words;
  };
  for (const Row& row :
       {Row{"--resume " + out, "no unfinished audit"}, Row{"--resume", "--resume"},
        Row{"--resume " + out + " --seed 2", "excludes"},
        Row{"--resume " + out + " " + kContracts, "excludes"}, Row{"", "CONTRACT is required"}}) {
    const Outcome outcome = run_program("audit " + row.arguments);
    INFO(outcome.text);
    CHECK(outcome.status == 2);
    CHECK(outcome.text.find(row.words) != std::string::npos);
  }
  std::ofstream(checkpoint(out)) << "something else";
  const Outcome foreign = run_program("audit --resume " + out);
  CHECK(foreign.status == 2);
  CHECK(foreign.text.find("is no checkpoint") != std::string::npos);
}

}  // namespace
