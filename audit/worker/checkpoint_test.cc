// What a checkpoint keeps, and what it makes of files that are damaged, foreign or in use.
#include "audit/worker/checkpoint.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "audit/testing/folder.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using testing::Folder;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// What `act` throws.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

KeptUnit kept(std::uint8_t state, const std::string& results) {
  return {.state = state, .place = 7, .work = 9, .what = "how", .results = results};
}

/// A file with units 3 and 4 of one stage and unit 0 of another.
std::string three_units(const fs::path& path) {
  Checkpoint made = Checkpoint::create(path, "who");
  made.keep("first", 3, kept(2, "abc"));
  made.keep("first", 4, kept(3, std::string("\0\n", 2)));
  made.keep("second", 0, kept(2, ""));
  return read(path);
}

TEST_CASE("a checkpoint gives back what was kept, each stage once") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  three_units(path);
  Checkpoint taken = Checkpoint::open(path);
  CHECK(taken.identity() == "who");
  CHECK(taken.take("third").empty());
  const auto first = taken.take("first");
  REQUIRE(first.size() == 2);
  CHECK(first.at(3).results == "abc");
  CHECK(first.at(3).state == 2);
  CHECK(first.at(3).place == 7);
  CHECK(first.at(3).work == 9);
  CHECK(first.at(3).what == "how");
  CHECK(first.at(4).results == std::string("\0\n", 2));
  CHECK(taken.take("second").size() == 1);
  CHECK(taken.take("first").empty());
}

TEST_CASE("a checkpoint that was cut anywhere keeps its whole records and grows again") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  const std::string whole = three_units(path);
  std::size_t most = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    write(path, whole.substr(0, size));
    std::size_t units = 0;
    try {
      Checkpoint taken = Checkpoint::open(path);
      REQUIRE(taken.identity() == "who");
      taken.keep("later", 1, kept(2, "x"));
    } catch (const std::runtime_error&) {
      REQUIRE(most == 0);  // not even the identity is there
      continue;
    }
    Checkpoint again = Checkpoint::open(path);
    units = again.take("first").size() + again.take("second").size();
    REQUIRE(again.take("later").size() == 1);
    REQUIRE(units >= most);
    most = units;
  }
  CHECK(most == 3);
}

TEST_CASE("a record with a wrong byte is dropped, with all behind it") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  const std::string whole = three_units(path);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write(path, damaged);
    try {
      Checkpoint taken = Checkpoint::open(path);
      REQUIRE(taken.identity() == "who");
      for (const auto& [unit, kept] : taken.take("first")) {
        REQUIRE(kept.results == (unit == 3 ? "abc" : std::string("\0\n", 2)));
      }
    } catch (const std::runtime_error&) {
      REQUIRE(at < whole.find("who") + 3);
    }
  }
}

TEST_CASE("what is no checkpoint is refused, and left as it is") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  for (const char* text : {"", "assay-checkpoint/1", "assay-checkpoint/2\nabc", "{}\n"}) {
    write(path, text);
    CHECK_THROWS_AS(Checkpoint::open(path), std::runtime_error);
    CHECK(read(path) == text);
  }
  CHECK_THROWS_AS(Checkpoint::open(folder.path() / "missing"), std::system_error);
  CHECK_THROWS_AS(Checkpoint::create(folder.path() / "no" / "folder", ""), std::system_error);
  // A link would let the file of someone else be emptied.
  fs::create_symlink(path, folder.path() / "link");
  CHECK_THROWS_AS(Checkpoint::create(folder.path() / "link", ""), std::system_error);
}

TEST_CASE("one process at a time has a checkpoint, and its lock ends with it") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  const std::string whole = three_units(path);
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t other = fork();
  if (other == 0) {
    const Checkpoint held = Checkpoint::open(path);
    if (::write(ready[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK(refusal([&] { Checkpoint::open(path); }).find("another audit") != std::string::npos);
  CHECK(refusal([&] { Checkpoint::create(path, ""); }).find("another audit") != std::string::npos);
  CHECK(read(path) == whole);
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  CHECK(Checkpoint::open(path).identity() == "who");
  close(ready[0]);
  close(ready[1]);
}

TEST_CASE("a full disk ends the keeping, and what was kept before stays good") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  {
    Checkpoint made = Checkpoint::create(path, "who");
    made.keep("first", 1, kept(2, "abc"));
    rlimit limit = old;
    limit.rlim_cur = fs::file_size(path) + 20;
    setrlimit(RLIMIT_FSIZE, &limit);
    made.keep("first", 2, kept(2, "abc"));
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK(made.failure().find(path.string()) != std::string::npos);
    made.keep("first", 3, kept(2, "abc"));
  }
  signal(SIGXFSZ, handler);
  Checkpoint taken = Checkpoint::open(path);
  CHECK(taken.take("first").size() == 1);
}

/// What reading a shard's file refuses it with; empty where it does not.
std::string unfit(const fs::path& path) {
  try {
    Checkpoint::read(path);
    return {};
  } catch (const UnfitRecord& error) {
    return error.what();
  }
}

TEST_CASE("a shard is read whole or not at all, and left as it is") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  const std::string whole = three_units(path);
  CHECK(unfit(path).empty());
  CHECK(Checkpoint::read(path).take("first").size() == 2);
  std::size_t good = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string part = whole.substr(0, size);
    write(path, part);
    // Where a record ends, nothing shows that others followed: that is what the last one is for.
    good += unfit(path).empty();
    CHECK(read(path) == part);
  }
  CHECK(good == 3);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write(path, damaged);
    CAPTURE(at);
    CHECK_FALSE(unfit(path).empty());
  }
  write(path, whole + "x");
  CHECK(unfit(path).find("from byte " + std::to_string(whole.size())) != std::string::npos);
  CHECK(unfit(folder.path()).find("is no file") != std::string::npos);
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(unfit(pipe).find("is no file") != std::string::npos);
  fs::resize_file(path, kMostShardBytes + 1);  // takes no room on the disk
  CHECK(unfit(path).find("too large") != std::string::npos);
  CHECK_THROWS_AS(Checkpoint::read(folder.path() / "missing"), std::system_error);
}

