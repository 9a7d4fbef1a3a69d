// Every variant of a convolution against the scalar one, bit for bit: geometries, values, places in
// memory, floating-point environments; and that each is the variant it says it is.

#include "contracts/testing/catch.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/testing/geometry.h"
#include "kernels/testing/fp_environment.h"
#include "kernels/testing/guarded_pages.h"

namespace assay::testing {
namespace {

const Registry& registry() {
  static const Registry all(conv_kernels());
  return all;
}

Dense run_one(const KernelVariant& variant, const Convolution& convolution) {
  Dense out = convolution.out;
  std::fill(out.bytes().begin(), out.bytes().end(), std::byte{0xa5});
  KernelCall call;
  const KernelStatus status =
      run(variant.function, convolution.inputs, out, convolution.parameters, call);
  INFO(call.message);
  REQUIRE(status == KernelStatus::kOk);
  REQUIRE(call.ran == variant.name);
  return out;
}

TEST_CASE("there are eight convolutions") {
  CHECK(convolutions(registry()).size() == 8);
}

TEST_CASE("every variant of a convolution gives the scalar variant's bits") {
  std::mt19937_64 random(1);
  for (const Subject& subject : convolutions(registry())) {
    std::size_t compared = 0;
    for (const Geometry& any : all_geometries()) {
      const Geometry g = fitted(any, subject.operation);
      if (!g.valid(subject.operation == "conv_transpose2d")) continue;
      Convolution convolution = make_convolution(subject.operation, subject.dtype(), g);
      for (const Values values : kAllValues) {
        for (Dense& input : convolution.inputs) draw_all(input, values, random);
        const Dense expected = run_one(subject.kernel->variants[0], convolution);
        for (const KernelVariant& variant : subject.kernel->variants) {
          const std::string difference = first_difference(expected, run_one(variant, convolution));
          if (difference.empty()) continue;
          INFO(subject.kernel->entry_point << " " << variant.name << ": " << g.text());
          CHECK(difference == "");
        }
        compared += expected.elements();
      }
    }
    INFO(subject.kernel->entry_point);
    CHECK(compared > 10000);
  }
}

/// Runs with every tensor at the end, or at the start, of pages of its own.
std::string run_guarded(const KernelVariant& variant, const Convolution& convolution, bool at_end,
                        const Dense& expected) {
  std::vector<std::unique_ptr<GuardedPages>> pages;
  const auto place = [&](const Dense& tensor) {
    const std::size_t size = tensor.bytes().size();
    pages.push_back(std::make_unique<GuardedPages>(size));
    std::byte* data = at_end ? pages.back()->end() - size : pages.back()->begin();
    if (size != 0) std::memcpy(data, tensor.bytes().data(), size);
    return data;
  };
  std::vector<DLTensor> inputs;
  for (const Dense& input : convolution.inputs) inputs.push_back(input.view(place(input)));
  Dense out = expected;
  std::byte* out_data = place(out);
  std::fill(pages.back()->begin(), pages.back()->end(), std::byte{0x5a});
  DLTensor output = out.view(out_data);
  KernelCall call;
  call.inputs = inputs;
  call.outputs = {&output, 1};
  call.parameters = convolution.parameters;
  if (variant.function(call) != KernelStatus::kOk) return call.message;
  std::memcpy(out.bytes().data(), out_data, out.bytes().size());
  for (const std::byte* p = pages.back()->begin(); p != pages.back()->end(); ++p) {
    const bool outside = p < out_data || p >= out_data + out.bytes().size();
    if (outside && *p != std::byte{0x5a}) return "wrote outside the output";
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<std::byte>& before = convolution.inputs[i].bytes();
    if (!before.empty() && std::memcmp(inputs[i].data, before.data(), before.size()) != 0) {
      return "changed an input";
    }
  }
  return first_difference(expected, out);
}

TEST_CASE("convolutions stay inside their tensors, at both ends of a page") {
  std::mt19937_64 random(2);
  for (const Subject& subject : convolutions(registry())) {
    for (const Geometry& any : all_geometries()) {
      const Geometry g = fitted(any, subject.operation);
      if (!g.valid(subject.operation == "conv_transpose2d")) continue;
      Convolution convolution = make_convolution(subject.operation, subject.dtype(), g);
      if (convolution.out.elements() == 0) continue;
      for (Dense& input : convolution.inputs) draw_all(input, Values::kPatterns, random);
      const Dense expected = run_one(subject.kernel->variants[0], convolution);
      for (const KernelVariant& variant : subject.kernel->variants) {
        for (const bool at_end : {true, false}) {
          const std::string fault = run_guarded(variant, convolution, at_end, expected);
          if (fault.empty()) continue;
          INFO(subject.kernel->entry_point << " " << variant.name << ": " << g.text()
                                           << (at_end ? " at the end" : " at the start"));
          CHECK(fault == "");
        }
      }
    }
  }
}

TEST_CASE("convolutions give the same bits at every alignment") {
  const Geometry any = {.in_channels = 2,
                        .out_channels = 5,
                        .image = {3, 37},
                        .kernel = {2, 3},
                        .stride = {1, 1},
                        .padding = {1, 1}};
  constexpr std::size_t kSlack = 64;
  std::mt19937_64 random(3);
  for (const Subject& subject : convolutions(registry())) {
    Convolution convolution =
        make_convolution(subject.operation, subject.dtype(), fitted(any, subject.operation));
    for (Dense& input : convolution.inputs) draw_all(input, Values::kNear, random);
    const Dense expected = run_one(subject.kernel->variants[0], convolution);
    for (const KernelVariant& variant : subject.kernel->variants) {
      std::size_t wrong = 0;
      for (std::size_t offset = 0; offset < kSlack; ++offset) {
        std::vector<std::vector<std::byte>> memory;
        std::vector<DLTensor> inputs;
        for (const Dense& input : convolution.inputs) {
          const std::size_t at = (offset * 5 + 3 * memory.size()) % kSlack;
          memory.emplace_back(input.bytes().size() + kSlack);
          std::memcpy(&memory.back()[at], input.bytes().data(), input.bytes().size());
          inputs.push_back(input.view(&memory.back()[at]));
        }
        std::vector<std::byte> out(expected.bytes().size() + kSlack);
        DLTensor output = expected.view(&out[offset]);
        KernelCall call;
        call.inputs = inputs;
        call.outputs = {&output, 1};
        call.parameters = convolution.parameters;
        wrong += variant.function(call) != KernelStatus::kOk;
        wrong += std::memcmp(&out[offset], expected.bytes().data(), expected.bytes().size()) != 0;
      }
      INFO(subject.kernel->entry_point << " " << variant.name);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("variants of a convolution agree in every floating-point environment, and leave it") {
  std::mt19937_64 random(4);
  for (const Subject& subject : convolutions(registry())) {
    const bool half = traits(subject.dtype()).width == 16;
    for (const Geometry& any : {Geometry{.in_channels = 3,
                               .out_channels = 5,
                               .image = {3, 35},
                               .kernel = {3, 3},
                               .stride = {1, 1},
                               .padding = {1, 1},
                               .bias = true},
                                Geometry{.in_channels = 2,
                                .image = {4, 20},
                                .kernel = {2, 3},
                                .stride = {2, 2},
                                .padding = {1, 1}}}) {
      const Geometry g = fitted(any, subject.operation);
      Convolution convolution = make_convolution(subject.operation, subject.dtype(), g);
      for (const Values values : kAllValues) {
        for (Dense& input : convolution.inputs) draw_all(input, values, random);
        const Dense nearest = run_one(subject.kernel->variants[0], convolution);
        for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
          for (const bool flush : {false, true}) {
            Dense expected = convolution.out;
            for (const KernelVariant& variant : subject.kernel->variants) {
              Dense out = convolution.out;
              KernelCall call;
              KernelStatus status;
              unsigned before;
              unsigned after;
              {
                const FpEnvironment environment(rounding, flush);
                before = FpEnvironment::control();
                status =
                    run(variant.function, convolution.inputs, out, convolution.parameters, call);
                after = FpEnvironment::control();
              }
              if (variant.name == "scalar") expected = out;
              INFO(subject.kernel->entry_point << " " << variant.name << ", rounding " << rounding
                                               << ", flush " << flush);
              CHECK(status == KernelStatus::kOk);
              CHECK(before == after);
              CHECK(first_difference(half ? nearest : expected, out) == "");
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
