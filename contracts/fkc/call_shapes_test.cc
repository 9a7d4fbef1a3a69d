// Shape constraints and shape rules, evaluated for calls.
#include "contracts/fkc/call_shapes.h"

#include <limits>

#include "contracts/fkc/shape_constraint.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

InputOperand operand(std::string name, std::string constraint = {}) {
  InputOperand input;
  input.name.value = std::move(name);
  input.shape_constraint = std::move(constraint);
  return input;
}

OutputOperand output(std::string rule) {
  OutputOperand result;
  result.name.value = "out";
  result.shape_rule.value = std::move(rule);
  return result;
}

/// "holds", or the standing with its reason, of the one segment of `y`, whose neighbour is `x`.
std::string said(std::string constraint, Extents y, Extents x) {
  KernelContract contract;
  contract.inputs = {operand("x"), operand("y", std::move(constraint))};
  contract.op_param_fields = {{"k", "usize", "", ""}};
  const CallShapes call{{{"x", std::move(x)}, {"y", std::move(y)}}, {}};
  const auto requirements = check_requirements(contract, call);
  REQUIRE(requirements.size() == 3);
  CHECK(requirements[0].text == "rank=any");
  CHECK(requirements[2].about == "y");
  const Finding& finding = requirements[2].finding;
  return std::string(to_string(finding.standing)) + (finding.why.empty() ? "" : ": " + finding.why);
}

TEST_CASE("each segment of a shape constraint holds or names operand and value") {
  CHECK(said("same_as=x", {2, 3}, {2, 3}) == "holds");
  CHECK(said("same_as=x", {2, 3}, {3, 2}) == "violated: `y` has the shape [2, 3], `x` has [3, 2]");
  CHECK(said("same_rank=x", {2, 3}, {9, 9}) == "holds");
  CHECK(said("same_rank=x", {2}, {9, 9}) == "violated: `y` has the shape [2], `x` has [9, 9]");
  CHECK(said("last_dim_eq=x", {2, 3}, {3}) == "holds");
  CHECK(said("last_dim_eq=x", {2, 3}, {2}) == "violated: `y` has the shape [2, 3], `x` has [2]");
  CHECK(said("last_dim_eq=x", {}, {2}) == "violated: `y` has the shape [], `x` has [2]");
  CHECK(said("broadcast_to=x", {1, 3}, {5, 2, 3}) == "holds");
  CHECK(said("broadcast_to=x", {2, 3}, {5, 4, 3}) ==
        "violated: `y` has the shape [2, 3], `x` has [5, 4, 3]");
  CHECK(said("broadcast_to=x", {1, 1}, {4}) == "violated: `y` has the shape [1, 1], `x` has [4]");
  CHECK(said("rank=2", {1, 1}, {}) == "holds");
  CHECK(said("rank=2..", {1}, {}) == "violated: `y` has the shape [1]");
  CHECK(said("rank=0..=1", {1, 1}, {}) == "violated: `y` has the shape [1, 1]");
  CHECK(said("dim[0]=x.dim[1] / 2", {3}, {1, 6}) == "holds");
  CHECK(said("dim[0]=x.dim[1] / 2", {3}, {1, 7}) ==
        "violated: `y.dim[0]` is 3, and `x.dim[1] / 2` is 7/2");
  CHECK(said("dim[-1]=dim[0] + 1", {3, 4}, {}) == "holds");
  CHECK(said("dim[2]=1", {3}, {}) == "violated: `y` has the shape [3] and no dimension 2");
  CHECK(said("dim[1]=x", {3, 4}, {7, 4}) == "holds");
  CHECK(said("dim[1]=x", {3, 4}, {7, 5}) == "violated: `y.dim[1]` is 4, and `x` is 5");
  CHECK(said("dim[1]=x", {3, 4}, {7}) == "violated: `x` has the shape [7] and no dimension 1");
  CHECK(said("divisible(x.dim[0], dim[0])", {3}, {6}) == "holds");
  CHECK(said("divisible(x.dim[0], dim[0])", {4}, {6}) ==
        "violated: `x.dim[0]` is 6, and `dim[0]` is 4");
  CHECK(said("divisible(x.dim[0], dim[0])", {0}, {6}) ==
        "violated: `x.dim[0]` is 6, and `dim[0]` is 0: only 0 is divisible by 0");
  CHECK(said("divisible(x.dim[0], dim[0])", {0}, {0}) == "holds");
  CHECK(said("capacity_ge(dim[0], x.dim[0])", {5}, {5}) == "holds");
  CHECK(said("capacity_ge(dim[0], x.dim[0])", {4}, {5}) ==
        "violated: `y.dim[0]` is 4, and `x.dim[0]` is 5");
}

