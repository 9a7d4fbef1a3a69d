// Mutants of memory, environment and stability do what they say; those of acceptance take what the
// kernel refuses, and stay inside the tensors that they were given.

#include <sys/mman.h>

#include <cfenv>
#include <set>

#include "contracts/testing/catch.h"
#include "kernels/mutants/testing/window_call.h"
#include "kernels/testing/fp_environment.h"

namespace assay::testing {
namespace {

/// Drawn operands for a convolution or a pooling of the mutant's kernel: some channels, 5 x 5.
Convolution drawn(const Mutant& mutant) {
  const Dtype dtype = kernel_of(mutant).outputs[0];
  const Geometry g = {.in_channels = 3, .image = {5, 5}, .kernel = {3, 3}, .padding = {1, 1}};
  Convolution made = is_pool(mutant) ? make_pooling(dtype, {1, 3, 5, 5}, 2, 1)
                                     : make_convolution(operation_of(mutant), dtype, g);
  std::mt19937_64 random(3);
  for (Dense& input : made.inputs) draw_all(input, Values::kNear, random);
  return made;
}

/// The same with every tensor at the start of its pages.
void move_to_starts(GuardedCall& call, const Convolution& made) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    std::memmove(call.pages(i).begin(), call.inputs[i].data, made.inputs[i].bytes().size());
    call.inputs[i].data = call.pages(i).begin();
  }
  call.output.data = call.pages(call.inputs.size()).begin();
}

TEST_CASE("mutants out of bounds run into the guarding pages") {
  for (const Mutant& mutant : window_mutants()) {
    if (mutant.claim != "in_bounds") continue;
    INFO(mutant.name);
    const Convolution made = drawn(mutant);
    GuardedCall call(made);
    const bool before = mutant.name == "conv2d_simple_f16_reads_before_x";
    if (before) move_to_starts(call, made);
    CHECK_FALSE(call.crashes(scalar(mutant)));
    CHECK(call.crashes(mutant.function));
  }
}

TEST_CASE("mutants of unmodified inputs write to x") {
  std::size_t tried = 0;
  for (const Mutant& mutant : window_mutants()) {
    if (mutant.claim != "inputs_unmodified") continue;
    INFO(mutant.name);
    const Convolution made = drawn(mutant);
    GuardedCall call(made);
    REQUIRE(call.run(mutant.function) == KernelStatus::kOk);
    const bool changed = std::memcmp(call.inputs[0].data, made.inputs[0].bytes().data(), 25) != 0;
    CHECK(changed == (mutant.name == "conv2d_f32_scratches_x"));
    GuardedPages& pages = call.pages(0);
    const auto size = static_cast<std::size_t>(pages.end() - pages.begin());
    REQUIRE(mprotect(pages.begin(), size, PROT_READ) == 0);
    CHECK_FALSE(call.crashes(scalar(mutant)));
    CHECK(call.crashes(mutant.function));
    ++tried;
  }
  CHECK(tried == 2);
}

TEST_CASE("mutants of the floating-point environment leave it changed") {
  for (const Mutant& mutant : window_mutants()) {
    if (mutant.claim != "fp_environment_kept") continue;
    INFO(mutant.name);
    GuardedCall call(drawn(mutant));
    const FpEnvironment restored(FE_TONEAREST, false);
    const unsigned before = FpEnvironment::control();
    REQUIRE(call.run(scalar(mutant)) == KernelStatus::kOk);
    CHECK(FpEnvironment::control() == before);
    REQUIRE(call.run(mutant.function) == KernelStatus::kOk);
    CHECK(FpEnvironment::control() != before);
  }
}

