// Shards of an audit, merged in any order, give the report of one run; what does not fit together,
// is missing or is damaged is refused.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>

#include "audit/end_to_end/testing/program.h"
#include "audit/end_to_end/testing/report.h"
#include "audit/worker/checkpoint.h"
#include "contracts/testing/catch.h"

namespace {

namespace fs = std::filesystem;

using assay::Checkpoint;
using namespace assay::testing;

const std::string kContracts = ASSAY_SOURCE_DIR "/contracts/reference";
const std::string kSmall =
    kContracts + "/cast.fkc.md --effort quick --only cast_f16_to_f32 --variant scalar";

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// Runs shard K of N of an audit into a folder of its own and returns that.
std::string shard(const Folder& folder, const std::string& audit, int number, int of, int status,
                  const std::string& name = {}) {
  const std::string out = (folder.path() / (name.empty() ? std::to_string(number) : name)).string();
  const Outcome outcome = run_program("audit " + audit + " --shard " + std::to_string(number) +
                                      "/" + std::to_string(of) + " --out " + out);
  INFO(outcome.text);
  REQUIRE(outcome.status == status);
  CHECK(has(outcome.text, "shard " + std::to_string(number) + " of " + std::to_string(of)));
  return out;
}

Outcome merge(const Folder& folder, const std::string& arguments) {
  return run_program("merge " + arguments + " --quiet --out " + (folder.path() / "all").string());
}

/// All verdicts in a report.
std::multiset<std::string> verdicts(const nlohmann::json& report) {
  std::multiset<std::string> all;
  for (const auto& kernel : report["kernels"]) {
    for (const auto& variant : kernel["variants"]) {
      for (const auto& claim : variant["claims"]) all.insert(claim["verdict"]);
    }
  }
  return all;
}

TEST_CASE("shards merged in any order give the report of one run, and none upholds a claim alone") {
  // Kernels of both families: sums, selections with pairs, and casts.
  const std::string audit = kContracts +
                            " --effort quick --only cast_f16_to_f32 --only cast_f64_to_f16 "
                            "--only max_pool2d_f16 --only conv2d_f32";
  const Folder folder;
  REQUIRE(run_program("audit " + audit + " --quiet --out " + folder.path().string()).status == 0);
  const nlohmann::json due = without_times(report(folder.path()));
  std::uint64_t probes = 0;
  std::vector<std::string> shards;
  for (int number = 1; number <= 3; ++number) {
    shards.push_back(shard(folder, audit, number, 3, 3));
    const nlohmann::json part = report(shards.back());
    CHECK_FALSE(part["run"]["complete"].get<bool>());
    CHECK(part["run"]["incomplete"] ==
          "shard " + std::to_string(number) + " of 3: the other shards have the rest");
    const auto found = verdicts(part);
    CHECK(found.count("upheld") == 0);
    CHECK(found.count("refuted") + found.count("error") == 0);
    CHECK(found.count("undecided") > 0);
    // No shard has everything.
    CHECK(part["summary"]["probes"] > due["summary"]["probes"].get<std::uint64_t>() / 5);
    CHECK(part["summary"]["probes"] < due["summary"]["probes"].get<std::uint64_t>() / 2);
    probes += part["summary"]["probes"].get<std::uint64_t>();
  }
  CHECK(probes == due["summary"]["probes"]);
  const std::string all = (folder.path() / "all").string();
  for (const auto& order : {std::vector{1, 2, 0}, std::vector{2, 1, 0}}) {
    // By the folder, by a report in it, and by the file itself.
    const Outcome merged =
        merge(folder, shards[static_cast<std::size_t>(order[0])] + " " +
                          shards[static_cast<std::size_t>(order[1])] + "/report.json " +
                          shards[static_cast<std::size_t>(order[2])] + "/audit.shard");
    INFO(merged.text);
    CHECK(merged.status == 0);
    CHECK(without_times(report(all)) == due);
    CHECK(fs::exists(all + "/index.html"));
    fs::remove_all(all);
  }
}

TEST_CASE("what one shard refutes is refuted, and the merged case is that of one run") {
  const Folder folder;
  // Promises saturation where the kernel gives infinity.
  std::string text = read(kContracts + "/cast.fkc.md");
  const std::string rule = "overflow: infinity";
  const std::size_t section = text.find("cast_f32_to_f16");
  REQUIRE(section != std::string::npos);
  const std::size_t at = text.find(rule, section);
  REQUIRE(at != std::string::npos);
  text.replace(at, rule.size(), "overflow: saturate");
  const std::string contract = (folder.path() / "saturating.fkc.md").string();
  std::ofstream(contract) << text;
  const std::string audit = contract + " --effort quick --only cast_f32_to_f16";
  REQUIRE(run_program("audit " + audit + " --quiet --out " + folder.path().string()).status == 1);
  const nlohmann::json due = report(folder.path());
  std::string shards;
  for (int number = 1; number <= 4; ++number) {
    const std::string out = (folder.path() / std::to_string(number)).string();
    const int status = run_program("audit " + audit + " --shard " + std::to_string(number) +
                                   "/4 --quiet --out " + out)
                           .status;
    const auto found = verdicts(report(out));
    CHECK(found.count("upheld") == 0);
    CHECK(status == (found.count("refuted") > 0 ? 1 : 3));
    shards = out + " " + shards;
  }
  CHECK(merge(folder, shards).status == 1);
  const nlohmann::json merged = report(folder.path() / "all");
  CHECK(without_times(merged) == without_times(due));
  CHECK(verdicts(merged).count("refuted") > 0);
}

TEST_CASE("what a shard had no time for was not run: the merged report says so, until it has") {
  const Folder folder;
  const std::string audit = kContracts + " --effort quick --only conv2d_f32 --variant scalar";
  REQUIRE(run_program("audit " + audit + " --quiet --out " + folder.path().string()).status <= 3);
  const nlohmann::json due = without_times(report(folder.path()));
  const std::string first = shard(folder, audit, 1, 2, 3);
  const std::string second = shard(folder, audit + " --time-budget 0.05", 2, 2, 3);
  CHECK(merge(folder, second + " " + first).status == 3);
  const nlohmann::json part = report(folder.path() / "all");
  CHECK_FALSE(part["run"]["complete"].get<bool>());
  const std::string why = "shard 2 of 2: the time budget was used up";
  CHECK(part["run"]["incomplete"] == why);
  CHECK(part["summary"]["probes"] < due["summary"]["probes"]);
  std::uint64_t missing = 0;
  for (const auto& claim : part["kernels"][0]["variants"][0]["claims"]) {
    for (const auto& exclusion : claim["excluded"]) {
      if (exclusion["reason"] == why) missing += exclusion["probes"].get<std::uint64_t>();
    }
  }
  CHECK(missing > 0);
  const Outcome more = run_program("audit --quiet --time-budget 1h --resume " + second);
  INFO(more.text);
  CHECK(more.status == 3);
  merge(folder, second + " " + first);
  CHECK(without_times(report(folder.path() / "all")) == due);
  const Outcome again = run_program("audit --quiet --resume " + second);
  CHECK(again.status == 2);
  CHECK(has(again.text, "has come to its end"));
}

TEST_CASE("a kernel that crashes in one shard is in error, and its library has to be named again") {
  const Folder folder;
  const std::string library = std::string("--kernels ") + ASSAY_PLUGINS + "/faulty_plugin.so";
  const std::string audit = kContracts + "/cast.fkc.md --effort quick --only cast_f32_to_f16 " +
                            "--variant crashes --hang-after 5 " + library;
  const int status =
      run_program("audit " + audit + " --quiet --out " + folder.path().string()).status;
  std::string shards;
  for (const char* number : {"1", "2"}) {
    const std::string out = (folder.path() / number).string();
    shards += " " + out;
    const Outcome outcome =
        run_program("audit " + audit + " --quiet --shard " + number + "/2 --out " + out);
    CHECK((outcome.status == 1 || outcome.status == 3));
  }
  CHECK(merge(folder, library + shards).status == status);
  CHECK(verdicts(report(folder.path())).count("error") > 0);
  CHECK(verdicts(report(folder.path() / "all")) == verdicts(report(folder.path())));
  const Outcome unnamed = merge(folder, shards);
  CHECK(unnamed.status == 2);
  CHECK(has(unnamed.text, "with --kernels"));
  const Outcome other = merge(folder, shards + " --kernels " + ASSAY_PLUGINS + "/cast_u32.so");
  CHECK(other.status == 2);
  CHECK(has(other.text, "they and this run differ in a library of kernels: library 1: "));
}

/// A variable of the environment of the programs that the test runs.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST_CASE("shards of other environments, or with other libraries below a library, are refused") {
  const Folder folder;
  for (const char* name : {"dependent.so", "libdependency.so"}) {
    fs::copy_file(std::string(ASSAY_PLUGINS) + "/" + name, folder.path() / name);
  }
  const std::string library = "--kernels " + (folder.path() / "dependent.so").string();
  const std::string audit = kContracts + "/cast.fkc.md --effort quick --only cast_u32_to_f32 ";
  const std::string one = shard(folder, audit + library, 1, 2, 3);
  const std::string two = shard(folder, audit + library, 2, 2, 3);
  CHECK(merge(folder, library + " " + one + " " + two).status == 0);
  fs::remove_all(folder.path() / "all");
  const auto refused = [&](const std::string& shards, const std::string& words) {
    const Outcome outcome = merge(folder, library + " " + shards);
    INFO(outcome.text);
    CHECK(outcome.status == 2);
    CHECK(has(outcome.text, words));
    CHECK_FALSE(fs::exists(folder.path() / "all" / "report.json"));
  };
  {
    const Variable limit("DNNL_MAX_CPU_ISA", "SSE41");
    const std::string limited = shard(folder, audit + library, 2, 2, 3, "limited");
    refused(one + " " + limited,
            "differ in an environment variable: nothing and DNNL_MAX_CPU_ISA=SSE41");
    refused(one + " " + two,
            "they and this run differ in an environment variable: nothing; here DNNL_MAX_CPU_ISA");
  }
  std::ofstream(folder.path() / "libdependency.so", std::ios::app) << "another version";
  const std::string late = shard(folder, audit + library, 2, 2, 3, "late");
  refused(one + " " + late, "differ in what a library of kernels depends on: libdependency.so: ");
  refused(one + " " + two, "they and this run differ in what a library of kernels depends on");
}

