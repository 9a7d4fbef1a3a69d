#include "kernels/registry.h"

#include <algorithm>
#include <set>

#include "contracts/testing/catch.h"
#include "kernels/testing/cast_call.h"

namespace assay {
namespace {

TEST_CASE("the registry has a row for every cast, with its dtypes") {
  const Registry registry = built_in_registry();
  const Dtype floats[] = {Dtype::kF32, Dtype::kF64, Dtype::kBF16, Dtype::kF16};
  std::size_t expected = 0;
  for (const Dtype from : {Dtype::kF32, Dtype::kF64, Dtype::kBF16, Dtype::kF16, Dtype::kU32}) {
    for (const Dtype to : {Dtype::kF32, Dtype::kF64, Dtype::kBF16, Dtype::kF16, Dtype::kU32}) {
      const bool wide_from = from == Dtype::kF32 || from == Dtype::kF64;
      const bool wide_to = to == Dtype::kF32 || to == Dtype::kF64;
      const bool both_floats = std::count(std::begin(floats), std::end(floats), from) == 1 &&
                               std::count(std::begin(floats), std::end(floats), to) == 1;
      const Kernel* kernel =
          registry.find("fuel_reference_backend::ops::cast_" + std::string(traits(from).name) +
                        "_to_" + std::string(traits(to).name));
      INFO(traits(from).name << " to " << traits(to).name);
      if (from == to || !(both_floats || wide_from || wide_to)) {
        CHECK(kernel == nullptr);
        continue;
      }
      ++expected;
      REQUIRE(kernel != nullptr);
      CHECK(kernel->inputs == std::vector<Dtype>{from});
      CHECK(kernel->outputs == std::vector<Dtype>{to});
    }
  }
  CHECK(expected == 16);
  CHECK(registry.find("fuel_reference_backend::ops::cast_f32_to_") == nullptr);
}

TEST_CASE("the registry has a row for every convolution and pooling, under both its symbols") {
  struct Family {
    std::string operation;
    std::vector<Dtype> dtypes;
    std::size_t inputs;
    std::size_t optional_inputs;
    std::size_t parameters;
  };
  const std::vector<Dtype> wide = {Dtype::kF32, Dtype::kF64};
  const std::vector<Dtype> all = {Dtype::kF32, Dtype::kF64, Dtype::kBF16, Dtype::kF16};
  const Registry registry = built_in_registry();
  std::size_t expected = 16;
  for (const Family& family :
       {Family{"conv2d", wide, 3, 1, 7}, Family{"conv_transpose2d", wide, 2, 0, 9},
        Family{"conv2d_simple", all, 2, 0, 2}, Family{"max_pool2d", all, 1, 0, 2}}) {
    const std::string base = "fuel_reference_backend::ops::" + family.operation;
    for (const Dtype dtype : {Dtype::kF32, Dtype::kF64, Dtype::kBF16, Dtype::kF16}) {
      const std::string suffix = "_" + std::string(traits(dtype).name);
      const Kernel* kernel = registry.find(base + suffix);
      INFO(base + suffix);
      // The contract's entry point is base + "_f32"; fan-out appends the dtype to that.
      CHECK(registry.find(base + "_f32" + suffix) == kernel);
      CHECK(registry.find(base + "_f64" + suffix) == nullptr);
      if (std::count(family.dtypes.begin(), family.dtypes.end(), dtype) == 0) {
        CHECK(kernel == nullptr);
        continue;
      }
      ++expected;
      REQUIRE(kernel != nullptr);
      CHECK(kernel->entry_point == base + suffix);
      CHECK(kernel->inputs == std::vector<Dtype>(family.inputs, dtype));
      CHECK(kernel->optional_inputs == family.optional_inputs);
      CHECK(kernel->outputs == std::vector<Dtype>{dtype});
      CHECK(kernel->parameters.size() == family.parameters);
    }
  }
  CHECK(registry.kernels().size() == expected);
}

TEST_CASE("no two kernels answer to one symbol") {
  const Registry registry = built_in_registry();
  std::set<std::string> symbols;
  std::size_t count = 0;
  for (const Kernel& kernel : registry.kernels()) {
    symbols.insert(kernel.entry_point);
    symbols.insert(kernel.aliases.begin(), kernel.aliases.end());
    count += 1 + kernel.aliases.size();
  }
  CHECK(symbols.size() == count);
}

TEST_CASE("every kernel has the scalar variant first, then the targets, narrow to wide") {
  const std::vector<std::string> targets = available_targets();
  const std::vector<std::string> order = {"SSE2", "SSSE3",   "SSE4",      "AVX2",
                                          "AVX3", "AVX3_DL", "AVX3_ZEN4", "AVX3_SPR"};
#if defined(__x86_64__)
  REQUIRE(!targets.empty());
  std::size_t position = 0;
  for (const std::string& target : targets) {
    const auto found =
        std::find(order.begin() + static_cast<std::ptrdiff_t>(position), order.end(), target);
    INFO(target);
    REQUIRE(found != order.end());
    position = static_cast<std::size_t>(found - order.begin()) + 1;
  }
#endif
  const Registry registry = built_in_registry();
  for (const Kernel& kernel : registry.kernels()) {
    INFO(kernel.entry_point);
    REQUIRE(kernel.variants.size() == targets.size() + 1);
    CHECK(kernel.variants[0].name == "scalar");
    std::set<KernelFunction> functions;
    for (std::size_t i = 0; i < kernel.variants.size(); ++i) {
      if (i > 0) CHECK(kernel.variants[i].name == targets[i - 1]);
      CHECK(kernel.variant(kernel.variants[i].name) == &kernel.variants[i]);
      functions.insert(kernel.variants[i].function);
    }
    CHECK(functions.size() == kernel.variants.size());
    CHECK(kernel.variant("AVX") == nullptr);
  }
}

TEST_CASE("every dtype has its DLPack type") {
  const auto code = [](Dtype dtype) { return static_cast<int>(to_dlpack(dtype).code); };
  CHECK(code(Dtype::kF16) == kDLFloat);
  CHECK(code(Dtype::kBF16) == kDLBfloat);
  CHECK(code(Dtype::kU32) == kDLUInt);
  CHECK(code(Dtype::kI64) == kDLInt);
  for (const DtypeTraits& row : kDtypes) {
    CHECK(to_dlpack(row.dtype).bits == row.width);
    CHECK(to_dlpack(row.dtype).lanes == 1);
  }
}

TEST_CASE("a status has a name") {
  CHECK(to_string(KernelStatus::kOk) == "ok");
  CHECK(to_string(KernelStatus::kBadShape) == "bad shape");
  CHECK(to_string(KernelStatus::kFailed) == "failed");
  CHECK(to_string(KernelStatus::kBadParameter) == "bad parameter");
}

}  // namespace
}  // namespace assay