TEST_CASE("mutants of stability give other bits in other surroundings") {
  std::set<std::string> tried;
  for (const Mutant& mutant : window_mutants()) {
    if (mutant.claim == "bit_stable") tried.insert(mutant.name);
  }
  const auto result = [](const Mutant& mutant, GuardedCall& call) {
    REQUIRE(call.run(mutant.function) == KernelStatus::kOk);
    return call.result();
  };
  SECTION("alignment") {
    const Mutant& mutant = window_mutant("conv2d_f32_depends_on_alignment");
    const Convolution made = drawn(mutant);
    const std::size_t size = made.inputs[0].bytes().size();
    GuardedCall call(made);
    GuardedPages pages(size + 128);
    std::vector<Dense> results;
    for (const std::size_t offset : {0u, 128u, 64u}) {
      std::memcpy(pages.begin() + offset, made.inputs[0].bytes().data(), size);
      call.inputs[0].data = pages.begin() + offset;
      results.push_back(result(mutant, call));
    }
    CHECK(first_difference(results[0], results[1]) == "");
    CHECK(first_difference(results[0], results[2]) != "");
  }
  SECTION("calls") {
    const Mutant& mutant = window_mutant("conv_transpose2d_f64_every_seventh_call");
    GuardedCall call(drawn(mutant));
    REQUIRE(call.run(scalar(mutant)) == KernelStatus::kOk);
    const Dense due = call.result();
    int others = 0;
    for (int i = 0; i < 14; ++i) others += !first_difference(due, result(mutant, call)).empty();
    CHECK(others == 2);
  }
  SECTION("old output") {
    const Mutant& mutant = window_mutant("conv2d_f64_flips_over_ones");
    GuardedCall call(drawn(mutant));
    call.fill_output(0);
    const Dense over_zeros = result(mutant, call);
    call.fill_output(0xa5);
    CHECK(first_difference(over_zeros, result(mutant, call)) == "");
    call.fill_output(0xff);
    CHECK(first_difference(over_zeros, result(mutant, call)) != "");
  }
  CHECK(tried == std::set<std::string>{"conv2d_f32_depends_on_alignment",
                                       "conv_transpose2d_f64_every_seventh_call",
                                       "conv2d_f64_flips_over_ones"});
}

/// A call that the kernel refuses and a mutant takes.
struct Refused {
  const char* mutant;
  KernelStatus due;  ///< of the kernel
  Convolution made;
  std::function<void(GuardedCall&)> change = {};
};

using Shape = std::vector<std::int64_t>;

Convolution conv2d(Dtype dtype, const std::vector<Shape>& inputs, const Shape& out,
                   std::int64_t groups = 1) {
  Convolution made{{}, Dense(dtype, out), {}};
  for (const Shape& shape : inputs) made.inputs.emplace_back(dtype, shape);
  made.parameters = {{"stride_h", 1},   {"stride_w", 1},   {"padding_h", 0},  {"padding_w", 0},
                     {"dilation_h", 1}, {"dilation_w", 1}, {"groups", groups}};
  return made;
}

Convolution transpose(Dtype dtype, const std::vector<Shape>& inputs, const Shape& out,
                      std::int64_t groups = 1) {
  Convolution made = conv2d(dtype, inputs, out, groups);
  made.parameters.push_back({"output_padding_h", 0});
  made.parameters.push_back({"output_padding_w", 0});
  return made;
}

Convolution simple(Dtype dtype, const std::vector<Shape>& inputs, const Shape& out,
                   std::int64_t stride = 1) {
  Convolution made = conv2d(dtype, inputs, out);
  made.parameters = {{"stride", stride}, {"padding", 0}};
  return made;
}

Convolution pooling(Dtype dtype, const Shape& x, const Shape& out, std::int64_t kernel,
                    std::int64_t stride) {
  return {{Dense(dtype, x)}, Dense(dtype, out), {{"kernel_size", kernel}, {"stride", stride}}};
}

/// The columns of x's images lead its rows.
void transpose_x(GuardedCall& call) {
  call.inputs[0].strides = const_cast<std::int64_t*>(call.kept({16, 16, 1, 4}));
}

