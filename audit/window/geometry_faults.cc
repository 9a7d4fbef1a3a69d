#include "audit/window/geometry_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "audit/window/call_contract.h"

namespace assay::window {

namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kTwo31 = std::int64_t{1} << 31;
constexpr std::int64_t kTwo32 = std::int64_t{1} << 32;
constexpr std::int64_t kTwo61 = std::int64_t{1} << 61;
constexpr std::int64_t kTwo62 = std::int64_t{1} << 62;

class FaultMaker {
 public:
  FaultMaker(const Operation& operation, const Call& call)
      : operation_(operation),
        base_(call),
        transposed_(operation.kind == OperationKind::kTransposedConvolution) {}

  std::vector<FaultyCall> make() {
    parameters();
    missing_and_repeated();
    operands();
    if (operation_.is_sum()) {
      windows();
      channels();
    }
    if (operation_.takes_bias) bias();
    extents();
    return std::move(all_);
  }

 private:
  /// With the outputs that this fault may go together with.
  void add(const Call& call, const std::string& what, const std::string& about) {
    std::vector<Shape> outputs = {base_.output.shape};
    for (const bool narrow : {false, true}) {
      const std::optional<Shape> careless = careless_shape(operation_, call, narrow);
      if (!careless || std::find(outputs.begin(), outputs.end(), *careless) != outputs.end()) {
        continue;
      }
      const bool small = std::all_of(careless->begin(), careless->end(),
                                     [](std::int64_t n) { return n >= 0 && n <= 64; });
      if (small) outputs.push_back(*careless);
    }
    for (const Shape& output : outputs) add_one(call, output, what, about);
  }
  void add_one(Call call, const Shape& output, const std::string& what, const std::string& about) {
    call.output.shape = output;
    all_.push_back({std::move(call), what, about});
  }

  void set(const std::string& name, std::int64_t value) {
    const Call call = with_parameter(base_, name, value);
    const std::optional<Shape> due = ruled_shape(operation_, call);
    const std::size_t before = all_.size();
    add(call, fmt::format("{} = {}", name, value), name);
    // What the rule gives and nothing forbids is a call like any other.
    const auto valid = [&](const FaultyCall& fault) {
      return due == fault.call.output.shape && ruled_out(operation_, fault.call).empty() &&
             value >= least_;
    };
    all_.erase(
        std::remove_if(all_.begin() + static_cast<std::ptrdiff_t>(before), all_.end(), valid),
        all_.end());
  }

  void parameters() {
    for (const OperationParameter& parameter : operation_.parameters) {
      std::vector<std::string> names = {parameter.rows_name};
      if (parameter.pair) names.push_back(parameter.columns_name);
      for (const std::string& name : names) {
        for (const std::int64_t value : wrong_values(parameter.role, name)) set(name, value);
      }
    }
  }

  /// Sets `least_`, the least value that the operation takes.
  std::vector<std::int64_t> wrong_values(ParameterRole role, const std::string& name) {
    const std::int64_t now = parameter_value(base_.parameters, name).value_or(0);
    const Shape& image = base_.inputs[0].shape;
    switch (role) {
      case ParameterRole::kStride:
        least_ = 1;
        return {0, -1, -2, kLeast, now + kTwo32};
      case ParameterRole::kDilation:
        least_ = 1;
        // Of a plain convolution other dilations than 1 are only looked at.
        if (!transposed_) return {0, -1, kLeast};
        return {0, -1, -2, kLeast, now + kTwo32, kMost};
      case ParameterRole::kPadding:
        least_ = 0;
        return {-1, -2, kLeast, kTwo31, now + kTwo32, kTwo62, kMost};
      case ParameterRole::kOutputPadding:
        least_ = 0;
        return {-1, -2, kLeast, now + kTwo32, kMost};
      case ParameterRole::kGroups:
        least_ = 1;
        return {0, -1, -2, 3, 5, kLeast, now + kTwo32, kMost};
      case ParameterRole::kWindow:
        break;
    }
    least_ = 1;
    const std::int64_t side = std::min(image[2], image[3]);
    return {0,          -1,           kLeast, side + 1, std::max(image[2], image[3]) + 1,
            side + 100, now + kTwo32, kMost};
  }

  void missing_and_repeated() {
    for (std::size_t i = 0; i < base_.parameters.size(); ++i) {
      const KernelParameter parameter = base_.parameters[i];
      Call call = base_;
      call.parameters.erase(call.parameters.begin() + static_cast<std::ptrdiff_t>(i));
      add_one(call, base_.output.shape, fmt::format("no {}", parameter.name), parameter.name);
      for (const std::int64_t more : {0, 1}) {
        call = base_;
        call.parameters.push_back({parameter.name, parameter.value + more});
        add_one(call, base_.output.shape,
                fmt::format("{} given twice{}", parameter.name,
                            more == 0 ? "" : ", with another value"),
                parameter.name);
      }
    }
    Call call = base_;
    call.parameters.push_back({"unheard_of", 1});
    add_one(call, base_.output.shape, "a parameter 'unheard_of'", "unheard_of");
  }

  /// One input too few, and one too many.
  void operands() {
    Call call = base_;
    call.inputs.push_back(call.inputs.back());
    add_one(call, base_.output.shape, "one input too many", {});
    if (operation_.is_sum()) {
      call = base_;
      call.inputs.resize(1);
      add_one(call, base_.output.shape, fmt::format("no `{}`", operation_.input_name(1)), {});
    }
  }

