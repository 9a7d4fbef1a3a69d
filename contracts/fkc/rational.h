// Exact arithmetic for shapes and constraints: fractions of 64-bit integers that say when they
// overflow.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::fkc {

/// A fraction in lowest terms. Every operation returns nothing where the result's numerator or
/// denominator leaves 64 bits; none has undefined behaviour.
class Rational {
 public:
  Rational() = default;
  explicit Rational(std::int64_t integer) : numerator_(integer) {}

  /// Nothing for a denominator of 0.
  static std::optional<Rational> from_fraction(std::int64_t numerator, std::int64_t denominator);
  /// `digits[.digits]`, as formulas write numbers.
  static std::optional<Rational> from_decimal(std::string_view text);
  /// The exact value of a finite double, if it fits.
  static std::optional<Rational> from_double(double value);

  std::int64_t numerator() const { return numerator_; }
  std::int64_t denominator() const { return denominator_; }
  bool is_integer() const { return denominator_ == 1; }
  bool is_zero() const { return numerator_ == 0; }
  bool is_negative() const { return numerator_ < 0; }

  friend bool operator==(const Rational&, const Rational&) = default;
  /// As real numbers, without overflow.
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

  friend std::optional<Rational> add(const Rational& a, const Rational& b);
  friend std::optional<Rational> subtract(const Rational& a, const Rational& b);
  friend std::optional<Rational> multiply(const Rational& a, const Rational& b);
  /// `b` must not be zero.
  friend std::optional<Rational> divide(const Rational& a, const Rational& b);
  /// The largest integer that is not above `a / b`; `b` must not be zero.
  friend std::optional<Rational> divide_down(const Rational& a, const Rational& b);
  /// With the sign of `a`, as C++ and Rust have it; both integers, `b` not zero.
  friend Rational remainder(const Rational& a, const Rational& b);

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;  ///< above 0
};

/// "7" or "7/2".
std::string to_string(const Rational& value);

}  // namespace assay::fkc