TEST_CASE("the extent of another operand as `same_as`") {
  CHECK(said("same_as=x.dim[0]", {4}, {4, 2}) == "holds");
  CHECK(said("same_as=x.dim[-1]", {2}, {4, 2}) == "holds");
  CHECK(said("same_as=x.dim[0]", {3}, {4, 2}) ==
        "violated: `y` has the shape [3], and `x.dim[0]` is 4");
  CHECK(said("same_as=x.dim[0]", {3, 4}, {4, 2}) ==
        "not checked: `y` has the shape [3, 4], and `x.dim[0]` is 4: the contract does not say "
        "which dimension that is");
  CHECK(said("same_as=x.dim[0]", {3, 5}, {4, 2}) ==
        "violated: `y` has the shape [3, 5], and `x.dim[0]` is 4");
  CHECK(said("same_as=x.dim[2]", {3}, {4, 2}) ==
        "violated: `x` has the shape [4, 2] and no dimension 2");
}

TEST_CASE("what cannot be evaluated is kept and not checked") {
  CHECK(said("packed rows", {1}, {}) == "not checked: free text");
  CHECK(said("rank == 2", {1}, {}) == "not checked: free text");
  CHECK(said("dim[i] == 2", {1}, {}) == "not checked: free text");
  CHECK(said("dim[0] == 2", {1}, {}) == "not checked: free text");
  CHECK(said("same_as=ghost", {1}, {}) == "not checked: `ghost` has no shape that is known");
  CHECK(said("dim[0]=k", {1}, {}) == "not checked: `k` is not known");  // a parameter without value
  CHECK(said("dim[0]=2 * m", {1}, {}) == "not checked: `m` is not known");
  CHECK(said("divisible(x.dim[9], 2)", {1}, {1}) ==
        "not checked: `x.dim` has 1 elements and no element 9");
  CHECK(said("divisible(dim[0], 2) roughly", {1}, {}) ==
        "not checked: not in the grammar: write divisible(a, b), and nothing behind it");
}

TEST_CASE("committed segments say where they leave the grammar") {
  struct Row {
    std::string_view text;
    std::size_t at;
  };
  for (const Row& row : {Row{"rank=banana", 5},
                         {"rank=4..=2", 5},
                         {"rank=", 5},
                         {"divisible(k, 256) roughly", 0},
                         {"divisible(k)", 0},
                         {"divisible(k, 2, 3)", 0},
                         {"divisible(", 0},
                         {"divisible(k k, 2)", 10},
                         {"divisible(2, * k)", 13},
                         {"capacity_ge(dim[i], k)", 0},
                         {"capacity_ge(dim[0], k) ", 23},
                         {"capacity_ge(dim[0], )", 21},
                         {"dim[0]=2 * * k", 11},
                         {"dim[0]=", 7}}) {
    INFO(row.text);
    const auto segments = parse_shape_constraint(row.text);
    REQUIRE(segments.size() == 1);
    const auto* free = std::get_if<FreeSegment>(&segments[0].content);
    if (row.at == 23) {  // a blank at the end changes nothing
      CHECK(free == nullptr);
      continue;
    }
    REQUIRE(free != nullptr);
    REQUIRE(free->fault.has_value());
    CHECK(free->fault->at == row.at);
  }
  const auto segments = parse_shape_constraint(" ; rank=2;; dim[0]=k ;");
  REQUIRE(segments.size() == 2);
  CHECK(segments[0].text == "rank=2");
  CHECK(segments[0].at == 3);
  CHECK(segments[1].text == "dim[0]=k");
  CHECK(segments[1].at == 12);
}

