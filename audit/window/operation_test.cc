#include "audit/window/operation.h"

#include "audit/window/testing/reading.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using testing::Edits;
using testing::read_changed;
using testing::read_edited;

void check_parameter(const Operation& operation, ParameterRole role, const std::string& name,
                     bool pair) {
  INFO(name);
  const OperationParameter* parameter = operation.find(role);
  REQUIRE(parameter != nullptr);
  CHECK(operation.has(role));
  CHECK(parameter->role == role);
  CHECK(parameter->name == name);
  CHECK(parameter->pair == pair);
  CHECK(parameter->rows_name == (pair ? name + "_h" : name));
  CHECK(parameter->columns_name == (pair ? name + "_w" : name));
}

TEST_CASE("a direct convolution has pairs, groups and an optional bias", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF64);
  CHECK(operation.kind == OperationKind::kConvolution);
  CHECK(operation.dtype == Dtype::kF64);
  CHECK(operation.is_sum());
  REQUIRE(operation.parameters.size() == 4);  // the shapes are those of the tensors
  check_parameter(operation, ParameterRole::kStride, "stride", true);
  check_parameter(operation, ParameterRole::kPadding, "padding", true);
  check_parameter(operation, ParameterRole::kDilation, "dilation", true);
  check_parameter(operation, ParameterRole::kGroups, "groups", false);
  CHECK_FALSE(operation.has(ParameterRole::kOutputPadding));
  CHECK_FALSE(operation.has(ParameterRole::kWindow));
  CHECK(operation.takes_bias);
  CHECK(operation.bias_optional);
  CHECK(operation.input_name(0) == "x");
  CHECK(operation.input_name(1) == "weight");
  CHECK(operation.input_name(2) == "bias");
  CHECK(operation.output_name() == "out");
}

TEST_CASE("a transposed convolution has an output padding and no bias", "[window]") {
  const Operation& operation = testing::operation("conv_transpose2d", Dtype::kF32);
  CHECK(operation.kind == OperationKind::kTransposedConvolution);
  CHECK(operation.is_sum());
  REQUIRE(operation.parameters.size() == 5);
  check_parameter(operation, ParameterRole::kStride, "stride", true);
  check_parameter(operation, ParameterRole::kPadding, "padding", true);
  check_parameter(operation, ParameterRole::kOutputPadding, "output_padding", true);
  check_parameter(operation, ParameterRole::kDilation, "dilation", true);
  check_parameter(operation, ParameterRole::kGroups, "groups", false);
  CHECK_FALSE(operation.takes_bias);
  CHECK_FALSE(operation.bias_optional);
}

TEST_CASE("a simple convolution has single numbers", "[window]") {
  const Operation& operation = testing::operation("conv2d_simple", Dtype::kBF16);
  CHECK(operation.kind == OperationKind::kConvolution);
  REQUIRE(operation.parameters.size() == 2);
  check_parameter(operation, ParameterRole::kStride, "stride", false);
  check_parameter(operation, ParameterRole::kPadding, "padding", false);
  CHECK(operation.input_name(1) == "kernel");
  CHECK_FALSE(operation.takes_bias);
}

TEST_CASE("a pooling has the window as a parameter and one operand", "[window]") {
  const Operation& operation = testing::operation("max_pool2d", Dtype::kF16);
  CHECK(operation.kind == OperationKind::kPooling);
  CHECK_FALSE(operation.is_sum());
  REQUIRE(operation.parameters.size() == 2);
  check_parameter(operation, ParameterRole::kWindow, "kernel_size", false);
  check_parameter(operation, ParameterRole::kStride, "stride", false);
}

TEST_CASE("the operations with windows are known by their op_kind", "[window]") {
  for (const char* op_kind : {"Conv2D", "Conv2dSimple", "ConvTranspose2D", "MaxPool2D"}) {
    CHECK(is_window_operation(op_kind));
  }
  for (const char* op_kind : {"Cast", "conv2d", "Conv", "Conv2D ", ""}) {
    CHECK_FALSE(is_window_operation(op_kind));
  }
}

TEST_CASE("a bias is optional only where the contract says so", "[window]") {
  const auto reading = read_edited("conv2d", Dtype::kF32, {{"      optional: true\n", ""}});
  CHECK(reading.why_not.empty());
  CHECK(reading.operation.takes_bias);
  CHECK_FALSE(reading.operation.bias_optional);
}

