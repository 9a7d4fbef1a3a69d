// Kernels that take what the contract rejects, of any one operand; and such as take what another
// contract accepts.
#include <csignal>
#include <string>

#include "audit/window/testing/faulty_kernels.h"
#include "audit/window/testing/reading.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using namespace testing;  // NOLINT: tests of one namespace's helpers

const Job& conv() {
  return job("conv2d", Dtype::kF32);
}

void check_forgiving(CallJudge judge, const Job& of, const char* message, const char* why) {
  const CallTally tally = judge_forgiving(judge, of, message);
  INFO(message << "\n" << text(tally));
  CHECK(refuted(tally));
  CHECK(std::string(tally.example.why).find(why) != std::string::npos);
}

TEST_CASE("a layout that one operand alone is not checked for is seen", "[window]") {
  check_forgiving(judge_accept_layout, conv(), "x: expected row-major", "`x` of shape");
  check_forgiving(judge_accept_layout, conv(), "weight: expected row-major", "`weight` of shape");
  check_forgiving(judge_accept_layout, conv(), "bias: expected row-major", "`bias` of shape");
  check_forgiving(judge_accept_layout, conv(), "x: expected byte_offset", "byte_offset 64");
  check_forgiving(judge_accept_layout, conv(), "bias: expected byte_offset", "a offset `bias`");
  check_forgiving(judge_accept_layout, job("max_pool2d", Dtype::kBF16), "x: expected row-major",
                  "is accepted");
}

TEST_CASE("a dtype that one operand alone is not checked for is seen", "[window]") {
  check_forgiving(judge_accept_dtype, conv(), "x: expected dtype", "`x` of dtype");
  check_forgiving(judge_accept_dtype, conv(), "weight: expected dtype",
                  "`weight` of dtype f64 while the others are f32 is accepted");
  check_forgiving(judge_accept_dtype, conv(), "bias: expected dtype", "`bias` of dtype");
  check_forgiving(judge_accept_dtype, job("conv2d_simple", Dtype::kF16), "kernel: expected dtype",
                  "`kernel` of dtype");
  check_forgiving(judge_accept_dtype, job("max_pool2d", Dtype::kBF16), "x: expected dtype",
                  "`x` of dtype");
}

/// Takes any dtype as long as all tensors agree.
KernelStatus any_common_dtype(KernelCall& call) {
  const DLDataType& common = call.outputs[0].dtype;
  for (const DLTensor& input : call.inputs) {
    if (input.dtype.bits != common.bits || input.dtype.code != common.code) return real(call);
  }
  if (real(call) == KernelStatus::kOk) return KernelStatus::kOk;
  call.ran = "scalar";
  return KernelStatus::kOk;
}

TEST_CASE("operands that agree in a dtype that is not listed are refused", "[window]") {
  const CallTally tally = judge(judge_accept_dtype, conv(), any_common_dtype);
  INFO(text(tally));
  CHECK(refuted(tally));
  CHECK(std::string(tally.example.why).find("all inputs and the output of dtype") == 0);
}

TEST_CASE("a rank that one operand alone is not checked for is seen", "[window]") {
  check_forgiving(judge_accept_rank, conv(), "x: expected rank", "`x` of rank 0");
  check_forgiving(judge_accept_rank, conv(), "weight: expected rank", "`weight` of rank");
  check_forgiving(judge_accept_rank, conv(), "bias: expected rank", "`bias` of rank 0");
  check_forgiving(judge_accept_rank, conv(), "bias: expected rank 1, found rank 2",
                  "`bias` of rank 2 and shape (1, 4)");
}

/// A conv2d whose contract asks for these groups.
struct Grouped {
  explicit Grouped(const std::string& constraint)
      : reading(read_edited("conv2d", Dtype::kF32,
                            {{"groups: { kind: usize, constraint: \"x.dim[1] % groups == 0 && "
                              "weight.dim[0] % groups == 0\"",
                              "groups: { kind: usize, constraint: \"" + constraint + "\""}})),
        job(conv()) {
    job.operation = reading.operation;
    job.contract = reading.operation.contract;
    job.cases.clear();
    AuditOptions options;
    options.effort = Effort::kQuick;
    plan(job, options);
  }
  Reading reading;
  Job job;
};