std::vector<Refused> refused() {
  using enum Dtype;
  using enum KernelStatus;
  const Shape image = {1, 1, 4, 4};
  const Shape filter = {1, 1, 2, 2};
  const Shape result = {1, 1, 3, 3};
  const auto with_dtypes = [](Dtype x, Dtype weight, Dtype out) {
    Convolution made = conv2d(kF32, {}, {1, 1, 3, 3});
    made.inputs = {Dense(x, {1, 1, 4, 4}), Dense(weight, {1, 1, 2, 2})};
    made.out = Dense(out, {1, 1, 3, 3});
    return made;
  };
  std::vector<Refused> all = {
      {"conv2d_f32_takes_any_groups", kBadParameter,
       conv2d(kF32, {{2, 3, 4, 4}, {2, 1, 2, 2}}, {2, 2, 3, 3}, 2)},
      {"conv2d_f32_takes_any_groups", kBadParameter,
       conv2d(kF32, {{1, 2, 4, 4}, {3, 1, 2, 2}, {3}}, {1, 3, 3, 3}, 2)},
      {"conv2d_f32_takes_any_groups", kBadParameter,
       conv2d(kF32, {{1, 3, 4, 4}, {3, 3, 2, 2}, {3}}, {1, 3, 3, 3}, 4)},
      {"conv_transpose2d_f64_takes_any_groups", kBadParameter,
       transpose(kF64, {{2, 3, 4, 4}, {3, 1, 2, 2}}, {2, 2, 5, 5}, 2)},
      {"conv_transpose2d_f64_takes_any_groups", kBadParameter,
       transpose(kF64, {{1, 3, 4, 4}, {3, 2, 2, 2}}, {1, 1, 1, 1}, 2)},
      {"conv2d_f32_takes_any_filter", kBadShape,
       conv2d(kF32, {{1, 1, 4, 4}, {1, 1, 5, 2}}, {1, 1, 1, 3})},
      {"conv2d_f32_takes_any_filter", kBadShape,
       conv2d(kF32, {{2, 2, 2, 2}, {3, 2, 7, 6}}, {2, 3, 4, 2})},
      {"conv2d_f32_takes_any_filter", kBadShape,
       conv2d(kF32, {{1, 1, 4, 4}, {1, 1, 2, 5}}, {1, 1, 3, 0})},
      {"max_pool2d_f32_takes_any_kernel", kBadParameter, pooling(kF32, image, {1, 1, 1, 1}, 5, 1)},
      {"max_pool2d_f32_takes_any_kernel", kBadParameter, pooling(kF32, image, {1, 1, 2, 2}, 5, 1)},
      {"conv2d_f64_takes_any_bias", kBadShape,
       conv2d(kF64, {image, {3, 1, 2, 2}, {2}}, {1, 3, 3, 3})},
      {"conv2d_f64_takes_any_bias", kBadShape,
       conv2d(kF64, {image, {3, 1, 2, 2}, {4}}, {1, 3, 3, 3})},
      {"conv2d_f64_takes_any_bias", kBadShape,
       conv2d(kF64, {image, {3, 1, 2, 2}, {0}}, {1, 3, 3, 3})},
      {"conv2d_simple_f64_takes_any_channels", kBadShape,
       simple(kF64, {{2, 3, 4, 4}, {2, 2, 2, 2}}, {2, 2, 3, 3})},
      {"conv2d_simple_f64_takes_any_channels", kBadShape,
       simple(kF64, {{2, 2, 4, 4}, {2, 3, 2, 2}}, {2, 2, 3, 3})},
      {"conv2d_simple_f32_takes_stride_0", kBadParameter,
       simple(kF32, {image, filter}, result, 0)},
      {"conv2d_simple_f32_takes_stride_0", kBadParameter,
       simple(kF32, {image, filter}, {1, 1, 1, 1}, 0)},
      {"max_pool2d_f64_takes_stride_0", kBadParameter, pooling(kF64, image, result, 2, 0)},
      {"max_pool2d_f64_takes_stride_0", kBadParameter, pooling(kF64, image, {1, 1, 9, 9}, 2, 0)},
      {"conv2d_f32_ignores_strides", kBadLayout, conv2d(kF32, {image, filter}, result),
       transpose_x},
      {"max_pool2d_f16_ignores_strides", kBadLayout, pooling(kF16, image, result, 2, 1),
       transpose_x},
      {"conv2d_simple_bf16_ignores_byte_offset", kBadLayout,
       simple(kBF16, {{1, 1, 8, 4}, filter}, result),
       [](GuardedCall& call) {
         call.inputs[0].shape = const_cast<std::int64_t*>(call.kept({1, 1, 4, 4}));
         call.inputs[0].byte_offset = 32;
       }},
      {"conv2d_f32_takes_any_float", kBadDtype, with_dtypes(kF16, kF16, kF32)},
      {"conv2d_f32_takes_any_float", kBadDtype, with_dtypes(kBF16, kF32, kF32)},
      {"conv2d_f32_takes_any_float", kBadDtype, with_dtypes(kF32, kF64, kF32)},
      {"conv2d_f32_takes_any_float", kBadDtype, with_dtypes(kF64, kF64, kF64)},
      {"conv2d_f32_takes_any_float", kBadDtype, with_dtypes(kF16, kF16, kF16)},
      {"max_pool2d_f32_takes_integers", kBadDtype, pooling(kI32, image, result, 2, 1)},
      {"conv2d_f32_takes_rank_3", kBadShape, conv2d(kF32, {{1, 4, 4}, filter}, result)},
      {"conv2d_f32_takes_rank_3", kBadShape, conv2d(kF32, {{1, 4, 4}, filter}, {1, 3, 3})},
      {"max_pool2d_bf16_takes_any_rank", kBadShape,
       pooling(kBF16, image, {1, 1, 3, 3}, 2, 1),
       [](GuardedCall& call) {
         call.inputs[0].ndim = call.output.ndim = 2;
         call.inputs[0].shape = const_cast<std::int64_t*>(call.kept({4, 4}));
         call.output.shape = const_cast<std::int64_t*>(call.kept({3, 3}));
       }},
      {"max_pool2d_bf16_takes_any_rank", kBadShape,
       pooling(kBF16, {2, 1, 2, 4, 4}, {2, 1, 2, 3, 3}, 2, 1),
       [](GuardedCall& call) {
         call.inputs[0].ndim = call.output.ndim = 5;
         call.inputs[0].shape = const_cast<std::int64_t*>(call.kept({2, 1, 2, 4, 4}));
         call.output.shape = const_cast<std::int64_t*>(call.kept({2, 1, 2, 3, 3}));
       }},
      {"conv2d_f64_takes_larger_output", kBadShape,
       conv2d(kF64, {image, filter}, {1, 1, 4, 3})},
      {"conv2d_f64_takes_larger_output", kBadShape,
       conv2d(kF64, {image, filter}, {1, 1, 11, 11})},
      {"conv_transpose2d_f32_takes_larger_output", kBadShape,
       transpose(kF32, {image, filter}, {1, 1, 5, 6})},
      {"conv2d_simple_f16_shape_rounded_up", kBadShape,
       simple(kF16, {{1, 1, 5, 5}, filter}, {1, 1, 3, 3}, 2)},
  };
  for (const Dtype other : {kF32, kF16, kU8, kI64}) {
    Convolution made = transpose(kF64, {image, filter}, {1, 1, 5, 5});
    made.out = Dense(other, {1, 1, 5, 5});
    all.push_back({"conv_transpose2d_f64_takes_any_output", kBadDtype, made});
  }
  for (const Dtype other : {kF64, kBF16, kU8, kI32}) {
    Convolution made = pooling(kF32, image, result, 2, 1);
    made.out = Dense(other, result);
    all.push_back({"max_pool2d_f32_takes_any_output", kBadDtype, made});
  }
  return all;
}

