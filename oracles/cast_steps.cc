#include "oracles/cast_steps.h"

#include <bit>

#include "contracts/measure.h"
#include "oracles/codec.h"

namespace assay::oracle {

namespace {

/// The exact value among the values of a format.
class Among {
 public:
  Among(const MpfrReal& exact, Dtype dtype)
      : exact_(exact), dtype_(dtype), format_(traits(dtype)), value_(kDecodePrecision) {}

  /// The greatest value that is not above the exact one.
  std::optional<Bits> below() {
    // Keys up to `low` are not above it, those from `high` on are.
    std::int64_t low = least() - 1;
    std::int64_t high = most() + 1;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (compare(middle) <= 0 ? low : high) = middle;
    }
    if (low < least()) return std::nullopt;
    return bits_of_key(low, dtype_);
  }

  /// The least value that is not below it.
  std::optional<Bits> above() {
    std::int64_t low = least() - 1;
    std::int64_t high = most() + 1;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (compare(middle) < 0 ? low : high) = middle;
    }
    if (high > most()) return std::nullopt;
    return bits_of_key(high, dtype_);
  }

 private:
  std::int64_t least() const {
    if (format_.is_floating()) return order_key(format_.infinity() | format_.sign_mask(), dtype_);
    return order_key(format_.kind == NumberKind::kSigned ? format_.sign_mask() : 0, dtype_);
  }
  std::int64_t most() const {
    if (format_.is_floating()) return order_key(format_.infinity(), dtype_);
    return order_key(
        format_.kind == NumberKind::kSigned ? format_.sign_mask() - 1 : format_.all_mask(), dtype_);
  }
  int compare(std::int64_t key) {
    decode(bits_of_key(key, dtype_), dtype_, value_);
    return mpfr_cmp(value_.get(), exact_.get());
  }

  const MpfrReal& exact_;
  Dtype dtype_;
  const DtypeTraits& format_;
  MpfrReal value_;
};

/// Halfway between two neighbours, of which one may be infinite: then as far beyond the other as if
/// the format went on.
void halfway(Bits below, Bits above, Dtype dtype, MpfrReal& out) {
  const DtypeTraits& format = traits(dtype);
  MpfrReal a(kDecodePrecision);
  MpfrReal b(kDecodePrecision);
  const bool beyond = format.is_infinite(below) || format.is_infinite(above);
  if (beyond) {
    const Bits last = format.is_infinite(above) ? below : above;
    decode(last, dtype, a);
    decode(last - 1, dtype, b);  // one step toward zero
    mpfr_mul_ui(out.get(), a.get(), 3, MPFR_RNDN);
    mpfr_sub(out.get(), out.get(), b.get(), MPFR_RNDN);
  } else {
    decode(below, dtype, a);
    decode(above, dtype, b);
    mpfr_add(out.get(), a.get(), b.get(), MPFR_RNDN);
  }
  mpfr_div_2ui(out.get(), out.get(), 1, MPFR_RNDN);
}

/// As `value_text`, of a number that a binary64 holds; else a hex float.
std::string number_text(const MpfrReal& number) {
  const double rounded = mpfr_get_d(number.get(), MPFR_RNDN);
  if (mpfr_cmp_d(number.get(), rounded) == 0) {
    return value_text(std::bit_cast<Bits>(rounded), Dtype::kF64);
  }
  char* text = nullptr;
  if (mpfr_asprintf(&text, "%Ra", number.get()) < 0) return {};
  std::string result = text;
  mpfr_free_str(text);
  return result;
}

class Steps {
 public:
  Steps(CastOperation operation, Bits input)
      : operation_(operation),
        input_(input),
        from_(traits(operation.from)),
        to_(traits(operation.to)),
        exact_(kDecodePrecision),
        midpoint_(kDecodePrecision + 8) {}

