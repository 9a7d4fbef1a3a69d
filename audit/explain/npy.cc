#include "audit/explain/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "audit/options.h"
#include "audit/regular_file.h"
#include "contracts/unicode.h"

namespace assay {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostHeader = 65536;
constexpr std::int64_t kMostElements = std::int64_t{1} << 22;
constexpr std::size_t kMostAxes = 32;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

struct Descr {
  std::string_view text;
  Dtype dtype;
};
constexpr std::array<Descr, 4> kDescrs = {
    {{"<f2", Dtype::kF16}, {"<f4", Dtype::kF32}, {"<f8", Dtype::kF64}, {"<u4", Dtype::kU32}}};

/// Reads the header, a Python dictionary of three entries, from left to right.
class Header {
 public:
  Header(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  void read(NpyArray& array) {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !descr_) {
        read_descr(array);
      } else if (key == "fortran_order" && !order_) {
        read_order();
      } else if (key == "shape" && !shape_) {
        read_shape(array);
      } else {
        fail(fmt::format("its header has the key '{}' there", one_line(key.substr(0, 40))));
      }
      if (accept('}')) break;
      expect(',');
    }
    skip();
    if (!rest_.empty()) fail("its header goes on behind the '}'");
    if (!descr_ || !order_ || !shape_) fail("its header lacks descr, fortran_order or shape");
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw UsageError(fmt::format("{} is no array that is read here: {}", name_, why));
  }

 private:
  void skip() {
    const std::size_t at = rest_.find_first_not_of(" \t\n\r");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
  }
  bool accept(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("its header lacks a '{}'", c));
  }
  std::string_view quoted() {
    skip();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    const std::size_t end = rest_.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos) {
      fail("its header lacks a word in quotes");
    }
    const std::string_view word = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return word;
  }

  void read_descr(NpyArray& array) {
    skip();
    if (rest_.starts_with('[')) fail("it has fields; an array of one format is due");
    const std::string_view text = quoted();
    const auto known = std::ranges::find(kDescrs, text, &Descr::text);
    if (known == kDescrs.end()) {
      fail(fmt::format("its elements are of '{}'; read are '<f2', '<f4', '<f8' and '<u4'",
                       one_line(text.substr(0, 40))));
    }
    array.dtype = known->dtype;
    descr_ = true;
  }

  void read_order() {
    skip();
    if (rest_.starts_with("True")) fail("it is in Fortran's order; save it in C order");
    if (!rest_.starts_with("False")) fail("fortran_order is neither True nor False");
    rest_.remove_prefix(5);
    order_ = true;
  }

  void read_shape(NpyArray& array) {
    expect('(');
    std::int64_t elements = 1;
    while (!accept(')')) {
      skip();
      std::int64_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error != std::errc() || extent < 0) fail("an extent of its shape is no whole number");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      if (extent > kMostElements || elements * std::max<std::int64_t>(extent, 1) > kMostElements ||
          array.shape.size() == kMostAxes) {
        fail(fmt::format("it has more than {} elements, or {} axes", kMostElements, kMostAxes));
      }
      elements *= std::max<std::int64_t>(extent, 1);
      array.shape.push_back(extent);
      if (accept(')')) break;
      expect(',');
    }
    shape_ = true;
  }

  std::string_view rest_;
  const std::string& name_;
  bool descr_ = false;
  bool order_ = false;
  bool shape_ = false;
};

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

}  // namespace

NpyArray npy_array(const std::string& bytes, const std::string& name) {
  std::string_view rest = bytes;
  NpyArray array;
  const Header before({}, name);
  if (!rest.starts_with(kMagic)) before.fail("it does not begin as a .npy file does");
  rest.remove_prefix(kMagic.size());
  if (rest.size() < 2) before.fail("it ends in its header");
  const int major = static_cast<unsigned char>(rest[0]);
  const int minor = static_cast<unsigned char>(rest[1]);
  if (major < 1 || major > 3 || minor != 0) {
    before.fail(fmt::format("its format is {}.{}; read are 1.0, 2.0 and 3.0", major, minor));
  }
  rest.remove_prefix(2);
  const std::size_t wide = major == 1 ? 2 : 4;
  if (rest.size() < wide) before.fail("it ends in its header");
  const std::uint64_t length = little_endian(rest.substr(0, wide));
  rest.remove_prefix(wide);
  if (length > kMostHeader) before.fail(fmt::format("its header has {} bytes", length));
  if (length > rest.size()) before.fail("it ends in its header");
  Header(rest.substr(0, static_cast<std::size_t>(length)), name).read(array);
  rest.remove_prefix(static_cast<std::size_t>(length));

  std::size_t elements = 1;
  for (const std::int64_t extent : array.shape) elements *= static_cast<std::size_t>(extent);
  const auto size = static_cast<std::size_t>(traits(array.dtype).bytes());
  if (rest.size() != elements * size) {
    before.fail(fmt::format("its shape stands for {} bytes of elements, and it has {}",
                            elements * size, rest.size()));
  }
  array.elements.reserve(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    array.elements.push_back(little_endian(rest.substr(i * size, size)));
  }
  return array;
}

NpyArray read_npy(const std::string& path) {
  const std::string name = one_line(path);
  std::string bytes;
  switch (read_regular_file(path, kMostBytes, bytes)) {
    case FileFault::kNone:
      break;
    case FileFault::kMissing:
      throw UsageError(fmt::format("{}: there is no such file", name));
    case FileFault::kTooLarge:
      throw UsageError(fmt::format("{} is too large: at most {} bytes are read", name, kMostBytes));
    case FileFault::kUnreadable:
      throw UsageError(fmt::format("{} cannot be read", name));
  }
  return npy_array(bytes, name);
}

}  // namespace assay
