// A score that falls is seen: of each way to fall one.
#include "audit/score/floor.h"

#include <fstream>

#include "audit/testing/folder.h"
#include "contracts/testing/catch.h"

namespace assay::score {
namespace {

Scored planted(const std::string& name, Size size) {
  Scored score;
  score.name = name;
  score.claim = "rounding";
  score.outcome = Outcome::kRefuted;
  score.size = size;
  score.first_violation = 7;
  return score;
}

Scored permitted(const std::string& name) {
  Scored score;
  score.name = name;
  score.outcome = Outcome::kKept;
  return score;
}

Scored survivor(const std::string& name) {
  Scored score;
  score.name = name;
  score.claim = "rounding";
  score.outcome = Outcome::kSurvived;
  return score;
}

std::vector<FloorRow> read_back(const std::string& text) {
  const testing::Folder folder;
  std::ofstream(folder.path() / "floor.txt") << text;
  return read_floor(folder.path() / "floor.txt");
}

std::vector<FloorRow> rows() {
  return read_back(
      "# comment\n\n"
      "quick truncates refuted 1 3 7\n"
      "quick canonical_nan kept - - -\n"
      "quick one_pattern survived - - - only a sweep finds it\n"
      "standard one_pattern refuted 1 9 4000000\n");
}

std::vector<Scored> scores() {
  return {planted("truncates", {1, 3}), permitted("canonical_nan"), survivor("one_pattern")};
}

std::vector<std::string> below(const std::vector<Scored>& scored, bool all = true) {
  return below_floor(rows(), scored, Effort::kQuick, all);
}

TEST_CASE("scores as good as the floor are not below it") {
  CHECK(below(scores()).empty());
  CHECK(above_floor(rows(), scores(), Effort::kQuick).empty());
}

TEST_CASE("each way to fall below the floor is seen") {
  std::vector<Scored> worse = scores();
  std::string said;
  SECTION("a fault survives") {
    worse[0] = survivor("truncates");
    said = "truncates: survived, and was refuted before";
  }
  SECTION("another claim falls instead") {
    worse[0].outcome = Outcome::kMisnamed;
    said = "truncates: other claim, and was refuted before";
  }
  SECTION("a permitted variant is refuted") {
    worse[1].outcome = Outcome::kAlarm;
    worse[1].alarms = {"nan"};
    said = "canonical_nan: nan fell: a false alarm";
  }
  SECTION("a claim falls that the fault does not break") {
    worse[0].alarms = {"in_bounds"};
    said = "truncates: in_bounds fell too, and this fault does not break it";
  }
  SECTION("a counterexample of more elements") {
    worse[0].size = Size{2, 1};
    said = "truncates: the counterexample has 2 elements and 1 set bits, and had 1 and 3";
  }
  SECTION("a counterexample of more set bits") {
    worse[0].size = Size{1, 4};
    said = "truncates: the counterexample has 1 elements and 4 set bits, and had 1 and 3";
  }
  SECTION("no counterexample") {
    worse[0].size.reset();
    said = "truncates: the counterexample has 0 elements and 0 set bits, and had 1 and 3";
  }
  SECTION("a token that shows nothing") {
    worse[0].case_fault = "the token does not show the fault again";
    said = "truncates: the token does not show the fault again";
  }
  SECTION("a fault that did not run") {
    worse[2].outcome = Outcome::kNotRun;
    worse[2].why = "interrupted";
    said = "one_pattern: not run (interrupted)";
  }
  SECTION("a new case") {
    worse.push_back(planted("new", {1, 1}));
    said = "new: not in the floor, at quick";
  }
  SECTION("a case that is gone") {
    worse.pop_back();
    said = "one_pattern: in the floor, and there is no such case any more";
    CHECK(below(worse, false).empty());
  }
  const std::vector<std::string> found = below(worse);
  REQUIRE(!found.empty());
  CHECK(found.front() == said);
}

TEST_CASE("what is better than the floor is said, and not below it") {
  std::vector<Scored> better = scores();
  better[0].size = Size{1, 2};
  better[2] = planted("one_pattern", {1, 9});
  CHECK(below(better).empty());
  CHECK(
      above_floor(rows(), better, Effort::kQuick) ==
      std::vector<std::string>{"truncates: a smaller counterexample", "one_pattern: refuted now"});
}

TEST_CASE("a floor that is written anew keeps other efforts and reasons, and asks for new ones") {
  std::vector<Scored> fresh = scores();
  fresh[0].size = Size{1, 2};
  fresh.push_back(survivor("new"));
  const std::vector<FloorRow> again = read_back(floor_text(rows(), fresh, Effort::kQuick));
  REQUIRE(again.size() == 5);
  CHECK(again[0].size == Size{1, 2});
  CHECK(again[0].first_violation == 7);
  CHECK(again[2].reason == "only a sweep finds it");
  CHECK(again[3].reason == "REASON?");
  CHECK((again[4].effort == Effort::kStandard && again[4].name == "one_pattern"));
}

TEST_CASE("a faulty floor is refused with its line") {
  const auto refused = [](const std::string& line) {
    try {
      read_back("# first line\n" + line + "\n");
    } catch (const std::exception& error) {
      const std::string text = error.what();
      return text.substr(text.find("floor.txt"));
    }
    return std::string();
  };
  CHECK(refused("quick a refuted 1 1") == "floor.txt:2: six words are due");
  CHECK(refused("slow a refuted 1 1 1") == "floor.txt:2: unknown word \"slow\"");
  CHECK(refused("quick a fine 1 1 1") == "floor.txt:2: unknown word \"fine\"");
  CHECK(refused("quick a refuted one 1 1") == "floor.txt:2: a number or - is due, not \"one\"");
  CHECK(refused("quick a survived - - -") == "floor.txt:2: a reason is due for what is not caught");
  CHECK(refused("quick a kept - - -\nquick a kept - - -") == "floor.txt:3: a is there twice");
  CHECK_THROWS_WITH(read_floor("/nowhere/floor.txt"), "/nowhere/floor.txt: cannot be read");
}

}  // namespace
}  // namespace assay::score