/// Writes a file with one unit that was kept after so many seconds.
void write_with_seconds(const fs::path& path, double seconds) {
  Checkpoint::create(path, "who").keep("first", 3, kept(2, "abc"));
  std::string bytes = read(path);
  const std::size_t body = bytes.rfind("first") - sizeof(std::uint64_t);
  std::memcpy(bytes.data() + body + 8 + 5 + 8, &seconds, sizeof(seconds));
  const std::uint64_t sum = XXH3_64bits(bytes.data() + body, bytes.size() - body);
  std::memcpy(bytes.data() + body - sizeof(sum), &sum, sizeof(sum));
  write(path, bytes);
}

TEST_CASE("times that no audit takes are refused, by --resume too") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  write_with_seconds(path, 86400);
  CHECK(Checkpoint::read(path).earlier_seconds() == 86400);
  using Limits = std::numeric_limits<double>;
  for (const double seconds : {Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::infinity(),
                               -Limits::infinity(), -1e-9, 1e300}) {
    CAPTURE(seconds);
    write_with_seconds(path, seconds);
    CHECK(unfit(path).find("says that an audit took") != std::string::npos);
    CHECK(refusal([&] { Checkpoint::open(path); }).find("says that an audit took") !=
          std::string::npos);
  }
}

TEST_CASE("shards that are read take no descriptors") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  three_units(path);
  const auto open_files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = open_files();
  std::vector<Checkpoint> shards;
  for (int i = 0; i < 20; ++i) shards.push_back(Checkpoint::read(path));
  CHECK(open_files() == before);
}

TEST_CASE("only a run that came to its end, and kept nothing since, has ended") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  {
    Checkpoint made = Checkpoint::create(path, "who");
    made.keep("first", 1, kept(2, "abc"));
    CHECK_FALSE(made.ended());
    CHECK_FALSE(Checkpoint::read(path).ended());
    made.end("out of time");
    CHECK(made.ended() == "out of time");
  }
  CHECK(Checkpoint::read(path).ended() == "out of time");
  {
    Checkpoint again = Checkpoint::open(path);
    CHECK(again.ended() == "out of time");
    again.keep("first", 2, kept(2, "abc"));
    CHECK_FALSE(again.ended());
    CHECK_FALSE(Checkpoint::read(path).ended());
    again.end("");
  }
  Checkpoint whole = Checkpoint::read(path);
  CHECK(whole.ended() == "");
  CHECK(whole.take("first").size() == 2);
  CHECK_FALSE(whole.has_more());
}

TEST_CASE("shards are joined, unless two have the same unit") {
  const Folder folder;
  const auto shard = [&](const char* name, std::uint64_t unit, const std::string& end) {
    Checkpoint made = Checkpoint::create(folder.path() / name, "who");
    made.keep("first", unit, kept(2, name));
    made.end(end);
    return Checkpoint::read(folder.path() / name);
  };
  const auto join = [](Checkpoint a, Checkpoint b) {
    std::vector<Checkpoint> both;
    both.push_back(std::move(a));
    both.push_back(std::move(b));
    return Checkpoint::join(std::move(both));
  };
  Checkpoint joined = join(shard("a", 1, ""), shard("b", 2, ""));
  CHECK(joined.is_closed());
  CHECK_FALSE(joined.is_cut_short());
  CHECK(joined.has_more());
  auto units = joined.take("first");
  CHECK(units.at(1).results == "a");
  CHECK(units.at(2).results == "b");
  CHECK_FALSE(joined.has_more());
  CHECK(join(shard("a", 1, ""), shard("b", 2, "interrupted")).is_cut_short());
  const std::string twice = refusal([&] { join(shard("a", 1, ""), shard("b", 1, "")); });
  CHECK(twice.find("work that another shard has too (first: unit 1)") != std::string::npos);
}

}  // namespace
}  // namespace assay