TEST_CASE("an unknown is one number in the whole contract") {
  KernelContract contract;
  contract.inputs = {operand("a", "dim[0]=2 * m; dim[1]=k"), operand("b", "dim[0]=k; dim[1]=m"),
                     operand("c", "capacity_ge(dim[0], k)")};
  contract.inputs[2].optional = true;
  const auto standings = [&](const CallShapes& call) {
    std::string text;
    for (const Requirement& requirement : check_requirements(contract, call)) {
      if (requirement.finding.standing != Standing::kHolds) {
        text += requirement.about + " " + requirement.text + ": " + requirement.finding.why + "\n";
      }
    }
    return text;
  };
  CHECK(standings({{{"a", {8, 3}}, {"b", {3, 4}}, {"c", {3}}}, {}}).empty());
  CHECK(standings({{{"a", {8, 3}}, {"b", {3, 4}}}, {}}).empty());
  CHECK(standings({{{"a", {8, 3}}, {"b", {5, 4}}}, {}}) ==
        "b dim[0]=k: `b.dim[0]` is 5, and `k` is 3\n");
  CHECK(standings({{{"a", {6, 3}}, {"b", {3, 4}}, {"c", {2}}}, {}}) ==
        "a dim[0]=2 * m: `a.dim[0]` is 6, and `2 * m` is 8\n"
        "c capacity_ge(dim[0], k): `c.dim[0]` is 2, and `k` is 3\n");
  CHECK(standings({{{"a", {8, 3}}}, {}}) ==
        "b an operand: `b` is missing\na dim[0]=2 * m: `m` is not known\n");
}

TEST_CASE("a constraint may name an output") {
  KernelContract contract;
  contract.inputs = {operand("x", "same_as=out"), operand("y", "divisible(out.dim[0], 2)")};
  contract.outputs = {output("from_params(x.dim[0] * 2)")};
  const auto requirements = check_requirements(contract, {{{"x", {3}}, {"y", {1}}}, {}});
  REQUIRE(requirements.size() == 4);
  CHECK(requirements[1].finding.why == "`x` has the shape [3], `out` has [6]");
  CHECK(requirements[3].finding.standing == Standing::kHolds);
}

/// The output's shape, or the standing with its reason.
std::string shape_of(const KernelContract& contract, const CallShapes& call) {
  const OutputShape result = output_shape(contract, contract.outputs.at(0), call);
  CHECK(result.shape.has_value() == (result.finding.standing == Standing::kHolds));
  if (result.shape) return to_string(*result.shape);
  return std::string(to_string(result.finding.standing)) + ": " + result.finding.why;
}

std::string rule_of(std::string rule, const CallShapes& call) {
  KernelContract contract;
  contract.inputs = {operand("x"), operand("y")};
  contract.outputs = {output(std::move(rule))};
  contract.op_param_fields = {{"dims", "", "", ""}, {"keepdim", "", "", ""}, {"h", "", "", ""}};
  return shape_of(contract, call);
}

