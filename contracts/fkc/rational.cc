#include "contracts/fkc/rational.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace assay::fkc {

namespace {

// Products of two 64-bit integers, and sums of two such products, fit.
__extension__ using Wide = __int128;

/// Above 0 unless both are 0.
Wide greatest_common_divisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

bool fits(Wide value) {
  return value >= std::numeric_limits<std::int64_t>::min() &&
         value <= std::numeric_limits<std::int64_t>::max();
}

/// In lowest terms; `denominator` is not zero.
std::optional<Rational> reduced(Wide numerator, Wide denominator) {
  const Wide divisor = greatest_common_divisor(numerator, denominator);
  // The sign stands above.
  const Wide scale = denominator < 0 ? -divisor : divisor;
  numerator /= scale;
  denominator /= scale;
  if (!fits(numerator) || !fits(denominator)) return std::nullopt;
  return Rational::from_fraction(static_cast<std::int64_t>(numerator),
                                 static_cast<std::int64_t>(denominator));
}

}  // namespace

std::optional<Rational> Rational::from_fraction(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) return std::nullopt;
  const Wide divisor = greatest_common_divisor(numerator, denominator);
  const Wide scale = denominator < 0 ? -divisor : divisor;
  if (!fits(numerator / scale) || !fits(denominator / scale)) return std::nullopt;
  Rational result;
  result.numerator_ = static_cast<std::int64_t>(numerator / scale);
  result.denominator_ = static_cast<std::int64_t>(denominator / scale);
  return result;
}

std::optional<Rational> Rational::from_decimal(std::string_view text) {
  constexpr Wide kLimit = Wide{1} << 100;
  Wide numerator = 0;
  Wide denominator = 1;
  bool behind_point = false;
  for (const char c : text) {
    if (c == '.') {
      behind_point = true;
      continue;
    }
    numerator = numerator * 10 + (c - '0');
    if (behind_point) denominator *= 10;
    if (numerator > kLimit || denominator > kLimit) return std::nullopt;
  }
  return reduced(numerator, denominator);
}

std::optional<Rational> Rational::from_double(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  int exponent = 0;
  // 53 bits make the significand an integer.
  const auto significand = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  if (significand == 0) return Rational(0);
  if (exponent > 62 || exponent < -115) return std::nullopt;
  return exponent >= 0 ? reduced(Wide{significand} * (Wide{1} << exponent), 1)
                       : reduced(significand, Wide{1} << -exponent);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  const Wide left = Wide{a.numerator_} * b.denominator_;
  const Wide right = Wide{b.numerator_} * a.denominator_;
  return left < right   ? std::strong_ordering::less
         : left > right ? std::strong_ordering::greater
                        : std::strong_ordering::equal;
}

std::optional<Rational> add(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator_} * b.denominator_ + Wide{b.numerator_} * a.denominator_,
                 Wide{a.denominator_} * b.denominator_);
}

std::optional<Rational> subtract(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator_} * b.denominator_ - Wide{b.numerator_} * a.denominator_,
                 Wide{a.denominator_} * b.denominator_);
}

std::optional<Rational> multiply(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator_} * b.numerator_, Wide{a.denominator_} * b.denominator_);
}

std::optional<Rational> divide(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator_} * b.denominator_, Wide{a.denominator_} * b.numerator_);
}

std::optional<Rational> divide_down(const Rational& a, const Rational& b) {
  Wide numerator = Wide{a.numerator_} * b.denominator_;
  Wide denominator = Wide{a.denominator_} * b.numerator_;
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  Wide quotient = numerator / denominator;
  if (numerator % denominator < 0) --quotient;
  return reduced(quotient, 1);
}

Rational remainder(const Rational& a, const Rational& b) {
  return Rational(static_cast<std::int64_t>(Wide{a.numerator_} % b.numerator_));
}

std::string to_string(const Rational& value) {
  if (value.is_integer()) return fmt::format("{}", value.numerator());
  return fmt::format("{}/{}", value.numerator(), value.denominator());
}

}  // namespace assay::fkc
