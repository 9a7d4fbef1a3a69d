// A fuzzer's bytes as numbers and choices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace assay::fuzz {

/// Hands the bytes out from the front; where none are left, everything is zero. Choices take one
/// byte each, so that a mutation of that byte changes that choice and nothing else.
class ByteReader {
 public:
  ByteReader(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  bool empty() const { return rest_.empty(); }
  std::size_t size() const { return rest_.size(); }

  /// In the machine's byte order; with fewer bytes left than it has, the missing ones are zero.
  template <typename T>
  T number() {
    static_assert(std::is_integral_v<T>);
    T value{};
    const std::size_t bytes = std::min(sizeof(T), rest_.size());
    if (bytes > 0) std::memcpy(&value, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
    return value;
  }

  std::uint8_t byte() { return number<std::uint8_t>(); }
  /// 0 … n - 1; n is 1 to 256.
  std::size_t below(std::size_t n) { return byte() % n; }
  /// least … most, which are at most 255 apart.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(below(static_cast<std::size_t>(most - least + 1)));
  }

  std::string_view text() const {
    return {reinterpret_cast<const char*>(rest_.data()), rest_.size()};
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace assay::fuzz
