// Every judge upholds its claim of every variant of the built-in kernels.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "audit/window/testing/judged.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

void check_all(const Job& job) {
  for (const KernelVariant* variant : job.variants) {
    for (const CallRow& row : call_rows()) {
      if (job.contract->claim(row.kind) == nullptr) continue;
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

TEST_CASE("a contract that asks for no alignment is kept too", "[window]") {
  for (const Job* strict :
       {&testing::job("conv2d", Dtype::kF32), &testing::job("max_pool2d", Dtype::kBF16)}) {
    fkc::KernelContract contract = *strict->contract;
    contract.alignment_bytes = 1;
    Job lenient = *strict;
    lenient.contract = &contract;
    lenient.operation.contract = &contract;
    lenient.variants = {strict->variants.back()};
    check_all(lenient);
  }
}

TEST_CASE("alignments of pages are kept too", "[window]") {
  fkc::KernelContract contract = *testing::job("conv2d", Dtype::kF64).contract;
  contract.alignment_bytes = 4096;
  Job strict = testing::job("conv2d", Dtype::kF64);
  strict.contract = &contract;
  strict.operation.contract = &contract;
  strict.variants = {strict.variants.front()};
  check_all(strict);
}

TEST_CASE("small selections have every feature of an operation's geometries", "[window]") {
  const Job& job = testing::job("conv2d", Dtype::kF32);
  const std::vector<Case> cases = small_cases(job, 30);
  REQUIRE(cases.size() == 30);
  const auto some = [&](auto&& has) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const Case& each) { return has(each.geometry); });
  };
  CHECK(some([](const Geometry& g) { return g.extents.batch == 0; }));
  CHECK(some([](const Geometry& g) { return g.extents.out_channels == 0; }));
  CHECK(some([](const Geometry& g) { return g.extents.batch > 1; }));
  CHECK(some([](const Geometry& g) { return g.bias; }));
  CHECK(some([](const Geometry& g) { return !g.bias; }));
  CHECK(some([](const Geometry& g) {
    return g.extents.groups > 1 && g.extents.groups < g.extents.in_channels;
  }));
  CHECK(some([](const Geometry& g) {
    return g.extents.groups > 1 && g.extents.groups == g.extents.in_channels;
  }));
  CHECK(some([](const Geometry& g) { return g.extents.stride.rows != g.extents.stride.columns; }));
  CHECK(some([](const Geometry& g) { return g.extents.kernel.rows > g.extents.image.rows; }));
  CHECK(some([](const Geometry& g) { return g.extents.result.columns > 64; }));
  CHECK(small_cases(job, 5).size() == 5);
  CHECK(small_cases(job, 1000000).size() > 100);
}

}  // namespace
}  // namespace assay::window
