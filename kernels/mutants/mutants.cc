#include "kernels/mutants/mutants.h"

#include "kernels/mutants/mutant_kernel.h"

namespace assay {

std::vector<Mutant> cast_mutants() {
  std::vector<Mutant> all;
  for (const auto& family : {mutants::rounding_mutants(), mutants::special_value_mutants(),
                             mutants::memory_mutants(), mutants::acceptance_mutants()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

}  // namespace assay
