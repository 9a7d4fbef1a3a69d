// Kernels that take outputs of other dtypes, shapes and layouts, or change what is said of them.
#include <string>

#include "audit/window/testing/faulty_kernels.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using namespace testing;  // NOLINT: tests of one namespace's helpers

const Job& conv() {
  return job("conv2d", Dtype::kF32);
}

TEST_CASE("an output that is not checked is seen", "[window]") {
  struct Row {
    CallJudge judge;
    const char* message;
    const char* why;
  };
  for (const Row& row :
       {Row{judge_dtype_rule, "out: expected dtype", "`out` of dtype f64 is accepted"},
        Row{judge_shape_rule, "out: expected the shape rule's extent", "where"},
        Row{judge_shape_rule, "out: expected rank 4, found rank 3", "is accepted"},
        Row{judge_shape_rule, "out: expected rank 4, found rank 0", "`out` of shape ()"},
        Row{judge_layout_guarantee, "out: expected row-major", "`out` of shape"},
        Row{judge_layout_guarantee, "out: expected byte_offset 0", "byte_offset 4 is accepted"}}) {
    for (const Job* of : {&conv(), &job("max_pool2d", Dtype::kF32)}) {
      const CallTally tally = judge_forgiving(row.judge, *of, row.message);
      INFO(row.message << "\n" << text(tally));
      CHECK(refuted(tally));
      CHECK(std::string(tally.example.why).find(row.why) != std::string::npos);
    }
  }
}

/// One extent too large on the last axis only is let through.
KernelStatus last_extent_one_more(KernelCall& call) {
  DLTensor& out = call.outputs[0];
  if (out.ndim != 4) return real(call);
  const KernelStatus status = real(call);
  if (status != KernelStatus::kBadShape) return status;
  --out.shape[3];
  const KernelStatus again = real(call);
  ++out.shape[3];
  return again;
}

TEST_CASE("one extent that is one too large is seen", "[window]") {
  const CallTally tally = judge(judge_shape_rule, conv(), last_extent_one_more);
  INFO(text(tally));
  CHECK(refuted(tally));
}

/// No padded call is carried out.
KernelStatus no_padding(KernelCall& call) {
  if (parameter(call, "padding_h", 0) == 0) return real(call);
  std::strcpy(call.message, "padding_h: not today");
  return KernelStatus::kBadParameter;
}

TEST_CASE("a plain call that does not work is a fault, not a violation", "[window]") {
  const CallTally tally = judge(judge_shape_rule, conv(), no_padding);
  INFO(text(tally));
  CHECK(tally.fault == CallFault::kRefused);
  CHECK(tally.violations == 0);
}

KernelStatus says_f64(KernelCall& call) {
  return afterwards(call, [&] { call.outputs[0].dtype.bits = 64; });
}
KernelStatus says_flat(KernelCall& call) {
  return afterwards(call, [&] { call.outputs[0].ndim = 1; });
}
KernelStatus says_offset(KernelCall& call) {
  return afterwards(call, [&] { call.outputs[0].byte_offset = 4; });
}

TEST_CASE("a changed description of the output falls under the claim about it", "[window]") {
  struct Row {
    CallJudge judge;
    KernelFunction function;
  };
  const Row rows[] = {{judge_dtype_rule, says_f64},
                      {judge_shape_rule, says_flat},
                      {judge_layout_guarantee, says_offset}};
  for (const Row& row : rows) {
    for (const Row& other : rows) {
      const CallTally tally = judge(row.judge, conv(), other.function);
      INFO(text(tally));
      CHECK(refuted(tally) == (row.judge == other.judge));
      CHECK(upheld(tally) == (row.judge != other.judge));
    }
  }
}

/// Minds strides that say what is so anyway.
KernelStatus no_strides(KernelCall& call) {
  if (call.outputs[0].strides == nullptr) return real(call);
  std::strcpy(call.message, "out: no strides");
  return KernelStatus::kBadLayout;
}

TEST_CASE("a dense output with strides is a dense output", "[window]") {
  const CallTally tally = judge(judge_layout_guarantee, conv(), no_strides);
  INFO(text(tally));
  CHECK(refuted(tally));
  CHECK(std::string(tally.example.why).find("a dense `out` is not accepted") == 0);
}

TEST_CASE("a rule that cannot be evaluated, and other promises, are not judged", "[window]") {
  fkc::KernelContract contract = *conv().contract;
  Job other = conv();
  other.contract = &contract;
  other.operation.contract = &contract;
  contract.outputs[0].shape_rule.value = "something(else)";
  CallTally tally = judge(judge_shape_rule, other, real);
  CHECK(tally.undecidable[0] != '\0');
  CHECK(tally.probes == 0);
  contract.outputs[0].layout_guarantee.value = "strided";
  CHECK(judge(judge_layout_guarantee, other, real).undecidable[0] != '\0');
  contract.outputs[0].aliasing.value = "in_place(x)";
  CHECK(judge(judge_aliasing, other, real).undecidable[0] != '\0');
}

}  // namespace
}  // namespace assay::window
