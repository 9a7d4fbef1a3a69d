// What the score's table says, and that its JSON is read back.
#include "audit/score/table.h"

#include "audit/score/json.h"
#include "contracts/testing/catch.h"

namespace assay::score {
namespace {

Table table() {
  Table made;
  made.effort = Effort::kQuick;
  made.seconds = 12;
  Mutant mutant{"truncates", "ops::cast_f32_to_f16", "rounds toward zero", "rounding"};
  mutant.least_elements = 1;
  mutant.least_bits = 3;
  Scored refuted = unscored(mutant);
  refuted.outcome = Outcome::kRefuted;
  refuted.size = Size{1, 3};
  refuted.first_violation = 1234;
  made.mutants.push_back(mutant);
  made.scores.push_back(refuted);

  mutant = {"one_pattern", "ops::cast_f32_to_f16", "is wrong for 0x0001 only", "rounding"};
  made.mutants.push_back(mutant);
  made.scores.push_back(unscored(mutant));
  made.scores.back().outcome = Outcome::kSurvived;

  mutant = {"canonical", "ops::cast_f64_to_f16", "gives 0x7e00 for every NaN", ""};
  made.mutants.push_back(mutant);
  made.scores.push_back(unscored(mutant));
  made.scores.back().outcome = Outcome::kAlarm;
  made.scores.back().alarms = {"nan"};
  made.floor = {{Effort::kQuick, "one_pattern", Outcome::kSurvived, {}, {}, "a sample misses it"}};
  return made;
}

TEST_CASE("the console has the numbers and the survivors with their reasons") {
  CHECK(console_text(table()) ==
        "  1 of 2 planted faults refuted under the right claim\n"
        "  0 of 1 permitted variants kept\n"
        "  1 with a claim that fell and should not have\n"
        "  1 of 1 counterexamples with as few elements as can show the fault\n"
        "  survived: one_pattern (a sample misses it)\n");
}

TEST_CASE("the page has a row for each case") {
  const std::string page = markdown_text(table());
  CHECK(page.find("# Score of planted faults, effort quick") == 0);
  CHECK(page.find("| `cast_f32_to_f16` | 1 | 2 |") != std::string::npos);
  CHECK(page.find("- `one_pattern`, survived: is wrong for 0x0001 only; a sample misses it") !=
        std::string::npos);
  CHECK(page.find("| `truncates` | `rounding` | refuted | 1 | 1 | 3 | 3 | 1,234 |") !=
        std::string::npos);
  CHECK(page.find("| `canonical` | `cast_f64_to_f16` | alarm |") != std::string::npos);
}

TEST_CASE("scores are read back from their JSON") {
  for (const Scored& score : table().scores) {
    const Scored again = from_json(json_of(score));
    CHECK(json_of(again) == json_of(score));
    CHECK((again.outcome == score.outcome && again.size == score.size));
    CHECK((again.first_violation == score.first_violation && again.alarms == score.alarms));
  }
  const nlohmann::json all = json_text(table());
  CHECK((all["planted"] == 2 && all["refuted"] == 1 && all["permitted"] == 1));
  CHECK(all["cases"][0]["fewest_elements"] == 1);
  CHECK(all["cases"][1]["fewest_elements"].is_null());
}

}  // namespace
}  // namespace assay::score