  CastSteps take() {
    steps_.exact = value_text(input_, operation_.from);
    if (!from_.is_finite(input_)) return steps_;
    steps_.is_finite = true;
    decode(input_, operation_.from, exact_);
    ExactCast cast(operation_);
    steps_.representable = cast.representable(input_);
    correct_ = cast(input_);
    if (steps_.representable) {
      steps_.below = steps_.above = correct_;
    } else {
      Among among(exact_, operation_.to);
      steps_.below = among.below();
      steps_.above = among.above();
      if (steps_.below && steps_.above) {
        halfway(*steps_.below, *steps_.above, operation_.to, midpoint_);
        steps_.midpoint = number_text(midpoint_);
        steps_.side = mpfr_cmp(exact_.get(), midpoint_.get());
      }
    }
    if (to_.is_floating()) {
      floating_rules();
    } else {
      integer_rules();
    }
    return steps_;
  }

 private:
  void add(std::string_view rule, Bits bits) { steps_.rounded.push_back({rule, bits}); }

  bool is_negative() const { return mpfr_signbit(exact_.get()) != 0; }

  void floating_rules() {
    const Bits sign = is_negative() ? to_.sign_mask() : 0;
    const Bits nearer_zero = is_negative() ? *steps_.above : *steps_.below;
    const Bits farther = is_negative() ? *steps_.below : *steps_.above;
    const int away = is_negative() ? -steps_.side : steps_.side;
    add("to nearest, ties to even", correct_);
    add("to nearest, ties away from zero", away >= 0 ? farther : nearer_zero);
    add("toward zero", nearer_zero);
    add("away from zero", farther);
    add("up", *steps_.above);
    add("down", *steps_.below);
    const bool wider = from_.precision > traits(Dtype::kF32).precision;
    if (wider && operation_.to != Dtype::kF32 && to_.precision < traits(Dtype::kF32).precision) {
      const Bits single = ExactCast({operation_.from, Dtype::kF32, Rounding::kNearestEven})(input_);
      add("to nearest even over f32, rounded twice",
          ExactCast({Dtype::kF32, operation_.to, Rounding::kNearestEven})(single));
    }
    if (to_.is_subnormal(correct_) || from_.is_subnormal(input_)) {
      add("subnormals flushed to zero", sign);
    }
    if (to_.is_infinite(correct_)) {
      add("saturated to the largest finite number", sign | to_.max_finite());
    }
  }

  void integer_rules() {
    add("toward zero, the nearest end out of range", correct_);
    MpfrReal whole(kDecodePrecision + 8);
    if (steps_.below && steps_.above) {
      mpfr_rint(whole.get(), exact_.get(), MPFR_RNDN);  // ties to even
      add("to nearest, ties to even", mpfr_get_uj(whole.get(), MPFR_RNDN));
      mpfr_round(whole.get(), exact_.get());
      add("to nearest, ties away from zero", mpfr_get_uj(whole.get(), MPFR_RNDN));
      add("up", *steps_.above);
      add("down", *steps_.below);
      return;
    }
    // What comes of a conversion through a wider or a signed integer.
    mpfr_trunc(whole.get(), exact_.get());
    if (mpfr_fits_intmax_p(whole.get(), MPFR_RNDZ) != 0) {
      add("toward zero, modulo a power of two",
          static_cast<Bits>(mpfr_get_sj(whole.get(), MPFR_RNDZ)) & to_.all_mask());
    }
    add("zero out of range", 0);
    add("the pattern that x86 gives for an invalid conversion", Bits{1} << (to_.width - 1));
    add("all bits set out of range", to_.all_mask());
  }

  CastOperation operation_;
  Bits input_;
  const DtypeTraits& from_;
  const DtypeTraits& to_;
  MpfrReal exact_;
  MpfrReal midpoint_;
  Bits correct_ = 0;
  CastSteps steps_;
};

}  // namespace

CastSteps cast_steps(CastOperation operation, Bits input) {
  return Steps(operation, input).take();
}

}  // namespace assay::oracle
