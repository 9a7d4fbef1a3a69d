// Commands that repeat what a report shows.
#include "reports/repeat.h"

#include "contracts/testing/catch.h"

namespace assay {
namespace {

TEST_CASE("a claim is judged again on these variants only, whatever their names") {
  RunInfo run;
  run.effort = "quick";
  run.seed = 7;
  KernelRecord kernel;
  kernel.kernel = "fast[fma]*";
  kernel.file = "-k.fkc.md";
  kernel.library = "-lib.so";
  kernel.variants.emplace_back().name = "-scalar";
  kernel.variants.emplace_back().name = "AVX2";
  const std::vector<std::string> second = {"AVX2"};
  CHECK(repeat_command(run, kernel, "rounding", second) ==
        "assay audit ./-k.fkc.md --only 'fast\\[fma]\\*' --kernels ./-lib.so --variant AVX2 "
        "--effort quick --seed 7");
  CHECK(repeat_command(run, kernel, "bitwise", second) ==
        "assay audit ./-k.fkc.md --only 'fast\\[fma]\\*' --kernels ./-lib.so "
        "--effort quick --seed 7");
  // Of an audit of some variants: the same ones.
  run.variants = {"-s*", "AVX*"};
  CHECK(repeat_command(run, kernel, "bitwise", second) ==
        "assay audit ./-k.fkc.md --only 'fast\\[fma]\\*' --kernels ./-lib.so "
        "--variant='-s*' --variant='AVX*' --effort quick --seed 7");
}

TEST_CASE("the case alone is run by its token, with the folder where a file goes with it") {
  RunInfo run;
  run.report_folder = "my reports";
  ClaimRecord claim;
  CHECK(repro_command(run, claim).empty());
  claim.token = "own";
  CHECK(repro_command(run, claim) == "assay repro own");
  claim.file = CaseFile{"a.json", ""};
  CHECK(repro_command(run, claim) == "assay repro own --report 'my reports'");
  claim.counterexample.emplace().token = "a'b";
  CHECK(repro_command(run, claim) == "assay repro 'a'\\''b'");
  claim.counterexample->file = CaseFile{"b.json", ""};
  run.report_folder = "-r";
  CHECK(repro_command(run, claim) == "assay repro 'a'\\''b' --report ./-r");
  run.report_folder.clear();
  CHECK(repro_command(run, claim) == "assay repro 'a'\\''b'");
}

}  // namespace
}  // namespace assay
