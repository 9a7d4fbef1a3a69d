// A value, or why there is none. (std::expected belongs to a later C++.)
#pragma once

#include <utility>
#include <variant>

namespace assay::fkc {

/// Asking for a value or an error that is not there throws std::bad_variant_access.
template <typename T, typename E>
class Expected {
 public:
  // Implicit on purpose: a function returns either as it is.
  Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}  // NOLINT
  Expected(E error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  explicit operator bool() const { return content_.index() == 0; }
  const T& operator*() const { return std::get<0>(content_); }
  T& operator*() { return std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }
  /// Only where there is no value.
  const E& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, E> content_;
};

}  // namespace assay::fkc
