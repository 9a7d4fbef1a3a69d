// Arrays of NumPy's, and other bytes.
#include "audit/explain/npy.h"

#include <random>

#include "audit/options.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

/// A file as NumPy writes it: magic, version, length of the header, header, elements.
std::string file(const std::string& header, const std::string& elements, int major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(major);
  bytes += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
    bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  return bytes + header + elements;
}

std::string header(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }     \n";
}

std::string refusal(const std::string& bytes) {
  try {
    static_cast<void>(npy_array(bytes, "a.npy"));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kTwo("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);  // 1, -2

TEST_CASE("arrays of all versions and formats are read, little-endian and row-major") {
  for (const int major : {1, 2, 3}) {
    const NpyArray array = npy_array(file(header("<f4", "(2,)"), kTwo, major), "a.npy");
    CHECK(array.dtype == Dtype::kF32);
    CHECK(array.shape == std::vector<std::int64_t>{2});
    CHECK(array.elements == std::vector<Bits>{0x3f800000, 0xc0000000});
  }
  const NpyArray half = npy_array(file(header("<f2", "(1, 2, 2)"), kTwo), "a.npy");
  CHECK(half.dtype == Dtype::kF16);
  CHECK(half.shape == std::vector<std::int64_t>{1, 2, 2});
  CHECK(half.elements == std::vector<Bits>{0, 0x3f80, 0, 0xc000});
  CHECK(npy_array(file(header("<f8", "()"), kTwo), "a.npy").elements ==
        std::vector<Bits>{0xc00000003f800000});
  CHECK(npy_array(file(header("<u4", "(2, 1)"), kTwo), "a.npy").dtype == Dtype::kU32);
  CHECK(npy_array(file(header("<f4", "(0, 7)"), ""), "a.npy").elements.empty());
}

TEST_CASE("other arrays, and what is none, are refused with the reason") {
  CHECK(has(refusal(""), "does not begin"));
  CHECK(has(refusal("PK\x03\x04 an archive"), "does not begin"));
  CHECK(has(refusal(std::string("\x93NUMPY")), "ends in its header"));
  CHECK(has(refusal(file(header("<f4", "(2,)"), kTwo, 4)), "its format is 4.0"));
  CHECK(has(refusal(std::string("\x93NUMPY\x01\x00\xff\xff{", 11)), "ends in its header"));
  CHECK(has(refusal(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)), "4294967295 bytes"));
  CHECK(has(refusal(file(header(">f4", "(2,)"), kTwo)), "its elements are of '>f4'"));
  CHECK(has(refusal(file(header("|O", "(2,)"), kTwo)), "its elements are of '|O'"));
  CHECK(has(refusal(file("{'descr': [('a', '<f4')], }", kTwo)), "fields"));
  CHECK(has(refusal(file("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", kTwo)),
            "Fortran"));
  CHECK(has(refusal(file("{'descr': '<f4', 'shape': (2,), }", kTwo)), "lacks"));
  CHECK(has(refusal(file("{'descr': '<f4', 'descr': '<f4', }", kTwo)), "the key 'descr'"));
  CHECK(has(refusal(file(header("<f4", "(2,)") + "x", kTwo)), "goes on"));
  CHECK(has(refusal(file(header("<f4", "(3,)"), kTwo)), "12 bytes of elements, and it has 8"));
  CHECK(has(refusal(file(header("<f4", "(1,)"), kTwo)), "4 bytes of elements, and it has 8"));
  CHECK(has(refusal(file(header("<f4", "(-2,)"), kTwo)), "no whole number"));
  CHECK(has(refusal(file(header("<f4", "(9223372036854775807, 2)"), kTwo)), "more than"));
  CHECK(has(refusal(file(header("<f4", "(99999999999999999999)"), kTwo)), "no whole number"));
  CHECK(has(refusal(file(header("<f4", "(0, 4194304, 4194304)"), "")), "more than"));
}

TEST_CASE("any change of a file's header is read or refused, and crashes nothing") {
  const std::string whole = file(header("<f4", "(2,)"), kTwo);
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = whole;
    bytes[random() % (bytes.size() - 8)] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    static_cast<void>(refusal(bytes));
  }
  for (std::size_t n = 0; n < whole.size(); ++n) REQUIRE(refusal(whole.substr(0, n)) != "accepted");
}

}  // namespace
}  // namespace assay