  std::string shaped(std::size_t input, const Call& call) const {
    return fmt::format("`{}` of shape {}", operation_.input_name(input),
                       shape_text(call.inputs[input].shape));
  }
  void add_shaped(const Call& call, std::size_t input, const std::string& why) {
    add(call, fmt::format("{} ({})", shaped(input, call), why), operation_.input_name(input));
  }

  /// Filters without taps, and beyond the padded image.
  void windows() {
    for (const std::size_t axis : {std::size_t{2}, std::size_t{3}}) {
      Call call = base_;
      call.inputs[1].shape[axis] = 0;
      add_shaped(call, 1, "no taps");
      if (transposed_) continue;
      const OperationParameter* padding = operation_.find(ParameterRole::kPadding);
      const std::int64_t around =
          padding == nullptr ? 0
                             : parameter_value(base_.parameters, axis == 2 ? padding->rows_name
                                                                           : padding->columns_name)
                                   .value_or(0);
      const std::int64_t padded = base_.inputs[0].shape[axis] + 2 * around;
      for (const std::int64_t beyond : {1, 2, 3, 100}) {
        call = base_;
        call.inputs[1].shape[axis] = padded + beyond;
        add_shaped(call, 1, fmt::format("beyond the padded image by {}", beyond));
      }
    }
    if (!transposed_) return;
    // Padding that takes off more than there is: all of it and two more.
    const OperationParameter* padding = operation_.find(ParameterRole::kPadding);
    if (padding == nullptr) return;
    for (const std::size_t axis : {std::size_t{2}, std::size_t{3}}) {
      const std::string& name = axis == 2 ? padding->rows_name : padding->columns_name;
      const std::int64_t now = parameter_value(base_.parameters, name).value_or(0);
      const std::int64_t extent = base_.output.shape[axis];
      for (const std::int64_t more : {extent / 2 + 1, extent}) {
        const Call call = with_parameter(base_, name, now + more);
        add_one(call, base_.output.shape, fmt::format("{} = {}", name, now + more), name);
      }
    }
  }

  /// Weights whose channels do not fit the image's, and channels that the groups do not divide.
  void channels() {
    const std::size_t axis = transposed_ ? 0 : 1;
    const std::int64_t due = base_.inputs[1].shape[axis];
    for (const std::int64_t other : {due - 1, due + 1, 2 * due, std::int64_t{0}}) {
      Call call = base_;
      call.inputs[1].shape[axis] = other;
      // What the contract admits in so many words is only looked at.
      if (other == due || constraints_hold(operation_, call, 1)) continue;
      add_shaped(call, 1, fmt::format("{} channels where {} are due", other, due));
    }
    const OperationParameter* groups = operation_.find(ParameterRole::kGroups);
    if (groups == nullptr) return;
    const std::int64_t count = parameter_value(base_.parameters, groups->name).value_or(1);
    if (count < 2) return;
    Call call = base_;
    call.inputs[0].shape[1] -= 1;
    call.inputs[1].shape[axis] =
        transposed_ ? call.inputs[0].shape[1] : call.inputs[0].shape[1] / count;
    add_shaped(call, 0, fmt::format("{} groups do not divide its channels", count));
    if (transposed_) return;
    call = base_;
    call.inputs[1].shape[0] -= 1;
    if (call.inputs.size() > 2) call.inputs[2].shape[0] -= 1;
    add_shaped(call, 1, fmt::format("{} groups do not divide its output channels", count));
  }

  void bias() {
    if (base_.inputs.size() < 3) return;
    const std::int64_t due = base_.inputs[2].shape[0];
    for (const std::int64_t other : {due - 1, due + 1, std::int64_t{0}, std::int64_t{1}}) {
      Call call = base_;
      call.inputs[2].shape[0] = other;
      if (other != due) add_shaped(call, 2, fmt::format("{} elements are due", due));
    }
  }

  /// Extents whose product is beyond 64 bits but looks like that of the valid call, where extents
  /// are multiplied with wrap-around; and negative ones.
  void extents() {
    const auto grow = [&](std::size_t input, std::size_t axis, std::size_t output_axis,
                          std::int64_t by, const char* why) {
      Call call = base_;
      call.inputs[input].shape[axis] += by;
      Shape output = base_.output.shape;
      output[output_axis] += by;
      if (input == 1 && call.inputs.size() > 2) call.inputs[2].shape[0] += by;
      add_one(call, output, fmt::format("{} ({})", shaped(input, call), why),
              operation_.input_name(input));
    };
    grow(0, 0, 0, kTwo61, "more elements than 64 bits count");
    grow(0, 0, 0, kTwo62, "more elements than 64 bits count");
    grow(0, 2, 2, kTwo61, "more elements than 64 bits count");
    grow(0, 3, 3, kTwo61, "more elements than 64 bits count");
    grow(0, 0, 0, -base_.inputs[0].shape[0] - 1, "a negative extent");
    if (!operation_.is_sum()) {
      grow(0, 1, 1, kTwo61, "more elements than 64 bits count");
      return;
    }
    if (transposed_) return;
    grow(1, 0, 1, kTwo61, "more elements than 64 bits count");
    grow(1, 0, 1, -base_.inputs[1].shape[0] - 1, "a negative extent");
  }

  const Operation& operation_;
  const Call& base_;
  bool transposed_;
  std::int64_t least_ = 0;
  std::vector<FaultyCall> all_;
};

}  // namespace

std::vector<FaultyCall> faulty_calls(const Operation& operation, const Call& call) {
  return FaultMaker(operation, call).make();
}

Call with_parameter(Call call, const std::string& name, std::int64_t value) {
  for (KernelParameter& parameter : call.parameters) {
    if (parameter.name == name) parameter.value = value;
  }
  return call;
}

}  // namespace assay::window
