// Every mutant is wrong where it says so and right elsewhere; every permitted variant differs at
// most where nothing is promised.

#include <algorithm>
#include <bit>
#include <cfenv>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "contracts/claim.h"
#include "contracts/testing/catch.h"
#include "kernels/mutants/fault_kinds.h"
#include "kernels/mutants/mutants.h"
#include "kernels/testing/cast_call.h"

namespace assay::testing {
namespace {

const Registry& registry() {
  static const Registry built_in = built_in_registry();
  return built_in;
}

const Mutant& mutant_named(std::string_view name) {
  static const std::vector<Mutant> all = cast_mutants();
  for (const Mutant& mutant : all) {
    if (mutant.name == name) return mutant;
  }
  throw std::runtime_error("no mutant " + std::string(name));
}

/// An input that shows a fault, and one close to it that does not.
struct Witness {
  const char* mutant;
  Bits wrong_at;
  Bits got;
  Bits right_at;
};

constexpr Witness kWitnesses[] = {
    {"f32_to_f16_truncates", 0x3f801008, 0x3c00, 0x3f800fff},
    {"f32_to_bf16_ties_away", 0x3f808000, 0x3f81, 0x3f818000},
    {"f64_to_f16_high_word", 0x3e60000000000001, 0x0000, 0x3e60000100000000},
    {"f64_to_bf16_over_f32", 0x3ff0100000001000, 0x3f80, 0x3ff0100020000000},
    {"f64_to_f16_over_f32", 0x409ffdffffff0000, 0x6800, 0x409ffdffe0000000},
    {"u32_to_f32_signed", 0x80000000, 0xcf000000, 0x7fffffff},
    {"u32_to_f32_two_parts", 0xfffdff7e, 0x4f7ffe00, 0x7fffffff},
    {"f32_to_u32_nearest", 0x3f400000, 1, 0x3f000000},
    {"f64_to_u32_limit_excluded", 0x41efffffffe00000, 0, 0x41efffffffdfffff},
    {"u32_to_f32_wrong_at_limit", 0x00ffffff, 0x4b7ffffe, 0x01000000},
    {"f32_to_f64_wrong_tail", 0x3f800000, 0x3ff0000000000001, 0},
    {"f32_to_f16_overflow_early", 0x477fe001, 0x7c00, 0x477fe000},
    {"f64_to_f32_overflow_early", 0x47efffffe0000001, 0x7f800000, 0x47efffffe0000000},
    {"f32_to_bf16_saturates", 0x7f7f8000, 0x7f7f, 0x7f800000},
    {"f32_to_bf16_nan_to_infinity", 0xff800001, 0xff80, 0x7fc00001},
    {"f64_to_f32_nan_to_infinity", 0x7ff0000000000001, 0x7f800000, 0x7ff8000000000001},
    {"f32_to_f16_flushes", 0xb3800000, 0x8000, 0x387fe000},
    {"f16_to_f32_reads_zero", 0x8001, 0x80000000, 0x0400},
    {"f64_to_f32_zero_sign_lost", 0x8000000000000000, 0, 0xbff0000000000000},
    {"f32_to_f16_infinity_clamped", 0xff800000, 0xfbff, 0x477ff000},
    {"f32_to_bf16_truncates", 0x3f80c000, 0x3f80, 0x3f804000},
    {"f64_to_bf16_truncates", 0x3ff0180000000000, 0x3f80, 0x3ff0080000000000},
    {"f64_to_f32_ties_away", 0x3ff0000010000000, 0x3f800001, 0x3ff0000030000000},
    {"f32_to_f16_ties_away", 0x3f801000, 0x3c01, 0x3f803000},
    {"f64_to_f16_ties_to_zero", 0x3ff0060000000000, 0x3c01, 0x3ff0020000000000},
    {"f64_to_f32_last_bit_ignored", 0x3ff0000010000001, 0x3f800000, 0x3ff0000010000002},
    {"f64_to_f16_last_bit_ignored", 0x3ff0020000000001, 0x3c00, 0x3ff0020000000002},
    {"f64_to_bf16_sticky_bit_20_ignored", 0x3ff0100000100000, 0x3f80, 0x3ff0100000080000},
    {"f32_to_f16_sticky_bit_11_ignored", 0x3f801800, 0x3c00, 0x3f801400},
    {"f32_to_f16_subnormals_without_sticky", 0x33000001, 0x0000, 0x33000000},
    {"f32_to_bf16_carry_lost", 0x3fffc000, 0x3f80, 0x3ffec000},
    {"f64_to_f16_carry_lost", 0x3ffffe0000000000, 0x3c00, 0x3ffffa0000000000},
    {"f64_to_f32_carry_lost", 0x3ffffffff0000000, 0x3f800000, 0x3fffffffb0000000},
    {"f16_to_bf16_truncates", 0x3c06, 0x3f80, 0x3c02},
    {"f64_to_bf16_tail_truncates", 0x3ff0180000000000, 0x3f80, 0x3ff0080000000000},
    {"f32_to_f16_overflow_late", 0x477ff000, 0x7bff, 0x47800000},
    {"f32_to_f16_overflow_to_nan", 0x47c00000, 0x7e00, 0x47800000},
    {"f64_to_f16_overflow_unsigned", 0xc0f0000000000000, 0x7c00, 0x40f0000000000000},
    {"f64_to_bf16_saturates", 0x47f0000000000000, 0x7f7f, 0x7ff0000000000000},
    {"bf16_to_f16_overflow_early", 0x4700, 0x7c00, 0x46ff},
    {"f32_to_bf16_bias_for_nan", 0x7fffffff, 0x8000, 0x7fc00000},
    {"f32_to_f16_signalling_to_infinity", 0xff802000, 0xfc00, 0x7fc00000},
    {"bf16_to_f64_signalling_to_infinity", 0xff81, 0x7ff0000000000000, 0x7fc0},
    {"f16_to_f64_no_infinity", 0x7c00, 0x40f0000000000000, 0x7bff},
    {"f16_to_f64_subnormals_doubled", 0x0001, 0x3e80000000000000, 0x0400},
    {"bf16_to_f64_reads_zero", 0x8001, 0x8000000000000000, 0x0080},
    {"bf16_to_f16_flushes", 0xb380, 0x8000, 0x3880},
    {"f32_to_bf16_flushes", 0x80400000, 0x8000, 0x00800000},
    {"f64_to_f32_flushes", 0xb6a0000000000000, 0x80000000, 0x3810000000000000},
    {"f16_to_f32_zero_sign_lost", 0x8000, 0, 0x0000},
    {"u32_to_f64_signed", 0x80000000, 0xc1e0000000000000, 0x7fffffff},
    {"u32_to_f64_over_f32", 0x01000001, 0x4170000000000000, 0x01000002},
    {"u32_to_f32_truncates", 0x01000003, 0x4b800001, 0x01000001},
    {"u32_to_f32_halved", 0x80000081, 0x4f000000, 0x80000082},
    {"f32_to_u32_over_i32", 0x4f400000, 0x80000000, 0x4f000000},
    {"f64_to_u32_ends_at_i32", 0x41e0000000000000, 0x7fffffff, 0x41dfffffffc00000},
    {"f64_to_u32_over_f32", 0x3feffffffff00000, 1, 0x3fe0000000000000},
    {"f32_to_u32_ceiling", 0x3f000000, 1, 0x3f800000},
    {"f32_to_f16_one_pattern", 0xc1a34f59, 0xcd1b, 0xc1a34f58},
    {"f32_to_bf16_one_pattern", 0xc1a34f59, 0xc1a2, 0xc1a34f58},
    {"f32_to_f64_one_pattern", 0xc1a34f59, 0xc03469eb20000001, 0xc1a34f58},
    {"f32_to_u32_one_pattern", 0x4b1d3c5b, 0x009d3c5a, 0x4b1d3c5a},
    {"u32_to_f32_one_pattern", 0x9d3c5b27, 0x4f1d3c5a, 0x9d3c5b26},
    {"u32_to_f64_one_pattern", 0x9d3c5b27, 0x41e3a78b64e00001, 0x9d3c5b26},
    {"f16_to_f32_one_pattern", 0x3a5b, 0x3f4b6001, 0x3a5a},
    {"bf16_to_f32_one_pattern", 0x3a5b, 0x3a5b0001, 0x3a5a},
    {"f64_to_f32_one_tie", 0x3f65cbb2f0000000, 0x3b2e5d99, 0x3f65cbb2f0000001},
};

/// Whether it is the place in the tensor that decides, and not the value.
bool depends_on_place(const Mutant& mutant) {
  return std::ranges::find(mutant.also, "bit_stable") != mutant.also.end();
}

TEST_CASE("mutants are wrong at their witnesses and right beside them") {
  std::set<std::string> seen;
  for (const Witness& witness : kWitnesses) {
    const Mutant& mutant = mutant_named(witness.mutant);
    const Kernel* kernel = registry().find(mutant.entry_point);
    INFO(witness.mutant);
    REQUIRE(kernel != nullptr);
    const KernelFunction right = kernel->variants[0].function;
    CHECK(convert_one(mutant.function, *kernel, witness.wrong_at) == witness.got);
    CHECK(convert_one(right, *kernel, witness.wrong_at) != witness.got);
    if (!depends_on_place(mutant)) {
      CHECK(convert_one(mutant.function, *kernel, witness.right_at) ==
            convert_one(right, *kernel, witness.right_at));
    }
    seen.insert(mutant.name);
  }
  // The others differ in more than a value and have their own tests below.
  for (const Mutant& mutant : cast_mutants()) {
    if (mutant.claim == "rounding" || mutant.claim == "overflow" || mutant.claim == "nan") {
      if (mutant.name == "f32_to_u32_lane_rounds") continue;
      INFO(mutant.name);
      CHECK(seen.count(mutant.name) == 1);
    }
  }
}

TEST_CASE("mutants have unique names, known claims and a kernel to stand in for") {
  std::set<std::string> names;
  std::set<std::string> claims;
  for (const Mutant& mutant : cast_mutants()) {
    INFO(mutant.name);
    CHECK(names.insert(mutant.name).second);
    CHECK(claim_kind_from_id(mutant.claim).has_value());
    CHECK(!mutant.what.empty());
    CHECK(registry().find(mutant.entry_point) != nullptr);
    claims.insert(mutant.claim);
  }
  for (const Mutant& permitted : permitted_variants()) {
    INFO(permitted.name);
    CHECK(names.insert(permitted.name).second);
    CHECK(permitted.claim.empty());
    CHECK(registry().find(permitted.entry_point) != nullptr);
  }
  CHECK(claims.size() == 16);
}

TEST_CASE("every planted fault is of a known kind, and every kind has one") {
  std::vector<Mutant> all = cast_mutants();
  for (const auto& family : {window_mutants(), variant_mutants()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  std::set<std::string> entry_points;
  for (const Mutant& mutant : all) {
    INFO(mutant.name);
    entry_points.insert(mutant.entry_point);
    CHECK(std::ranges::any_of(fault_kinds(),
                              [&](const FaultKind& kind) { return is_of(kind, mutant); }));
  }
  for (const FaultKind& kind : fault_kinds()) {
    INFO(kind.what);
    CHECK(std::ranges::any_of(all, [&](const Mutant& mutant) { return is_of(kind, mutant); }));
  }
  CHECK(all.size() >= 120);
  CHECK(entry_points.size() == 28);  // every kernel in every dtype
  CHECK(permitted_variants().size() + permitted_window_variants().size() >= 40);
}

TEST_CASE("mutants check their arguments and sign as mutants") {
  std::vector<Mutant> all = cast_mutants();
  for (const Mutant& permitted : permitted_variants()) all.push_back(permitted);
  for (const Mutant& mutant : all) {
    INFO(mutant.name);
    const Kernel& kernel = *registry().find(mutant.entry_point);
    // Room for those that read or write past the end, or before the beginning.
    Bits in[32] = {};
    Bits out[3] = {};
    KernelCall call;
    std::fenv_t environment;
    std::fegetenv(&environment);
    CHECK(run(mutant.function, kernel, in, out + 1, 1, call) == KernelStatus::kOk);
    std::fesetenv(&environment);
    CHECK(std::string(call.ran) == "mutant");
    CHECK(mutant.function(call) == KernelStatus::kBadArity);
  }
}

TEST_CASE("mutants of memory and environment do what they say") {
  KernelCall call;
  SECTION("wrong tail") {
    const Mutant& mutant = mutant_named("f32_to_f64_wrong_tail");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    const std::vector<float> in(16, 1.5f);
    for (const std::size_t n : {std::size_t{8}, std::size_t{9}}) {
      std::vector<double> out(n);
      REQUIRE(run(mutant.function, kernel, in.data(), out.data(), n, call) == KernelStatus::kOk);
      CHECK(out[0] == 1.5);
      CHECK((out[n - 1] == 1.5) == (n == 8));
    }
  }
  SECTION("old output") {
    const Mutant& mutant = mutant_named("f32_to_f64_reads_old_output");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    const float one = 1.0f;
    for (const Bits old : {Bits{0}, ~Bits{0}}) {
      Bits out = old;
      REQUIRE(run(mutant.function, kernel, &one, &out, 1, call) == KernelStatus::kOk);
      CHECK(out == 0x3ff0000000000000u + (old & 1));
    }
  }
  SECTION("unwritten output") {
    const Mutant& mutant = mutant_named("bf16_to_f32_leaves_last");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    const std::uint16_t in[4] = {0x3f80, 0x3f80, 0x3f80, 0x3f80};
    for (std::size_t n = 1; n <= 4; ++n) {
      float out[4] = {-7, -7, -7, -7};
      REQUIRE(run(mutant.function, kernel, in, out, n, call) == KernelStatus::kOk);
      CHECK(out[n - 1] == (n == 3 ? -7.0f : 1.0f));
    }
  }
  SECTION("one lane") {
    const Mutant& mutant = mutant_named("f32_to_u32_lane_rounds");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    const std::vector<float> in(8, 1.75f);
    std::vector<std::uint32_t> out(8);
    REQUIRE(run(mutant.function, kernel, in.data(), out.data(), 8, call) == KernelStatus::kOk);
    CHECK(out == std::vector<std::uint32_t>{1, 1, 1, 1, 1, 2, 1, 1});
  }
  SECTION("every seventh call") {
    const Mutant& mutant = mutant_named("bf16_to_f16_every_seventh_call");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    const std::uint16_t in = 0x3f80;
    int wrong = 0;
    for (int i = 0; i < 14; ++i) {
      std::uint16_t out = 0;
      REQUIRE(run(mutant.function, kernel, &in, &out, 1, call) == KernelStatus::kOk);
      wrong += out == 0x3c01 ? 1 : 0;
    }
    CHECK(wrong == 2);
  }
  SECTION("alignment") {
    const Mutant& mutant = mutant_named("f64_to_f32_depends_on_alignment");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    alignas(128) Bits in[2] = {0x3ff0000030000000u, 0x3ff0000030000000u};  // a tie
    std::uint32_t out = 0;
    REQUIRE(run(mutant.function, kernel, in, &out, 1, call) == KernelStatus::kOk);
    CHECK(out == 0x3f800002u);
    REQUIRE(run(mutant.function, kernel, in + 1, &out, 1, call) == KernelStatus::kOk);
    CHECK(out == 0x3f800001u);
  }
  SECTION("nothing written for three") {
    const Mutant& mutant = mutant_named("f16_to_f64_three_unwritten");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    const std::uint16_t in[4] = {0x3c00, 0x3c00, 0x3c00, 0x3c00};
    for (std::size_t n = 2; n <= 4; ++n) {
      double out[4] = {-7, -7, -7, -7};
      REQUIRE(run(mutant.function, kernel, in, out, n, call) == KernelStatus::kOk);
      CHECK(out[0] == (n == 3 ? -7.0 : 1.0));
    }
  }
  SECTION("write before the output") {
    const Mutant& mutant = mutant_named("f64_to_u32_writes_before_output");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    const double in = 2;
    std::uint32_t out[2] = {0x01020304u, 0};
    REQUIRE(run(mutant.function, kernel, &in, out + 1, 1, call) == KernelStatus::kOk);
    CHECK(out[0] == 0xfe020304u);
    CHECK(out[1] == 2);
  }
  SECTION("neighbour") {
    const Mutant& mutant = mutant_named("f32_to_f16_sees_neighbour");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    for (const std::uint32_t next : {0x3f800000u, 0x7fc00000u}) {
      const std::uint32_t in[2] = {0x3f800000u, next};
      std::uint16_t out[2];
      REQUIRE(run(mutant.function, kernel, in, out, 2, call) == KernelStatus::kOk);
      CHECK(out[0] == (next == 0x7fc00000u ? 0x3c01 : 0x3c00));
    }
  }
  SECTION("write past the end") {
    const Mutant& mutant = mutant_named("f32_to_bf16_writes_past_end");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    const std::uint32_t in[2] = {0x3f800000u, 0x3f800000u};
    std::uint16_t out[3] = {0x5a5a, 0x5a5a, 0x5a5a};
    REQUIRE(run(mutant.function, kernel, in, out, 2, call) == KernelStatus::kOk);
    CHECK(out[1] == 0x3f80);
    CHECK(out[2] != 0x5a5a);
  }
  SECTION("rounding mode") {
    const Mutant& mutant = mutant_named("f16_to_f32_leaves_rounding_mode");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    const std::uint16_t in = 0x3c00;
    float out = 0;
    REQUIRE(run(mutant.function, kernel, &in, &out, 1, call) == KernelStatus::kOk);
    const int left = std::fegetround();
    std::fesetround(FE_TONEAREST);
    CHECK(left == FE_TOWARDZERO);
    CHECK(out == 1.0f);
  }
  SECTION("input changed") {
    const Mutant& mutant = mutant_named("f32_to_f64_quiets_its_input");
    const Kernel& kernel = *registry().find(mutant.entry_point);
    std::uint32_t in[2] = {0x7f800001u, 0x3f800000u};
    Bits out[2] = {};
    REQUIRE(run(mutant.function, kernel, in, out, 2, call) == KernelStatus::kOk);
    CHECK(in[0] == 0x7fc00001u);
    CHECK(in[1] == 0x3f800000u);
    CHECK(out[0] == 0x7ff8000020000000u);
  }
}

TEST_CASE("mutants of acceptance take or refuse what the kernel does not") {
  std::int64_t shape[2] = {2, 2};
  std::int64_t transposed[2] = {1, 2};
  std::int64_t broadcast[2] = {0, 0};
  std::uint32_t in[4] = {0x3f800000u, 0x40000000u, 0x40400000u, 0x40800000u};
  Bits out[4] = {};
  DLTensor input{in, {kDLCPU, 0}, 2, to_dlpack(Dtype::kF32), shape, nullptr, 0};
  DLTensor output{out, {kDLCPU, 0}, 2, to_dlpack(Dtype::kF16), shape, nullptr, 0};
  KernelCall call;
  call.inputs = {&input, 1};
  call.outputs = {&output, 1};
  const auto of_kernel = [&](const char* cast) {
    return kernel_named(registry(), cast).variants[0].function(call);
  };
  SECTION("strides") {
    input.strides = transposed;
    CHECK(of_kernel("f32_to_f16") == KernelStatus::kBadLayout);
    CHECK(mutant_named("f32_to_f16_ignores_strides").function(call) == KernelStatus::kOk);
    std::uint16_t second;
    std::memcpy(&second, reinterpret_cast<const char*>(out) + 2, 2);
    CHECK(second == 0x4000);  // the transpose's is 0x4200
  }
  SECTION("strides that a dense read would leave the tensor with") {
    input.strides = broadcast;
    CHECK(mutant_named("f32_to_f16_ignores_strides").function(call) == KernelStatus::kBadLayout);
  }
  SECTION("dtype") {
    input.dtype = to_dlpack(Dtype::kU32);
    CHECK(of_kernel("f32_to_f16") == KernelStatus::kBadDtype);
    CHECK(mutant_named("f32_to_f16_takes_u32").function(call) == KernelStatus::kOk);
  }
  SECTION("rank") {
    input = {in, {kDLCPU, 0}, 0, to_dlpack(Dtype::kU32), nullptr, nullptr, 0};
    output = {out, {kDLCPU, 0}, 0, to_dlpack(Dtype::kF64), nullptr, nullptr, 0};
    CHECK(of_kernel("u32_to_f64") == KernelStatus::kOk);
    CHECK(mutant_named("u32_to_f64_refuses_scalars").function(call) == KernelStatus::kBadShape);
    CHECK(std::string(call.message) == "input 0: expected a rank of 1 or more, found 0");
  }
}

/// Whether the contracts leave the result for this input open.
bool open_to_choice(const Kernel& kernel, Bits input) {
  const DtypeTraits& from = traits(kernel.inputs[0]);
  if (from.is_nan(input)) return true;
  if (traits(kernel.outputs[0]).is_floating()) return false;
  const double value = from.width == 64 ? std::bit_cast<double>(input)
                                        : std::bit_cast<float>(static_cast<std::uint32_t>(input));
  return !(value >= 0 && value <= 4294967295.0);
}

TEST_CASE("permitted variants differ only where the contracts leave it open") {
  for (const Mutant& permitted : permitted_variants()) {
    const Kernel& kernel = *registry().find(permitted.entry_point);
    const std::vector<std::byte> in = stratified(kernel.inputs[0], 64);
    const std::size_t n = in.size() / in_bytes(kernel);
    std::vector<std::byte> expected(n * out_bytes(kernel));
    std::vector<std::byte> got(n * out_bytes(kernel));
    KernelCall call;
    REQUIRE(run(kernel.variants[0].function, kernel, in.data(), expected.data(), n, call) ==
            KernelStatus::kOk);
    REQUIRE(run(permitted.function, kernel, in.data(), got.data(), n, call) == KernelStatus::kOk);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Bits x = 0, e = 0, g = 0;
      std::memcpy(&x, &in[i * in_bytes(kernel)], in_bytes(kernel));
      std::memcpy(&e, &expected[i * out_bytes(kernel)], out_bytes(kernel));
      std::memcpy(&g, &got[i * out_bytes(kernel)], out_bytes(kernel));
      const DtypeTraits& to = traits(kernel.outputs[0]);
      const bool nan_lost = to.is_floating() && to.is_nan(e) != to.is_nan(g);
      wrong += (e != g && !open_to_choice(kernel, x)) || nan_lost;
    }
    INFO(permitted.name);
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace assay::testing
