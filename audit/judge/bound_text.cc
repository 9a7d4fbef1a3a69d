#include "audit/judge/bound_text.h"

#include <fmt/format.h>

#include "reports/text.h"

namespace assay {

std::string beyond_text(double error, double bound, const std::string& declared) {
  const std::string limit = declared.empty() ? number_text(bound) : declared;
  if (error <= bound) return fmt::format("just above the bound, which is {}", limit);
  return fmt::format("{}, the bound is {}", number_text(error), limit);
}

}  // namespace assay