TEST_CASE("shape rules") {
  const CallShapes call{{{"x", {4, 2, 3}}, {"y", {4, 3, 5}}},
                        {{"dims", Extents{0, -1}},
                         {"keepdim", true},
                         {"h", std::int64_t{6}},
                         {"shape", Extents{7, 8}}}};
  const auto rule = [&](std::string text) { return rule_of(std::move(text), call); };
  CHECK(rule("same_as(x)") == "[4, 2, 3]");
  CHECK(rule("same_as(ghost)") == "not checked: `ghost` has no shape");
  CHECK(rule("matmul(x, y)") == "[4, 2, 5]");
  CHECK(rule("matmul(y, x)") ==
        "violated: `y` has the shape [4, 3, 5], `x` has [4, 2, 3]: the inner extents differ");
  CHECK(rule("reduce(x, dims, keepdim)") == "[1, 2, 1]");
  CHECK(rule("reduce(x, [1], false)") == "[4, 3]");
  CHECK(rule("reduce(x, -1, false)") == "[4, 2]");
  CHECK(rule("reduce(x, 3, false)") == "violated: `x` has the shape [4, 2, 3] and no dimension 3");
  CHECK(rule("reduce(x, ghost, false)") == "not checked: `ghost` is not known");
  CHECK(rule("from_params(x)") == "[4, 2, 3]");
  CHECK(rule("from_params(shape)") == "[7, 8]");
  CHECK(rule("from_params(h, x.dim[1])") == "[6, 2]");
  CHECK(rule("from_params(h / 4)") == "[1]");
  CHECK(rule("from_params(N=x.dim[0], Hout=(x.dim[1]+2*1-3)/2+1)") == "[4, 1]");
  CHECK(rule("from_params(N=x.dim[0], Hout=(x.dim[1]-3)/2+1)") ==
        "violated: \"(x.dim[1]-3)/2+1\": -1 is divided by 2");
  CHECK(rule("from_params(h - 7)") == "violated: \"h - 7\" is -1");
  CHECK(rule("from_params(h / (h - 6))") == "violated: \"h / (h - 6)\": division by zero");
  CHECK(rule("from_params(h_out, w_out)") == "not checked: \"h_out\": `h_out` is not known");
  CHECK(rule("from_params(concat: outer \xc3\x97 inner)") ==
        "not checked: \"concat: outer \xc3\x97 inner\" is no formula");
  CHECK(rule("extent(x, last)") == "[3]");
  CHECK(rule("extent(x, 0)") == "[4]");
  CHECK(rule("const(9)") == "[9]");
  CHECK(rule("param(2)") == "[6]");
  CHECK(rule("param(3)") == "violated: \"param(3)\": there are 3 parameters");
  CHECK(rule("add(extent(x, 1), mul(const(2), div(param(2), 4)))") == "[4]");
  CHECK(rule("sub(extent(x, 0), const(5))") == "violated: \"sub(extent(x, 0), const(5))\" is -1");
  CHECK(rule("whatever(x)") ==
        "not checked: \"whatever(x)\": `whatever` of 1 arguments is no known function");
  CHECK(rule("as the caller likes") ==
        "not checked: \"as the caller likes\" is no rule that is known");
}

TEST_CASE("matrix products whose batches differ are left open") {
  CHECK(rule_of("matmul(x, y)", {{{"x", {4, 2, 3}}, {"y", {3, 5}}}, {}}) ==
        "not checked: `x` has the shape [4, 2, 3], `y` has [3, 5]: the format does not say how "
        "unequal batches combine");
  CHECK(rule_of("matmul(x, y)", {{{"x", {2}}, {"y", {2, 5}}}, {}}) ==
        "violated: `x` has the shape [2], `y` has [2, 5]: a matrix has two dimensions");
}

TEST_CASE("broadcasting") {
  const auto rule = [](Extents x, Extents y) {
    return rule_of("broadcast(x, y)", {{{"x", std::move(x)}, {"y", std::move(y)}}, {}});
  };
  CHECK(rule({4, 1, 3}, {2, 1}) == "[4, 2, 3]");
  CHECK(rule({1}, {0}) == "[0]");
  CHECK(rule({}, {5}) == "[5]");
  CHECK(rule({2}, {3}) == "violated: `y` has the shape [3], which does not broadcast with [2]");
  CHECK(rule({2, 3}, {2}) ==
        "violated: `y` has the shape [2], which does not broadcast with [2, 3]");
}