TEST_CASE("what is accepted is judged whatever groups the contract asks for", "[window]") {
  for (const char* constraint :
       {"groups == x.dim[1] && weight.dim[0] % groups == 0",
        "groups == 4 && x.dim[1] % groups == 0 && weight.dim[0] % groups == 0",
        // Nothing that is tried first.
        "groups == 3 && x.dim[1] == 3 && weight.dim[0] == 6", "groups == 1 && x.dim[1] == 2"}) {
    const Grouped grouped(constraint);
    for (const CallJudge judged : {judge_accept_layout, judge_accept_dtype, judge_accept_rank,
                                   judge_accept_geometry, judge_layout_guarantee}) {
      const CallTally tally = judge(judged, grouped.job, real);
      INFO(constraint << "\n" << text(tally));
      CHECK(upheld(tally));
      CHECK(tally.probes > 20);
    }
    const CallTally tally = judge_forgiving(judge_accept_dtype, grouped.job, "weight: expected");
    INFO(text(tally));
    CHECK(refuted(tally));
  }
  const Grouped none("groups > 5 && groups < 3");
  for (const CallRow& row : call_rows()) {
    const CallTally tally = judge(row.judge, none.job, real);
    INFO(assay::row(row.kind).id << "\n" << text(tally));
    CHECK(tally.probes == 0);
    CHECK(tally.planned == 0);
  }
}

/// Trips over an image without a fourth extent.
KernelStatus trips(KernelCall& call) {
  if (call.inputs[0].ndim < 4) std::raise(SIGFPE);
  return real(call);
}

TEST_CASE("a crash is no refusal, and neither is one after output was written", "[window]") {
  CallTally tally = judge(judge_accept_rank, conv(), trips);
  INFO(text(tally));
  CHECK(refuted(tally));
  CHECK(std::string(tally.example.why).find("is not refused: the call ended with") !=
        std::string::npos);
  for (const CallJudge each :
       {judge_accept_layout, judge_accept_dtype, judge_accept_rank, judge_accept_geometry,
        judge_dtype_rule, judge_shape_rule, judge_layout_guarantee}) {
    tally = judge(each, conv(), write_and_refuse);
    INFO(text(tally));
    CHECK(refuted(tally));
    CHECK(std::string(tally.example.why).find("output bytes were written before") !=
          std::string::npos);
  }
}

/// Makes strided images dense first, right or with the first two elements exchanged.
bool exchanged = false;
KernelStatus makes_dense(KernelCall& call) {
  const DLTensor& x = call.inputs[0];
  if (x.ndim != 4 || x.strides == nullptr) return real(call);
  std::vector<float> values;
  const auto* data = static_cast<const float*>(x.data) + x.byte_offset / sizeof(float);
  for (std::int64_t n = 0; n < x.shape[0]; ++n) {
    for (std::int64_t c = 0; c < x.shape[1]; ++c) {
      for (std::int64_t h = 0; h < x.shape[2]; ++h) {
        for (std::int64_t w = 0; w < x.shape[3]; ++w) {
          values.push_back(
              data[n * x.strides[0] + c * x.strides[1] + h * x.strides[2] + w * x.strides[3]]);
        }
      }
    }
  }
  if (exchanged) std::swap(values[0], values[1]);
  std::vector<DLTensor> inputs(call.inputs.begin(), call.inputs.end());
  inputs[0].data = values.data();
  inputs[0].strides = nullptr;
  inputs[0].byte_offset = 0;
  KernelCall dense = call;
  dense.inputs = inputs;
  const KernelStatus status = real(dense);
  call.ran = dense.ran;
  return status;
}

TEST_CASE("views that a contract accepts must give what their dense copies give", "[window]") {
  fkc::KernelContract contract = *conv().contract;
  fkc::Layout& layout = contract.inputs[0].layout;
  layout.strided = layout.broadcast_stride0 = layout.start_offset = layout.reverse_strides =
      fkc::LayoutFlag::kAccepted;
  Job lenient = conv();
  lenient.contract = &contract;
  lenient.operation.contract = &contract;
  exchanged = false;
  CallTally tally = judge(judge_accept_layout, lenient, makes_dense);
  INFO(text(tally));
  CHECK(upheld(tally));
  exchanged = true;
  tally = judge(judge_accept_layout, lenient, makes_dense);
  CHECK(refuted(tally));
  CHECK(tally.example.has_values);
  // The strict kernel breaks the lenient contract, and the lenient kernel the strict one.
  tally = judge(judge_accept_layout, lenient, real);
  CHECK(refuted(tally));
  CHECK(std::string(tally.example.why).find("is not accepted") != std::string::npos);
  exchanged = false;
  CHECK(refuted(judge(judge_accept_layout, conv(), makes_dense)));
}

}  // namespace
}  // namespace assay::window