TEST_CASE("parameters are read as the contract writes them", "[window]") {
  const auto scalar = read_edited(
      "conv2d", Dtype::kF32,
      {{"stride: { kind: \"(usize, usize)\" }", "stride: { kind: usize }"},
       {"dilation: { kind: \"(usize, usize)\", note: \"reference kernel walks dilation=(1,1) only; "
        "carried for ABI parity\" }\n      ",
        ""}});
  REQUIRE(scalar.why_not.empty());
  check_parameter(scalar.operation, ParameterRole::kStride, "stride", false);
  check_parameter(scalar.operation, ParameterRole::kPadding, "padding", true);
  CHECK_FALSE(scalar.operation.has(ParameterRole::kDilation));
  const auto pair =
      read_edited("conv2d_simple", Dtype::kF16,
                  {{"padding: { kind: usize }", "padding: { kind: \"(usize, usize)\" }"}});
  REQUIRE(pair.why_not.empty());
  check_parameter(pair.operation, ParameterRole::kPadding, "padding", true);
}

/// The whole sentence.
void check_refused(const std::string& kernel, const Edits& edits, const std::string& why) {
  CHECK(read_edited(kernel, Dtype::kF32, edits).why_not == why);
}

TEST_CASE("what cannot be audited is refused with a reason", "[window]") {
  check_refused(
      "conv2d",
      {{"groups: { kind: usize,", "spread: { kind: usize }\n      groups: { kind: usize,"}},
      "its parameter 'spread' means nothing to the audit of a Conv2D");
  check_refused("conv2d", {{"groups: { kind: usize", "groups: { kind: \"(usize, usize)\""}},
                "its parameter 'groups' is a pair; one number is expected");
  check_refused("max_pool2d",
                {{"kernel_size: { kind: usize, constraint: \"kernel_size > 0 && kernel_size <= "
                  "x.dim[2] && kernel_size <= x.dim[3]\"",
                  "kernel_size: { kind: \"(usize, usize)\""}},
                "its parameter 'kernel_size' is a pair; one number is expected");
  check_refused("conv2d",
                {{"stride: { kind: \"(usize, usize)\"", "stride: { kind: \"[usize; 2]\""}},
                "its parameter 'stride' is of the kind '[usize; 2]'; one number, or a pair "
                "(usize, usize), is expected");
  check_refused("conv2d",
                {{"stride: { kind: \"(usize, usize)\"", "stride: { kind: \"Vec<(usize, usize)>\""}},
                "its parameter 'stride' is of the kind 'Vec<(usize, usize)>'; one number, or a "
                "pair (usize, usize), is expected");
  check_refused(
      "conv2d",
      {{"- name: weight\n      dtypes: [F32, F64]", "- name: weight\n      dtypes: [F64]"}},
      "`weight` does not take the dtype f32 of `x`; operands of different dtypes are not "
      "audited");
  check_refused("conv2d", {{"dtype_rule: passthrough(x)", "dtype_rule: fixed(F64)"}},
                "its output's dtype follows 'fixed(F64)'; only outputs of the operands' dtype are "
                "audited");
  check_refused("conv2d", {{"dtype_rule: passthrough(x)", "dtype_rule: passthrough(weight)"}},
                "its output's dtype follows 'passthrough(weight)'; only outputs of the operands' "
                "dtype are audited");
}

TEST_CASE("an output of the operands' dtype may be fixed", "[window]") {
  const Edits fixed = {{"dtype_rule: passthrough(x)", "dtype_rule: fixed(F64)"}};
  CHECK(read_edited("conv2d", Dtype::kF64, fixed).why_not.empty());
}

TEST_CASE("integers have no oracle", "[window]") {
  CHECK(read_edited("conv2d", Dtype::kI32, {}).why_not == "there is no oracle for a Conv2D of i32");
  CHECK(read_edited("max_pool2d", Dtype::kU8, {}).why_not ==
        "there is no oracle for a MaxPool2D of u8");
}

TEST_CASE("other numbers of operands are refused", "[window]") {
  const auto lose_operand = [](fkc::KernelContract& contract) { contract.inputs.resize(1); };
  CHECK(read_changed("conv2d_simple", Dtype::kF32, lose_operand).why_not ==
        "a Conv2dSimple has an image, a weight and perhaps a bias; the contract lists 1 inputs");
  const auto gain_operand = [](fkc::KernelContract& contract) {
    contract.inputs.push_back(contract.inputs.front());
  };
  CHECK(read_changed("conv2d", Dtype::kF32, gain_operand).why_not ==
        "a Conv2D has an image, a weight and perhaps a bias; the contract lists 4 inputs");
  CHECK(read_changed("max_pool2d", Dtype::kF32, gain_operand).why_not ==
        "a MaxPool2D has one input; the contract lists 2 inputs");
  const auto gain_output = [](fkc::KernelContract& contract) {
    contract.outputs.push_back(contract.outputs.front());
  };
  CHECK(read_changed("max_pool2d", Dtype::kF32, gain_output).why_not ==
        "it has more than one output");
}

}  // namespace
}  // namespace assay::window
