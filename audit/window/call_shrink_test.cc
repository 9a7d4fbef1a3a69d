// Examples of claims about calls come down to a small call that shows the same, or say that they
// were not seen again.
#include "audit/window/call_shrink.h"

#include <algorithm>

#include "audit/window/subject.h"
#include "audit/window/testing/driven.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

std::size_t results_of(const KernelCall& call) {
  std::size_t n = 1;
  for (int axis = 0; axis < call.outputs[0].ndim; ++axis) {
    n *= static_cast<std::size_t>(call.outputs[0].shape[axis]);
  }
  return n;
}

/// Leaves the last of three results or more as it was.
KernelStatus last_unwritten(KernelCall& call) {
  auto* out = static_cast<std::uint32_t*>(call.outputs[0].data);
  const std::size_t n = results_of(call);
  const std::uint32_t before = n > 2 ? out[n - 1] : 0;
  const KernelStatus status = testing::healthy(call, "conv2d_simple", Dtype::kF32);
  if (status == KernelStatus::kOk && n > 2) out[n - 1] = before;
  return status;
}

KernelStatus right(KernelCall& call) {
  return testing::healthy(call, "conv2d_simple", Dtype::kF32);
}

std::size_t row_of(ClaimKind kind) {
  const std::vector<CallRow>& rows = call_rows();
  return static_cast<std::size_t>(std::ranges::find(rows, kind, &CallRow::kind) - rows.begin());
}

/// What the judge of `kind` finds, shrunk with the job's kernel.
CallExample shrunk(const Job& job, ClaimKind kind, const CallExample& example) {
  Found found;
  found.variants.resize(1);
  found.variants[0].calls.resize(call_rows().size());
  CallTally& tally = found.variants[0].calls[row_of(kind)];
  tally.violations = 1;
  tally.has_example = true;
  tally.example = example;
  AuditOptions options;
  bool interrupted = false;
  shrink_calls(job, options, {}, found, &interrupted);
  CHECK_FALSE(interrupted);
  return found.variants[0].calls[row_of(kind)].example;
}

Case large() {
  Case made{{}, Family::kScaled, 1};
  made.geometry.extents.batch = 2;
  made.geometry.extents.in_channels = 3;
  made.geometry.extents.out_channels = 2;
  made.geometry.extents.image = {5, 6};
  made.geometry.extents.kernel = {2, 3};
  return made;
}

CallExample example_of(const Job& job) {
  CallExample example;
  example.has_case = true;
  example.the_case = large();
  REQUIRE(complete(job.operation, example.the_case.geometry));
  return example;
}

TEST_CASE("a call comes down to the smallest that the judge refutes", "[window]") {
  const auto faulty =
      testing::driven("conv2d_simple", Dtype::kF32, {{"scalar", last_unwritten}}, {large()});
  const CallExample small =
      shrunk(faulty->job, ClaimKind::kOutputFullyWritten, example_of(faulty->job));
  REQUIRE(small.has_case);
  CHECK(elements(output_shape(small.the_case.geometry)) == 3);
  CHECK(tensor_elements(faulty->job.operation, small.the_case.geometry) <= 8);
  CHECK(std::string(small.why).find("not seen again") == std::string::npos);
}

TEST_CASE("a call that the judge does not refute again says so", "[window]") {
  const auto healthy =
      testing::driven("conv2d_simple", Dtype::kF32, {{"scalar", right}}, {large()});
  const CallExample same =
      shrunk(healthy->job, ClaimKind::kOutputFullyWritten, example_of(healthy->job));
  CHECK(same.the_case.geometry.extents.image == oracle::Pair{5, 6});
  CHECK(std::string(same.why).find("not seen again in a fresh process") != std::string::npos);
}

}  // namespace
}  // namespace assay::window