TEST_CASE("a folder is of one shard or of one whole audit, and a report is of its own run") {
  const Folder folder;
  const std::string one = shard(folder, kSmall, 1, 2, 3);
  const std::string two = shard(folder, kSmall, 2, 2, 3);
  // A whole audit over a shard.
  const std::string whole = read(two + "/audit.shard");
  const Outcome over = run_program("audit " + kSmall + " --out " + two);
  INFO(over.text);
  CHECK(over.status == 2);
  CHECK(has(over.text, "has a shard of an audit"));
  CHECK(read(two + "/audit.shard") == whole);
  CHECK(merge(folder, one + " " + two + "/report.json").status == 0);
  // Its report comes from elsewhere.
  fs::copy_file(folder.path() / "all" / "report.json", two + "/report.json",
                fs::copy_options::overwrite_existing);
  const Outcome foreign = merge(folder, one + " " + two + "/report.json");
  CHECK(foreign.status == 2);
  CHECK(has(foreign.text, "is not about the shard beside it"));
  CHECK(has(merge(folder, one + " " + two + "/index.html").text, "is no report in JSON"));
  CHECK(merge(folder, one + " " + two).status == 0);

  // A shard over an unfinished whole audit.
  const std::string out = (folder.path() / "unfinished").string();
  REQUIRE(run_program("audit " + kSmall + " --time-budget 0.0001 --out " + out).status == 3);
  const Outcome beside = run_program("audit " + kSmall + " --shard 1/2 --out " + out);
  INFO(beside.text);
  CHECK(beside.status == 2);
  CHECK(has(beside.text, "has an unfinished audit"));
  CHECK_FALSE(fs::exists(out + "/audit.shard"));
  // Both, as only a hand can have put them there.
  fs::copy_file(two + "/audit.shard", out + "/audit.shard");
  const Outcome both = run_program("audit --resume " + out);
  CHECK(both.status == 2);
  CHECK(has(both.text, "has both an unfinished audit"));
}

