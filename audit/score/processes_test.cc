// Cases in processes: each has its answer, whatever becomes of the process.
#include "audit/score/processes.h"

#include <unistd.h>

#include <csignal>

#include "contracts/testing/catch.h"
#include "kernels/registry.h"

namespace assay::score {
namespace {

const std::string kEntry = "fuel_reference_backend::ops::cast_f16_to_f32";

KernelStatus right(KernelCall& call) {
  static const Registry registry = built_in_registry();
  const KernelStatus status = registry.find(kEntry)->variant("scalar")->function(call);
  if (status == KernelStatus::kOk) call.ran = "mutant";
  return status;
}

/// A name that is no kernel's: the case cannot be audited.
Mutant unknown(const std::string& name) {
  return {name, "nobody::knows", "is not there", "rounding", &right};
}

std::vector<Scored> run(const std::vector<Mutant>& cases, unsigned processes,
                        Deadline deadline = {}) {
  AuditOptions options;
  options.effort = Effort::kQuick;
  return score_all(cases, options, {processes, deadline});
}

TEST_CASE("cases are scored in their order, whichever process takes them") {
  const std::vector<Scored> scores = run({{"first", kEntry, "nothing", "", &right},
                                          unknown("second"),
                                          {"third", kEntry, "nothing", "rounding", &right}},
                                         2);
  REQUIRE(scores.size() == 3);
  CHECK((scores[0].name == "first" && scores[0].outcome == Outcome::kKept));
  CHECK((scores[1].name == "second" && scores[1].outcome == Outcome::kFailed));
  CHECK(scores[1].why == "no kernel has the entry point nobody::knows");
  CHECK((scores[2].name == "third" && scores[2].outcome == Outcome::kSurvived));
  CHECK((scores[0].probes > 65536 && scores[2].probes > 0));
}

TEST_CASE("what there was no time for is not run") {
  const std::vector<Scored> scores =
      run({{"first", kEntry, "nothing", "", &right}}, 1, std::chrono::steady_clock::now());
  CHECK(scores.at(0).outcome == Outcome::kNotRun);
}

}  // namespace
}  // namespace assay::score
