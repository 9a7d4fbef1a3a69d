// What all mutants and permitted variants of convolutions and poolings have in common: a name, a
// claim, a kernel, a signature, and a right result where nothing shows the fault.

#include <cfenv>
#include <set>

#include "contracts/claim.h"
#include "contracts/testing/catch.h"
#include "kernels/mutants/testing/window_call.h"

namespace assay::testing {
namespace {

TEST_CASE("mutants of windows have unique names, known claims and a kernel to stand in for") {
  std::set<std::string> names;
  for (const auto& family : {cast_mutants(), permitted_variants()}) {
    for (const Mutant& mutant : family) names.insert(mutant.name);
  }
  for (const Mutant& mutant : window_mutants()) {
    INFO(mutant.name);
    CHECK(names.insert(mutant.name).second);
    CHECK(claim_kind_from_id(mutant.claim).has_value());
    CHECK(!mutant.what.empty());
    REQUIRE(registry().find(mutant.entry_point) != nullptr);
    CHECK(mutant.name.find(mutant.entry_point.substr(mutant.entry_point.rfind(':') + 1)) == 0);
  }
  for (const Mutant& permitted : permitted_window_variants()) {
    INFO(permitted.name);
    CHECK(names.insert(permitted.name).second);
    CHECK(permitted.claim.empty());
    CHECK(!permitted.what.empty());
    CHECK(registry().find(permitted.entry_point) != nullptr);
  }
}

std::vector<Mutant> mutants_and_permitted() {
  std::vector<Mutant> all = window_mutants();
  for (const Mutant& permitted : permitted_window_variants()) all.push_back(permitted);
  return all;
}

TEST_CASE("mutants of windows sign as mutants, are right on one element and check arguments") {
  for (const Mutant& mutant : mutants_and_permitted()) {
    INFO(mutant.name);
    const Dtype dtype = kernel_of(mutant).outputs[0];
    Convolution made = is_pool(mutant) ? make_pooling(dtype, {1, 1, 1, 1}, 1, 1)
                                       : make_convolution(operation_of(mutant), dtype, {});
    for (Dense& input : made.inputs) input.fill({traits(dtype).one()});
    // Room on both sides for those that read or write outside.
    std::vector<std::vector<std::byte>> room(3, std::vector<std::byte>(256));
    GuardedCall call(made);
    std::size_t used = 0;
    for (DLTensor& input : call.inputs) {
      std::byte* data = room[used++].data() + 128;
      std::memcpy(data, input.data, made.inputs[0].bytes().size());
      input.data = data;
    }
    call.output.data = room[used].data() + 128;
    std::fenv_t environment;
    std::fegetenv(&environment);
    const KernelStatus status = call.run(mutant.function);
    std::fesetenv(&environment);
    CHECK(status == KernelStatus::kOk);
    REQUIRE(call.reply.ran != nullptr);
    CHECK(std::string(call.reply.ran) == "mutant");
    CHECK(std::string(call.reply.message).empty());
    if (mutant.claim != "output_fully_written" && mutant.claim != "error_bound") {
      CHECK(first_difference(Dense(made.out).fill({traits(dtype).one()}), call.result()) == "");
    }
    CHECK(mutant.function(call.reply) == KernelStatus::kBadArity);
  }
}

}  // namespace
}  // namespace assay::testing