TEST_CASE("shards that do not fit together, or are not all there, are refused") {
  const Folder folder;
  const std::string one = shard(folder, kSmall, 1, 2, 3);
  const std::string two = shard(folder, kSmall, 2, 2, 3);
  CHECK(merge(folder, one + " " + two).status == 0);
  fs::remove_all(folder.path() / "all");
  const std::string changed = (folder.path() / "cast.fkc.md").string();
  std::ofstream(changed) << read(kContracts + "/cast.fkc.md") << "\nOne more sentence.\n";
  struct Row {
    std::string shards;
    std::string words;
  };
  const auto with = [&](const std::string& audit, const char* name, int number = 2, int of = 2) {
    return one + " " + shard(folder, audit, number, of, 3, name);
  };
  for (const Row& row : {
           Row{one, "of 2 shards, one is missing: 2"},
           Row{with(kSmall, "n", 1, 4), "other numbers of shards: 2 and 4"},
           Row{shard(folder, kSmall, 3, 4, 3, "m"), "of 4 shards, 3 are missing: 1, 2, 4"},
           Row{one + " " + two + " " + one, "shard 1 of 2 is there twice"},
           Row{with(kSmall + " --seed 2", "s"), "other seeds: 1 and 2"},
           Row{with(kContracts + "/cast.fkc.md --effort standard --only cast_f16_to_f32 "
                                 "--variant scalar",
                    "e"),
               "other efforts: quick and standard"},
           Row{with(kSmall + " --only cast_f16_to_f64", "o"), "other kernels (--only)"},
           Row{with(kSmall + " --variant AVX2", "v"), "other variants"},
           Row{with(changed + " --effort quick --only cast_f16_to_f32 --variant scalar", "c"),
               "other names of contracts"},
           Row{folder.path().string() + "/nothing", "there is no shard in"},
           Row{"/dev/null", "there is no shard in"},
       }) {
    const Outcome outcome = merge(folder, row.shards);
    INFO(outcome.text);
    CHECK(outcome.status == 2);
    CHECK(has(outcome.text, "the shards cannot be merged"));
    CHECK(has(outcome.text, row.words));
    CHECK_FALSE(fs::exists(folder.path() / "all" / "report.json"));
  }
  // The contract has changed since.
  const std::string audit = changed + " --effort quick --only cast_f16_to_f32 --variant scalar";
  const std::string early = shard(folder, audit, 1, 2, 3, "early");
  std::ofstream(changed, std::ios::app) << "\nAnother one.\n";
  const std::string late = shard(folder, audit, 2, 2, 3, "late");
  CHECK(has(merge(folder, early + " " + late).text, "differ in a contract: 1 files, "));
  const std::string later = shard(folder, audit, 1, 2, 3, "later");
  std::ofstream(changed, std::ios::app) << "\nAnd another one.\n";
  const Outcome stale = merge(folder, later + " " + late);
  CHECK(stale.status == 2);
  CHECK(has(stale.text, "they and this run differ in a contract: 1 files, "));
  fs::remove(changed);
  const Outcome gone = merge(folder, later + " " + late);
  CHECK(gone.status == 2);
  CHECK(has(gone.text, "their contracts cannot be read here"));
}