TEST_CASE("mutants of acceptance take what the kernel refuses, and stay inside") {
  std::set<std::string> tried;
  for (Refused& row : refused()) {
    const Mutant& mutant = window_mutant(row.mutant);
    INFO(mutant.name << " " << tried.size());
    std::mt19937_64 random(4);
    for (Dense& input : row.made.inputs) {
      if (traits(input.dtype()).is_floating()) draw_all(input, Values::kNear, random);
    }
    GuardedCall call(row.made);
    if (row.change) row.change(call);
    call.fill_output(0x5a);
    CHECK(call.run(scalar(mutant)) == row.due);
    REQUIRE(!call.crashes(mutant.function));
    REQUIRE(call.run(mutant.function) == KernelStatus::kOk);
    CHECK(std::string(call.reply.ran) == "mutant");
    CHECK(std::string(call.reply.message).empty());
    tried.insert(mutant.name);
  }
  for (const Mutant& mutant : window_mutants()) {
    const bool accepts = mutant.claim.rfind("accept.", 0) == 0 || mutant.claim == "shape_rule" ||
                         mutant.claim == "dtype_rule";
    INFO(mutant.name);
    CHECK((tried.count(mutant.name) == 1) == accepts);
  }
}

TEST_CASE("mutants of acceptance are the kernel where nothing is to be refused") {
  for (const Mutant& mutant : window_mutants()) {
    const bool accepts = mutant.claim.rfind("accept.", 0) == 0 || mutant.claim == "shape_rule" ||
                         mutant.claim == "dtype_rule";
    if (!accepts) continue;
    INFO(mutant.name);
    GuardedCall call(drawn(mutant));
    REQUIRE(call.run(scalar(mutant)) == KernelStatus::kOk);
    const Dense due = call.result();
    call.fill_output(0x5a);
    REQUIRE(call.run(mutant.function) == KernelStatus::kOk);
    CHECK(first_difference(due, call.result()) == "");
  }
}

TEST_CASE("a shape rounded up refuses what the rule gives") {
  const Mutant& mutant = window_mutant("conv2d_simple_f16_shape_rounded_up");
  GuardedCall call(simple(Dtype::kF16, {{1, 1, 5, 5}, {1, 1, 2, 2}}, {1, 1, 2, 2}, 2));
  CHECK(call.run(scalar(mutant)) == KernelStatus::kOk);
  CHECK(call.run(mutant.function) == KernelStatus::kBadShape);
}

TEST_CASE("a layout that a dense read would leave stays refused") {
  const Mutant& mutant = window_mutant("conv2d_f32_ignores_strides");
  GuardedCall call(conv2d(Dtype::kF32, {{1, 1, 4, 4}, {1, 1, 2, 2}}, {1, 1, 3, 3}));
  call.inputs[0].strides = const_cast<std::int64_t*>(call.kept({0, 0, 0, 1}));
  CHECK(call.run(mutant.function) == KernelStatus::kBadLayout);
}

}  // namespace
}  // namespace assay::testing
