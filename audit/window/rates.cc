#include "audit/window/rates.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/window/call.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

Geometry square(std::int64_t in_channels, std::int64_t out_channels, std::int64_t groups,
                std::int64_t image, std::int64_t kernel, std::int64_t stride) {
  Geometry geometry;
  oracle::ConvolutionGeometry& e = geometry.extents;
  e.in_channels = in_channels;
  e.out_channels = out_channels;
  e.groups = groups;
  e.image = {image, image};
  e.kernel = {kernel, kernel};
  e.stride = {stride, stride};
  return geometry;
}

std::optional<double> cost(const std::string& formula, const Operation& operation,
                           const Geometry& geometry) {
  if (formula.empty()) return std::nullopt;
  fkc::CallShapes call = call_shapes(operation, geometry);
  for (const fkc::OpParamField& field : operation.contract->op_param_fields) {
    if (field.name == "out_shape") call.params[field.name] = output_shape(geometry);
  }
  const auto value = fkc::evaluate_cost(formula, *operation.contract, call,
                                        static_cast<std::size_t>(traits(operation.dtype).bytes()));
  if (!value) return std::nullopt;
  return *value;
}

}  // namespace

std::vector<RateGeometry> rate_geometries(const Operation& operation) {
  std::vector<RateGeometry> kept;
  const auto offer = [&](std::string what, Geometry geometry) {
    // A bias that has to be there is.
    geometry.bias = operation.takes_bias && !operation.bias_optional;
    if (kept.size() < kMostRates && complete(operation, geometry)) {
      kept.push_back({std::move(what), geometry});
    }
  };
  if (operation.is_sum()) {
    offer("3x3 window, 16 to 16 channels, 34x34 image", square(16, 16, 1, 34, 3, 1));
    offer("1x1 window, 32 to 32 channels, 28x28 image", square(32, 32, 1, 28, 1, 1));
    offer("3x3 window, 32 channels each by itself, 34x34 image", square(32, 32, 32, 34, 3, 1));
    offer("3x3 window, stride 2, 16 to 16 channels, 33x33 image", square(16, 16, 1, 33, 3, 2));
  } else {
    offer("2x2 window, stride 2, 16 channels, 64x64 image", square(16, 16, 1, 64, 2, 2));
    offer("3x3 window, stride 1, 16 channels, 34x34 image", square(16, 16, 1, 34, 3, 1));
  }
  return kept;
}

void measure_rates(const Job& job, const KernelVariant& variant, Heartbeat& heartbeat,
                   RateTally& tally) {
  constexpr int kMostRepeats = 12;
  // Seconds of calls. No evidence for a claim comes of them.
  const double enough = job.effort == Effort::kQuick ? 0.008 : 0.03;
  EnvironmentLog log;
  CaseRunner runner(job.operation, variant, log);
  const std::vector<RateGeometry> geometries = rate_geometries(job.operation);
  for (std::size_t g = 0; g < geometries.size(); ++g) {
    const Case the_case{geometries[g].geometry, Family::kScaled, 1};
    const Tensors tensors = make_tensors(job.operation, the_case);
    double all = 0;
    for (int repeat = 0; repeat < kMostRepeats && all < enough; ++repeat) {
      heartbeat.at(g);
      if (runner.run(the_case.geometry, tensors) != CallFault::kNone) {
        tally.seconds[g] = 0;
        if (tally.fault[0] == '\0') put(tally.fault, runner.fault());
        break;
      }
      const double seconds = runner.seconds();
      tally.seconds[g] = repeat == 0 ? seconds : std::min(tally.seconds[g], seconds);
      all += seconds;
    }
  }
}

std::optional<double> flops(const Operation& operation, const Geometry& geometry) {
  return cost(operation.contract->cost.flops, operation, geometry);
}

std::optional<double> bytes_moved(const Operation& operation, const Geometry& geometry) {
  return cost(operation.contract->cost.bytes_moved, operation, geometry);
}

}  // namespace assay::window