/// The same shard as another program, machine or hand would have left it.
void forge(const fs::path& from, const fs::path& to,
           const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json identity = nlohmann::json::parse(Checkpoint::read(from).identity());
  change(identity);
  Checkpoint forged = Checkpoint::create(to, identity.dump());
  forged.end("");
}

TEST_CASE("shards of another program or machine, damaged ones and foreign files are refused") {
  const Folder folder;
  const std::string one = shard(folder, kSmall, 1, 2, 3);
  const std::string two = shard(folder, kSmall, 2, 2, 3);
  const fs::path file = fs::path(two) / "audit.shard";
  const std::string whole = read(file);
  const fs::path odd = folder.path() / "odd.shard";
  const auto refused = [&](const std::string& words) {
    const Outcome outcome = merge(folder, one + " " + odd.string());
    INFO(outcome.text);
    CHECK(outcome.status == 2);
    CHECK(has(outcome.text, words));
    CHECK_FALSE(fs::exists(folder.path() / "all" / "report.json"));
  };
  const auto member = [&](const char* name, const std::string& value, const std::string& words) {
    forge(file, odd, [&](nlohmann::json& identity) { identity[name].push_back(value); });
    refused(words + ": nothing and " + value);
  };
  member("program", "libm.so.6: 00", "differ in this program");
  member("machine", "avx1024", "differ in the machine");
  member("libraries", "library 1: 00", "differ in a library of kernels");
  member("dependencies", "libdnnl.so.2: 00", "differ in what a library of kernels depends on");
  member("environment", "DNNL_MAX_CPU_ISA=SSE41", "differ in an environment variable");
  forge(file, odd, [&](nlohmann::json& identity) {
    identity["machine"].erase(0);
    identity["machine"].push_back("\x1b[31mred");
  });
  refused(" and \\u{1b}[31mred");
  for (const char* text : {"3/2", "0/0", "2", "x"}) {
    forge(file, odd, [&](nlohmann::json& identity) { identity["arguments"]["shard"] = text; });
    refused("--shard takes K/N");
  }
  forge(file, odd, [&](nlohmann::json& identity) { identity["arguments"]["shard"] = ""; });
  refused("is a whole audit, and no shard");
  forge(file, odd, [&](nlohmann::json& identity) { identity.erase("program"); });
  refused("does not say what it was");
  // All is well with it, but its work is not there.
  forge(file, odd, [](nlohmann::json&) {});
  refused("there is nothing about unit");

  const auto bytes = [&](const std::string& content, const std::string& words) {
    std::ofstream(odd, std::ios::binary | std::ios::trunc) << content;
    refused(words);
  };
  bytes("", "is no checkpoint");
  bytes(read(two + "/report.json"), "is no checkpoint");
  bytes(whole.substr(0, whole.size() / 2), "is damaged, or was cut off");
  std::string damaged = whole;
  damaged[damaged.size() / 3] = static_cast<char>(damaged[damaged.size() / 3] ^ 1);
  bytes(damaged, "is damaged, or was cut off");
  // Cut off just before the record that says that it came to its end.
  {
    fs::copy_file(file, odd, fs::copy_options::overwrite_existing);
    Checkpoint open = Checkpoint::open(odd);
    open.keep("casts", 0, {});
  }
  refused("is under way, or was cut off");
  std::ofstream(odd, std::ios::trunc).close();
  fs::resize_file(odd, assay::kMostShardBytes + 1);
  refused("too large");
}

