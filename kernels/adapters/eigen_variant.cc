// Eigen's conversions to and from its half and bfloat16, compiled for one instruction set.
//
// Built several times, with ADAPTER_VARIANT the name and the compiler's options those of the
// instruction set. Eigen's functions are the same symbols whatever they were compiled for, and a
// linker keeps one of each; a namespace of its own for each build keeps them apart. Names in angle
// brackets are not expanded, so the includes are not affected.
#define Eigen ADAPTER_EIGEN_NAMESPACE
#include <Eigen/Core>
#include <unsupported/Eigen/CXX11/Tensor>

#include "kernels/adapters/eigen_variant.h"

namespace assay_adapters::ADAPTER_VARIANT {

namespace {

/// Element by element, by the types' own conversions.
template <class To, class From>
void one_by_one(const void* from, void* to, std::int64_t count) {
  const auto* x = static_cast<const From*>(from);
  auto* y = static_cast<To*>(to);
  for (std::int64_t i = 0; i < count; ++i) y[i] = static_cast<To>(x[i]);
}

/// A whole tensor at once, which Eigen does in packets where it has some for these types. (Arrays
/// of its Core module convert element by element.)
template <class To, class From>
void as_tensor(const void* from, void* to, std::int64_t count) {
  const Eigen::TensorMap<const Eigen::Tensor<From, 1, 0, std::int64_t>> source(
      static_cast<const From*>(from), count);
  Eigen::TensorMap<Eigen::Tensor<To, 1, 0, std::int64_t>> target(static_cast<To*>(to), count);
  target = source.template cast<To>();
}

}  // namespace

template <class To, class From>
constexpr EigenCast kBoth = {one_by_one<To, From>, as_tensor<To, From>};

extern const EigenCasts kCasts = {
    kBoth<Eigen::half, float>,           kBoth<float, Eigen::half>,
    kBoth<Eigen::bfloat16, float>,       kBoth<float, Eigen::bfloat16>,
    kBoth<Eigen::half, double>,          kBoth<double, Eigen::half>,
    kBoth<Eigen::bfloat16, double>,      kBoth<double, Eigen::bfloat16>,
    kBoth<Eigen::bfloat16, Eigen::half>, kBoth<Eigen::half, Eigen::bfloat16>,
};

}  // namespace assay_adapters::ADAPTER_VARIANT
