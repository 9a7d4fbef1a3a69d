// Every variant against the scalar one, bit for bit: values, lengths, alignments, floating-point
// environments; and that each is the variant it says it is.

#include "contracts/testing/catch.h"
#include "kernels/cast/cast.h"
#include "kernels/testing/cast_call.h"
#include "kernels/testing/fp_environment.h"
#include "kernels/testing/guarded_pages.h"

namespace assay::testing {
namespace {

const Registry& registry() {
  static const Registry casts(cast_kernels());
  return casts;
}

std::vector<std::byte> run_all(const Kernel& kernel, const KernelVariant& variant,
                               const std::vector<std::byte>& in) {
  const std::size_t n = in.size() / in_bytes(kernel);
  std::vector<std::byte> out(n * out_bytes(kernel), std::byte{0xa5});
  KernelCall call;
  REQUIRE(run(variant.function, kernel, in.data(), out.data(), n, call) == KernelStatus::kOk);
  REQUIRE(call.ran == variant.name);
  return out;
}

/// The elements of `in` at which the two outputs differ, the first few in hex.
std::string differences(const Kernel& kernel, const std::vector<std::byte>& in,
                        const std::vector<std::byte>& expected, const std::vector<std::byte>& got) {
  if (expected == got) return "";
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i * in_bytes(kernel) < in.size(); ++i) {
    Bits x = 0, e = 0, g = 0;
    std::memcpy(&x, &in[i * in_bytes(kernel)], in_bytes(kernel));
    std::memcpy(&e, &expected[i * out_bytes(kernel)], out_bytes(kernel));
    std::memcpy(&g, &got[i * out_bytes(kernel)], out_bytes(kernel));
    if (e == g || ++count > 5) continue;
    text += hex(x, kernel.inputs[0]) + " gives " + hex(g, kernel.outputs[0]) + " for " +
            hex(e, kernel.outputs[0]) + "; ";
  }
  return text + std::to_string(count) + " in all";
}

TEST_CASE("every variant of a cast gives the scalar variant's bits") {
  for (const Kernel& kernel : registry().kernels()) {
    const std::vector<std::byte> in = stratified(kernel.inputs[0], 72);
    const std::vector<std::byte> expected = run_all(kernel, kernel.variants[0], in);
    for (const KernelVariant& variant : kernel.variants) {
      INFO(kernel.entry_point << " " << variant.name);
      CHECK(differences(kernel, in, expected, run_all(kernel, variant, in)) == "");
    }
  }
}

/// More than four vectors of the widest target in the narrowest format, and every remainder.
constexpr std::size_t kMaxLength = 4 * 64 + 3;

/// `n` elements whose neighbours differ in kind: the walk visits signs, exponents and NaNs.
std::vector<std::byte> mixed_elements(const Kernel& kernel, std::size_t n) {
  const std::vector<std::byte> all = stratified(kernel.inputs[0], 72);
  const std::size_t bytes = in_bytes(kernel);
  std::vector<std::byte> picked(n * bytes);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = (i * 7919 * 31) % (all.size() / bytes);
    std::memcpy(&picked[i * bytes], &all[from * bytes], bytes);
  }
  return picked;
}

TEST_CASE("casts of every length stay inside their buffers, at both ends of a page") {
  GuardedPages in_page(1);
  GuardedPages out_page(1);
  for (const Kernel& kernel : registry().kernels()) {
    const std::vector<std::byte> source = mixed_elements(kernel, kMaxLength);
    const std::vector<std::byte> expected = run_all(kernel, kernel.variants[0], source);
    for (const KernelVariant& variant : kernel.variants) {
      for (const bool at_end : {true, false}) {
        std::size_t wrong = 0;
        for (std::size_t n = 0; n <= kMaxLength; ++n) {
          const std::size_t in_size = n * in_bytes(kernel);
          const std::size_t out_size = n * out_bytes(kernel);
          std::byte* in = at_end ? in_page.end() - in_size : in_page.begin();
          std::byte* out = at_end ? out_page.end() - out_size : out_page.begin();
          std::memcpy(in, source.data(), in_size);
          std::memset(out_page.begin(), 0x5a,
                      static_cast<std::size_t>(out_page.end() - out_page.begin()));
          KernelCall call;
          wrong += run(variant.function, kernel, in, out, n, call) != KernelStatus::kOk;
          wrong += std::memcmp(out, expected.data(), out_size) != 0;
          wrong += std::memcmp(in, source.data(), in_size) != 0;
          for (const std::byte* p = out_page.begin(); p != out_page.end(); ++p) {
            wrong += (p < out || p >= out + out_size) && *p != std::byte{0x5a};
          }
        }
        INFO(kernel.entry_point << " " << variant.name
                                << (at_end ? " at the end" : " at the start"));
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("casts give the same bits at every alignment") {
  constexpr std::size_t kLength = 70;
  constexpr std::size_t kSlack = 64;
  for (const Kernel& kernel : registry().kernels()) {
    const std::vector<std::byte> source = mixed_elements(kernel, kLength);
    const std::vector<std::byte> expected = run_all(kernel, kernel.variants[0], source);
    for (const KernelVariant& variant : kernel.variants) {
      std::size_t wrong = 0;
      for (std::size_t offset = 0; offset < kSlack; ++offset) {
        std::vector<std::byte> in(source.size() + kSlack);
        std::vector<std::byte> out(expected.size() + kSlack, std::byte{0x5a});
        const std::size_t out_offset = (offset * 5 + 3) % kSlack;
        std::memcpy(&in[offset], source.data(), source.size());
        KernelCall call;
        wrong += run(variant.function, kernel, &in[offset], &out[out_offset], kLength, call) !=
                 KernelStatus::kOk;
        wrong += std::memcmp(&out[out_offset], expected.data(), expected.size()) != 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
          wrong +=
              (i < out_offset || i >= out_offset + expected.size()) && out[i] != std::byte{0x5a};
        }
      }
      INFO(kernel.entry_point << " " << variant.name);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("casts give the same bits in every floating-point environment, and leave it alone") {
  for (const Kernel& kernel : registry().kernels()) {
    const std::vector<std::byte> in = stratified(kernel.inputs[0], 4);
    const std::size_t n = in.size() / in_bytes(kernel);
    const std::vector<std::byte> expected = run_all(kernel, kernel.variants[0], in);
    for (const KernelVariant& variant : kernel.variants) {
      for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        for (const bool flush : {false, true}) {
          std::vector<std::byte> out(expected.size());
          KernelCall call;
          KernelStatus status;
          unsigned before;
          unsigned after;
          {
            const FpEnvironment environment(rounding, flush);
            before = FpEnvironment::control();
            status = run(variant.function, kernel, in.data(), out.data(), n, call);
            after = FpEnvironment::control();
          }
          INFO(kernel.entry_point << " " << variant.name << ", rounding " << rounding << ", flush "
                                  << flush);
          CHECK(status == KernelStatus::kOk);
          CHECK(before == after);
          CHECK(differences(kernel, in, expected, out) == "");
        }
      }
    }
  }
}

TEST_CASE("a row that names another variant than it runs gives itself away") {
  const Kernel& kernel = kernel_named(registry(), "f32_to_f16");
  const KernelVariant lying = {"AVX2", kernel.variant("scalar")->function};
  const std::uint32_t one = 0x3f800000;
  std::uint16_t result = 0;
  KernelCall call;
  CHECK(run(lying.function, kernel, &one, &result, 1, call) == KernelStatus::kOk);
  CHECK(call.ran != lying.name);
}

}  // namespace
}  // namespace assay::testing
