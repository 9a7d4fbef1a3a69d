// Every mutant is wrong where it says so and right elsewhere; every permitted variant differs at
// most where nothing is promised.

#include <bit>
#include <cfenv>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "contracts/claim.h"
#include "contracts/testing/catch.h"
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
};

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
    if (mutant.name != "f32_to_f64_wrong_tail") {
      CHECK(convert_one(mutant.function, *kernel, witness.right_at) ==
            convert_one(right, *kernel, witness.right_at));
    }
    seen.insert(mutant.name);
  }
  // The others differ in more than a value and have their own tests below.
  for (const Mutant& mutant : cast_mutants()) {
    if (mutant.claim == "rounding" || mutant.claim == "overflow" || mutant.claim == "nan") {
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

TEST_CASE("mutants check their arguments and sign as mutants") {
  std::vector<Mutant> all = cast_mutants();
  for (const Mutant& permitted : permitted_variants()) all.push_back(permitted);
  for (const Mutant& mutant : all) {
    INFO(mutant.name);
    const Kernel& kernel = *registry().find(mutant.entry_point);
    // Room for the one that reads or writes past the end.
    Bits in[2] = {};
    Bits out[2] = {};
    KernelCall call;
    std::fenv_t environment;
    std::fegetenv(&environment);
    CHECK(run(mutant.function, kernel, in, out, 1, call) == KernelStatus::kOk);
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
  const float value = std::bit_cast<float>(static_cast<std::uint32_t>(input));
  return !(value > -1.0f && value < 4294967296.0f);
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
