// Where the variants of max_pool2d read and write, at every alignment and in every floating-point
// environment.

#include <memory>

#include "contracts/testing/catch.h"
#include "kernels/pool/pool.h"
#include "kernels/testing/dense.h"
#include "kernels/testing/fp_environment.h"
#include "kernels/testing/guarded_pages.h"

namespace assay::testing {
namespace {

const Registry& registry() {
  static const Registry all(pool_kernels());
  return all;
}

struct Pooling {
  Dense x;
  Dense out;
  std::vector<KernelParameter> parameters;
};

Pooling make_pooling(Dtype dtype, std::vector<std::int64_t> shape, std::int64_t kernel,
                     std::int64_t stride) {
  const std::vector<std::int64_t> out = {shape[0], shape[1], (shape[2] - kernel) / stride + 1,
                                         (shape[3] - kernel) / stride + 1};
  return {Dense(dtype, std::move(shape)),
          Dense(dtype, out),
          {{"kernel_size", kernel}, {"stride", stride}}};
}

Dense scalar_result(const Kernel& kernel, const Pooling& pooling) {
  Dense out = pooling.out;
  KernelCall call;
  REQUIRE(run(kernel.variants[0].function, {pooling.x}, out, pooling.parameters, call) ==
          KernelStatus::kOk);
  return out;
}

/// Runs on x at `in` and an output at `out`; a fault in words, or nothing.
std::string run_at(const KernelVariant& variant, const Pooling& pooling, std::byte* in,
                   std::byte* out, const Dense& expected) {
  std::memcpy(in, pooling.x.bytes().data(), pooling.x.bytes().size());
  DLTensor input = pooling.x.view(in);
  DLTensor output = pooling.out.view(out);
  KernelCall call;
  call.inputs = {&input, 1};
  call.outputs = {&output, 1};
  call.parameters = pooling.parameters;
  if (variant.function(call) != KernelStatus::kOk) return call.message;
  if (std::memcmp(in, pooling.x.bytes().data(), pooling.x.bytes().size()) != 0) {
    return "changed the input";
  }
  Dense got = pooling.out;
  std::memcpy(got.bytes().data(), out, got.bytes().size());
  return first_difference(expected, got);
}

TEST_CASE("max_pool2d stays inside its tensors, at both ends of a page") {
  std::mt19937_64 random(7);
  for (const Kernel& kernel : registry().kernels()) {
    for (std::int64_t width = 3; width < 140; width += width < 70 ? 1 : 7) {
      for (const std::int64_t size : {1, 3}) {
        for (const std::int64_t stride : {1, 2, 3}) {
          Pooling pooling = make_pooling(kernel.inputs[0], {1, 1, 3, width}, size, stride);
          draw_all(pooling.x, Values::kPatterns, random);
          const Dense expected = scalar_result(kernel, pooling);
          const std::size_t in_size = pooling.x.bytes().size();
          const std::size_t out_size = pooling.out.bytes().size();
          GuardedPages in(in_size);
          GuardedPages out(out_size);
          for (const KernelVariant& variant : kernel.variants) {
            for (const bool at_end : {true, false}) {
              std::fill(out.begin(), out.end(), std::byte{0x5a});
              std::byte* const to = at_end ? out.end() - out_size : out.begin();
              const std::string fault =
                  run_at(variant, pooling, at_end ? in.end() - in_size : in.begin(), to, expected);
              std::size_t outside = 0;
              for (const std::byte* p = out.begin(); p != out.end(); ++p) {
                outside += (p < to || p >= to + out_size) && *p != std::byte{0x5a};
              }
              if (fault.empty() && outside == 0) continue;
              INFO(kernel.entry_point << " " << variant.name << ", width " << width << ", kernel "
                                      << size << ", stride " << stride
                                      << (at_end ? " at the end" : " at the start"));
              CHECK(fault == "");
              CHECK(outside == 0);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("max_pool2d gives the same bits at every alignment") {
  constexpr std::size_t kSlack = 64;
  std::mt19937_64 random(8);
  for (const Kernel& kernel : registry().kernels()) {
    for (const std::int64_t stride : {1, 2}) {
      Pooling pooling = make_pooling(kernel.inputs[0], {1, 2, 5, 75}, 2, stride);
      draw_all(pooling.x, Values::kPatterns, random);
      const Dense expected = scalar_result(kernel, pooling);
      std::vector<std::byte> in(pooling.x.bytes().size() + kSlack);
      std::vector<std::byte> out(pooling.out.bytes().size() + kSlack);
      for (const KernelVariant& variant : kernel.variants) {
        std::size_t wrong = 0;
        for (std::size_t offset = 0; offset < kSlack; ++offset) {
          wrong += !run_at(variant, pooling, &in[offset], &out[(offset * 5 + 3) % kSlack], expected)
                        .empty();
        }
        INFO(kernel.entry_point << " " << variant.name);
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("max_pool2d gives the same bits in every floating-point environment, and leaves it") {
  std::mt19937_64 random(9);
  for (const Kernel& kernel : registry().kernels()) {
    for (const Values values : {Values::kPatterns, Values::kTiny}) {
      Pooling pooling = make_pooling(kernel.inputs[0], {1, 2, 5, 75}, 2, 1);
      draw_all(pooling.x, values, random);
      const Dense expected = scalar_result(kernel, pooling);
      for (const KernelVariant& variant : kernel.variants) {
        for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
          for (const bool flush : {false, true}) {
            Dense out = pooling.out;
            KernelCall call;
            KernelStatus status;
            unsigned before;
            unsigned after;
            {
              const FpEnvironment environment(rounding, flush);
              before = FpEnvironment::control();
              status = run(variant.function, {pooling.x}, out, pooling.parameters, call);
              after = FpEnvironment::control();
            }
            INFO(kernel.entry_point << " " << variant.name);
            CHECK(status == KernelStatus::kOk);
            CHECK(before == after);
            CHECK(first_difference(expected, out) == "");
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
