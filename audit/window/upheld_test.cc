// Every judge upholds its claim of every variant of the built-in kernels.
#include <ctime>

#include "audit/window/testing/judged.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

void check_all(const Job& job) {
  for (const KernelVariant* variant : job.variants) {
    for (const CallRow& row : call_rows()) {
      const std::clock_t start = std::clock();
      const CallTally tally = testing::judge(row.judge, job, *variant);
      const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      INFO(job.entry_point << " " << variant->name << " " << assay::row(row.kind).id << "\n"
                           << testing::text(tally));
      CHECK(testing::upheld(tally));
      if (std::getenv("ASSAY_TIMES") != nullptr) {
        std::printf("%s %s %s %.3f s\n%s\n", job.entry_point.c_str(), variant->name.c_str(),
                    std::string(assay::row(row.kind).id).c_str(), seconds,
                    testing::text(tally).c_str());
      }
    }
  }
}

TEST_CASE("conv2d in f32 keeps every claim about calls", "[window]") {
  check_all(testing::job("conv2d", Dtype::kF32));
}

TEST_CASE("conv_transpose2d in f64 keeps every claim about calls", "[window]") {
  check_all(testing::job("conv_transpose2d", Dtype::kF64));
}

TEST_CASE("conv2d_simple in f16 keeps every claim about calls", "[window]") {
  check_all(testing::job("conv2d_simple", Dtype::kF16));
}

TEST_CASE("max_pool2d in bf16 keeps every claim about calls", "[window]") {
  check_all(testing::job("max_pool2d", Dtype::kBF16));
}

}  // namespace
}  // namespace assay::window