KernelContract convolution(std::string rule) {
  KernelContract contract;
  contract.inputs = {operand("x"), operand("weight")};
  contract.outputs = {output(std::move(rule))};
  for (const char* name : {"stride", "padding", "dilation", "groups"}) {
    contract.op_param_fields.push_back({name, "", "", ""});
  }
  return contract;
}

CallShapes convolution_call(Extents x, Extents w, Extents stride, Extents padding, Extents dilation,
                            std::int64_t groups) {
  return {{{"x", std::move(x)}, {"weight", std::move(w)}},
          {{"stride", std::move(stride)},
           {"padding", std::move(padding)},
           {"dilation", std::move(dilation)},
           {"groups", groups}}};
}

TEST_CASE("conv2d") {
  const KernelContract contract = convolution("conv2d(params)");
  const auto shape = [&](const CallShapes& call) { return shape_of(contract, call); };
  CHECK(shape(convolution_call({2, 3, 5, 7}, {4, 3, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 1)) ==
        "[2, 4, 3, 5]");
  CHECK(shape(convolution_call({2, 3, 5, 7}, {4, 3, 3, 3}, {2, 3}, {1, 2}, {1, 1}, 1)) ==
        "[2, 4, 3, 3]");
  CHECK(shape(convolution_call({1, 4, 9, 9}, {6, 2, 3, 2}, {2, 1}, {0, 1}, {2, 3}, 2)) ==
        "[1, 6, 3, 8]");
  CHECK(shape(convolution_call({0, 4, 9, 9}, {6, 4, 9, 9}, {1, 1}, {0, 0}, {1, 1}, 1)) ==
        "[0, 6, 1, 1]");
  CHECK(shape(convolution_call({1, 3, 2, 9}, {4, 3, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 1)) ==
        "violated: the output's height is none: \"" +
            std::string("(image + 2 * padding - dilation * (window - 1) - 1) / stride + 1") +
            "\": -1 is divided by 1");
  // Channels that `divisible(x.dim[1], weight.dim[1])` lets through.
  CHECK(shape(convolution_call({1, 4, 9, 9}, {6, 2, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 1)) ==
        "violated: `x` has 4 channels, `weight` takes 2 in each of 1 groups");
  CHECK(shape(convolution_call({1, 5, 9, 9}, {6, 2, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 2)) ==
        "violated: `x` has 5 channels, `weight` takes 2 in each of 2 groups");
  CHECK(shape(convolution_call({1, 4, 9, 9}, {5, 2, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 2)) ==
        "violated: `weight` gives 5 channels, which 2 groups do not divide");
  CHECK(shape(convolution_call({1, 4, 9, 9}, {6, 4, 3, 3}, {0, 1}, {0, 0}, {1, 1}, 1)) ==
        "violated: `stride` is [0, 1], and less than 1");
  CHECK(shape(convolution_call({1, 4, 9, 9}, {6, 4, 3, 3}, {1, 1}, {0, -1}, {1, 1}, 1)) ==
        "violated: `padding` is [0, -1], and less than 0");
  CHECK(shape(convolution_call({1, 4, 9, 9}, {6, 4, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 0)) ==
        "violated: `groups` is 0, and less than 1");
  CHECK(shape(convolution_call({1, 4, 9}, {6, 4, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 1)) ==
        "violated: `x` has the shape [1, 4, 9], and a convolution needs four dimensions");
  CHECK(shape(convolution_call({1, 4, 9, 9}, {6, 4, 0, 3}, {1, 1}, {0, 0}, {1, 1}, 1)) ==
        "not checked: a weight without taps: contracts do not say what it gives");
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  CHECK(shape(convolution_call({1, 4, kHuge, 9}, {6, 4, 3, 3}, {1, 1}, {1, 0}, {1, 1}, 1))
            .substr(0, 11) == "not checked");

  CallShapes call = convolution_call({2, 3, 5, 7}, {4, 3, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 1);
  call.params["stride"] = std::int64_t{2};  // one number for both directions
  call.params["x_shape"] = Extents{2, 3, 5, 7};
  call.params["out_shape"] = Extents{2, 4, 2, 3};
  CHECK(shape(call) == "[2, 4, 2, 3]");
  call.params["out_shape"] = Extents{2, 4, 3, 5};
  CHECK(shape(call) ==
        "violated: `out_shape` is [2, 4, 3, 5], and `the output` has the shape [2, 4, 2, 3]");
  call.params.erase("out_shape");
  call.params["x_shape"] = Extents{2, 3, 5, 6};
  CHECK(shape(call) == "violated: `x_shape` is [2, 3, 5, 6], and `x` has the shape [2, 3, 5, 7]");
  call.params.erase("x_shape");
  call.params.erase("dilation");
  CHECK(shape(call) == "not checked: `dilation` has no value");
  call.params["dilation"] = Extents{1, 1, 1};
  CHECK(shape(call) == "not checked: `dilation` is [1, 1, 1], neither a number nor a pair");
}

TEST_CASE("conv_transpose2d") {
  const KernelContract contract = convolution("conv_transpose2d(params)");
  const auto shape = [&](CallShapes call, Extents output_padding) {
    call.params["output_padding"] = std::move(output_padding);
    return shape_of(contract, call);
  };
  CHECK(shape(convolution_call({2, 3, 5, 7}, {3, 4, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 1), {0, 0}) ==
        "[2, 4, 7, 9]");
  CHECK(shape(convolution_call({2, 4, 5, 7}, {4, 3, 3, 2}, {2, 3}, {1, 2}, {2, 1}, 2), {1, 0}) ==
        "[2, 6, 12, 16]");
  CHECK(shape(convolution_call({2, 3, 5, 7}, {4, 3, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 1), {0, 0}) ==
        "violated: `x` has 3 channels, `weight` takes 4");
  CHECK(shape(convolution_call({2, 3, 5, 7}, {3, 3, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 2), {0, 0}) ==
        "violated: `x` has 3 channels, which 2 groups do not divide");
  CHECK(shape(convolution_call({2, 3, 1, 7}, {3, 4, 1, 3}, {1, 1}, {1, 0}, {1, 1}, 1), {0, 0})
            .substr(0, 44) == "violated: the output's height is none: \"(ima");
}

TEST_CASE("costs of a call") {
  KernelContract contract = convolution("conv2d(params)");
  const CallShapes call = convolution_call({2, 3, 5, 7}, {4, 3, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 1);
  CHECK(*evaluate_cost("n * dtype_bytes", contract, call, 4) == 2 * 4 * 3 * 5 * 4.0);
  CHECK(*evaluate_cost("2 * out.dim[0] * x.dim[1] / groups", contract, call, 4) == 12.0);
  CHECK(*evaluate_cost("1e3", contract, call, 4) == 1000.0);
  CHECK(evaluate_cost("n_out", contract, call, 4).error().message == "`n_out` is not known");
  CHECK(evaluate_cost("2 *", contract, call, 4).error().message ==
        "no formula: the formula ends too early");
}

TEST_CASE("constraints of parameters are requirements too") {
  KernelContract contract = convolution("conv2d(params)");
  contract.op_param_fields[0].constraint = "small";
  contract.op_param_fields[3].constraint = "x.dim[1] % groups == 0 && weight.dim[0] % groups == 0";
  const auto requirements = check_requirements(
      contract, convolution_call({1, 4, 9, 9}, {6, 2, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 4));
  REQUIRE(requirements.size() == 4);
  CHECK(requirements[2].about == "stride");
  CHECK(requirements[2].finding.standing == Standing::kNotChecked);
  CHECK(requirements[3].about == "groups");
  CHECK(requirements[3].finding.why == "`weight.dim[0] % groups` (which is 2) is not 0");
}

}  // namespace
}  // namespace assay::fkc
