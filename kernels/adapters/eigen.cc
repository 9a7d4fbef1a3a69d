// Eigen (libeigen3-dev): conversions to and from Eigen::half and Eigen::bfloat16. Variants are
// named for the instruction set that Eigen was compiled for, and for the way: one element after the
// other, or a tensor at once.
#include "kernels/adapters/eigen_variant.h"
#include "kernels/adapters/element_wise.h"

#if defined(__x86_64__)
#include "kernels/adapters/cpu_features.h"
#endif

namespace {
using namespace assay_adapters;

/// A cast of one build, in one way, as the kernel that the table wants.
template <class From, class To, const EigenCasts& casts, EigenCast EigenCasts::*which,
          AnyConversion EigenCast::*way>
void convert(const typename From::Element* from, typename To::Element* to, std::int64_t count) {
  (casts.*which.*way)(from, to, count);
}

constexpr int kMostRows = 60;

class Table {
 public:
  /// Adds all casts of a build: converted one by one, where that has a name, and as a tensor.
  template <const EigenCasts& casts>
  void add(const char* one_by_one, const char* as_tensor) {
    names_ = {one_by_one, as_tensor};
    add_cast<F32, F16, casts, &EigenCasts::f32_to_f16>("eigen::cast_f32_to_f16");
    add_cast<F16, F32, casts, &EigenCasts::f16_to_f32>("eigen::cast_f16_to_f32");
    add_bfloat16<casts>(one_by_one, as_tensor);
    add_cast<BF16, F32, casts, &EigenCasts::bf16_to_f32>("eigen::cast_bf16_to_f32");
    add_cast<F64, F16, casts, &EigenCasts::f64_to_f16>("eigen::cast_f64_to_f16");
    add_cast<F16, F64, casts, &EigenCasts::f16_to_f64>("eigen::cast_f16_to_f64");
    add_cast<F64, BF16, casts, &EigenCasts::f64_to_bf16>("eigen::cast_f64_to_bf16");
    add_cast<BF16, F64, casts, &EigenCasts::bf16_to_f64>("eigen::cast_bf16_to_f64");
    add_cast<F16, BF16, casts, &EigenCasts::f16_to_bf16>("eigen::cast_f16_to_bf16");
    add_cast<BF16, F16, casts, &EigenCasts::bf16_to_f16>("eigen::cast_bf16_to_f16");
  }

  /// The only cast that AVX512-BF16 changes.
  template <const EigenCasts& casts>
  void add_bfloat16(const char* one_by_one, const char* as_tensor) {
    names_ = {one_by_one, as_tensor};
    add_cast<F32, BF16, casts, &EigenCasts::f32_to_bf16>("eigen::cast_f32_to_bf16");
  }

  const assay_kernel_list* list() {
    list_ = {ASSAY_KERNELS_ABI_VERSION, count_, rows_};
    return &list_;
  }

 private:
  struct Names {
    const char* one_by_one = nullptr;
    const char* as_tensor = nullptr;
  };

  template <class From, class To, const EigenCasts& casts, EigenCast EigenCasts::*which>
  void add_cast(const char* entry_point) {
    if (names_.one_by_one != nullptr) {
      rows_[count_++] = cast_row<From, To, convert<From, To, casts, which, &EigenCast::one_by_one>>(
          entry_point, names_.one_by_one);
    }
    rows_[count_++] = cast_row<From, To, convert<From, To, casts, which, &EigenCast::as_tensor>>(
        entry_point, names_.as_tensor);
  }

  Names names_;
  assay_kernel rows_[kMostRows] = {};
  std::uint32_t count_ = 0;
  assay_kernel_list list_ = {};
};

const assay_kernel_list* make_table() {
  static Table table;
  table.add<baseline::kCasts>("baseline", "baseline-tensor");
#if defined(ADAPTER_HAS_AVX2)
  if (has_avx2_and_f16c()) table.add<avx2::kCasts>("AVX2", "AVX2-tensor");
#endif
#if defined(ADAPTER_HAS_AVX512)
  if (has_avx512()) table.add<avx512::kCasts>(nullptr, "AVX512-tensor");
#endif
#if defined(ADAPTER_HAS_AVX512_BF16)
  if (has_avx512_bf16()) table.add_bfloat16<avx512_bf16::kCasts>(nullptr, "AVX512-BF16-tensor");
#endif
  return table.list();
}
}  // namespace

const assay_kernel_list* assay_kernel_table() {
  static const assay_kernel_list* const list = make_table();
  return list;
}
