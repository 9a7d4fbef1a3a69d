#include "kernels/mutants/mutants.h"

#include "kernels/mutants/mutant_kernel.h"
#include "kernels/mutants/smallest_calls.h"
#include "kernels/mutants/window_kernel.h"

namespace assay {

namespace {

std::vector<Mutant> joined(std::initializer_list<std::vector<Mutant>> families) {
  std::vector<Mutant> all;
  for (const auto& family : families) all.insert(all.end(), family.begin(), family.end());
  mutants::put_smallest_calls(all);
  return all;
}

}  // namespace

std::vector<Mutant> cast_mutants() {
  return joined({mutants::rounding_mutants(), mutants::narrowing_mutants(),
                 mutants::integer_mutants(), mutants::single_pattern_mutants(),
                 mutants::special_value_mutants(), mutants::memory_mutants(),
                 mutants::acceptance_mutants()});
}

std::vector<Mutant> window_mutants() {
  return joined({mutants::window_sum_mutants(), mutants::window_geometry_mutants(),
                 mutants::window_pool_mutants(), mutants::window_memory_mutants(),
                 mutants::window_call_mutants(), mutants::window_tensor_mutants()});
}

}  // namespace assay