/// The same file with every byte of all results changed to this one, and checksums that fit.
std::string with_results(const std::string& file, char byte) {
  const auto number = [&](std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, file.data() + at, sizeof(value));
    return value;
  };
  std::size_t at = file.find('\n') + 1;
  std::string changed = file.substr(0, at);
  for (bool identity = true; at < file.size(); identity = false) {
    std::string body = file.substr(at + 16, number(at));
    if (!identity) {
      std::size_t text = 8 + number(at + 16) + 8 + 8 + 1 + 8 + 8;  // that of how it was lost
      text += 8 + number(at + 16 + text);
      std::fill(body.begin() + static_cast<long>(text + 8), body.end(), byte);
    }
    const std::uint64_t head[] = {body.size(), XXH3_64bits(body.data(), body.size())};
    changed.append(reinterpret_cast<const char*>(head), sizeof(head));
    changed += body;
    at += 16 + body.size();
  }
  return changed;
}

TEST_CASE("results that no audit leaves end a merge, and never the program") {
  const Folder folder;
  const std::string audit = kContracts +
                            " --effort quick --variant scalar --only cast_f16_to_f32 "
                            "--only max_pool2d_f32";
  const std::string one = shard(folder, audit, 1, 2, 3);
  const std::string two = shard(folder, audit, 2, 2, 3);
  const fs::path file = fs::path(two) / "audit.shard";
  const std::string whole = read(file);
  for (const int byte : {0xff, 0x7f, 0x01}) {
    CAPTURE(byte);
    std::ofstream(file, std::ios::binary) << with_results(whole, static_cast<char>(byte));
    const Outcome outcome = merge(folder, one + " " + two);  // throws where it does not exit
    INFO(outcome.text);
    CHECK(outcome.status != 0);
    CHECK(outcome.status <= 3);
  }
  std::ofstream(file, std::ios::binary) << whole;
  CHECK(merge(folder, one + " " + two).status == 0);
}

TEST_CASE("what a shard names is never waited for, nor shown raw") {
  const Folder folder;
  const std::string one = shard(folder, kSmall, 1, 1, 3);
  const fs::path file = fs::path(one) / "audit.shard";
  const fs::path odd = folder.path() / "odd.shard";
  const fs::path pipe = folder.path() / "pipe.fkc.md";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  // Standard input is a pipe that nobody writes to.
  const fs::path silent = folder.path() / "silent";
  REQUIRE(mkfifo(silent.c_str(), 0600) == 0);
  const int writer = open(silent.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(writer >= 0);
  for (const std::string& contract : {pipe.string(), std::string("/dev/zero"),
                                      std::string("/dev/stdin"), std::string("/dev/fd/0")}) {
    CAPTURE(contract);
    forge(file, odd, [&](nlohmann::json& identity) {
      identity["arguments"]["contracts"] = {contract};
      identity["folder"] = "/\x1b[31mred";
    });
    const Outcome outcome = merge(folder, odd.string() + " < " + silent.string());
    INFO(outcome.text);
    CHECK(outcome.status == 2);
    CHECK(has(outcome.text, contract + ": error[Io]: is no regular file"));
    CHECK(has(outcome.text, "they were run in '/\\u{1b}[31mred'"));
  }
  close(writer);
}

TEST_CASE("what --shard is given is looked at") {
  const Folder folder;
  const std::string out = " --out " + (folder.path() / "out").string();
  struct Row {
    std::string arguments;
    std::string words;
  };
  for (const Row& row : {Row{"--shard 0/2", "--shard takes K/N"}, Row{"--shard 2", "takes K/N"},
                         Row{"--shard 3/2", "takes K/N"}, Row{"--shard 1/1001", "takes K/N"},
                         Row{"--shard 1/2 --seed random", "need the same seed"}}) {
    const Outcome outcome = run_program("audit " + kSmall + " " + row.arguments + out);
    INFO(outcome.text);
    CHECK(outcome.status == 2);
    CHECK(has(outcome.text, row.words));
  }
  CHECK(run_program("merge").status == 2);
  // One shard that is all of the audit.
  const std::string all = shard(folder, kSmall, 1, 1, 3);
  CHECK(merge(folder, all).status == 0);
}

}  // namespace
