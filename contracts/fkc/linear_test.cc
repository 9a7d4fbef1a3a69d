// Memory is linear in the document, whatever it is made of. Allocations are counted, so that the
// test says the same on any machine.
#include <cstdlib>
#include <functional>
#include <new>

#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace {
std::size_t allocated_bytes = 0;
std::size_t allocations = 0;
}  // namespace

// The program's own allocation functions: the C++ standard lets a program replace them.
// Those of arrays call these.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocated_bytes += size;
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace assay::fkc {
namespace {

using testing::kSample;
using testing::replaced;
using testing::sample_with;

std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

/// `part` with its "@" replaced by the number of the repetition.
std::string numbered(const std::string& part, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += replaced(part, "@", std::to_string(i));
  return text;
}

struct Family {
  std::string_view name;
  std::function<std::string(std::size_t)> document;  ///< whose size is linear in the argument
};

const Family kFamilies[] = {
    {"good sections",
     [](std::size_t n) {
       std::string section(kSample.substr(kSample.find("## cast_a")));
       section = replaced(section, "kernel: cast_a", "kernel: cast_@");
       return std::string(kSample.substr(0, kSample.find("## cast_a"))) + numbered(section, n / 40);
     }},
    {"sections without a block",
     [](std::size_t n) { return std::string(kSample) + repeated("## x\n", n); }},
    {"lines of prose", [](std::size_t n) { return std::string(kSample) + repeated("x\n", n); }},
    {"fences that are not closed",
     [](std::size_t n) { return std::string(kSample) + repeated("```text\n## h\n", n); }},
    {"fences that are closed",
     [](std::size_t n) { return std::string(kSample) + repeated("~~~\n## h\n~~~\n", n); }},
    {"unknown keys",
     [](std::size_t n) { return sample_with("accept:\n", numbered("k@: 1\n", n) + "accept:\n"); }},
    {"one key again and again",
     [](std::size_t n) { return sample_with("accept:\n", repeated("k: 1\n", n) + "accept:\n"); }},
    {"parameters",
     [](std::size_t n) {
       return sample_with("{ variant: Cast }", "{ variant: Cast, fields: { " +
                                                   numbered("f@: { kind: u8 }, ", n) + "} }");
     }},
    {"parameters and formulas that name them",
     [](std::size_t n) {
       const std::string text =
           sample_with("{ variant: Cast }",
                       "{ variant: Cast, fields: { " + numbered("f@: { kind: u8 }, ", n) + "} }");
       return replaced(text, "n * (4 + 2)", "n" + numbered(" + f@", n) + numbered(" + g@", n));
     }},
    {"fast paths",
     [](std::size_t n) {
       return sample_with("in_place: false",
                          "fast_paths:\n" + repeated("    - { when: moon }\n", n));
     }},
    {"inputs",
     [](std::size_t n) {
       return sample_with("  op_params",
                          numbered("    - { name: i@, dtypes: [F32] }\n", n) + "  op_params");
     }},
    {"outputs",
     [](std::size_t n) {
       return sample_with("caps:\n", numbered("    - { name: o@, dtype_rule: fixed(F32), "
                                              "shape_rule: same_as(src) }\n",
                                              n) +
                                         "caps:\n");
     }},
    {"faults on one line",
     [](std::size_t n) { return sample_with("[F32]", "[" + repeated("no, ", n) + "F32]"); }},
    {"constraints",
     [](std::size_t n) {
       return sample_with(
           "rank: any", "rank: any\n      shape_constraint: \"" + repeated("same_as=g;", n) + "\"");
     }},
    {"a long formula",
     [](std::size_t n) { return sample_with("n * (4 + 2)", "n" + repeated(" * (4 + n)", n)); }},
    {"signs and brackets",
     [](std::size_t n) { return sample_with("n * (4 + 2)", repeated("-", n) + repeated("(", n)); }},
    {"a long text", [](std::size_t n) { return sample_with("A cast.", repeated("word ", n)); }},
    {"phrases in one sentence",
     [](std::size_t n) {
       return sample_with("A blurb.", repeated("via half::f16::from_f32 ", n));
     }},
    {"phrases that disagree in one sentence",
     [](std::size_t n) {
       return sample_with("A blurb.", repeated("rounds toward zero, NaN preserved, ", n));
     }},
    {"phrases in lines of comments",
     [](std::size_t n) {
       return sample_with("accept:\n", repeated("# NaN preserved\n", n) + "accept:\n");
     }},
    {"a text of many lines",
     [](std::size_t n) { return sample_with("\"A cast.\"", ">\n" + repeated("  word\n", n)); }},
    {"brackets in YAML",
     [](std::size_t n) { return sample_with("rank: any", "rank: " + repeated("[", n)); }},
    {"quotes", [](std::size_t n) { return sample_with("\"A cast.\"", repeated("\"a\" ", n)); }},
    {"comments",
     [](std::size_t n) { return sample_with("accept:\n", repeated("# c\n", n) + "accept:\n"); }},
    {"a document without indentation",
     [](std::size_t n) {
       return sample_with("  in_place: false\n  alignment_bytes: 64\n", numbered("k@: 1\n", n));
     }},
    {"an audit domain",
     [](std::size_t n) {
       return sample_with("  rounding: nearest_even\n",
                          "  caller_error: \"src < 1" + repeated(" or src < 1", n) + "\"\n");
     }},
};

struct Cost {
  double bytes_per_byte = 0;
  double allocations_per_byte = 0;
};

Cost cost_of(const std::string& text) {
  const std::size_t bytes_before = allocated_bytes;
  const std::size_t allocations_before = allocations;
  parse_document(text, "a");
  const auto size = static_cast<double>(text.size());
  return {static_cast<double>(allocated_bytes - bytes_before) / size,
          static_cast<double>(allocations - allocations_before) / size};
}

TEST_CASE("what a byte of a document costs does not grow with the document") {
  for (const Family& family : kFamilies) {
    const Cost small = cost_of(family.document(1000));
    const Cost large = cost_of(family.document(16000));
    INFO(family.name << ": " << small.bytes_per_byte << " and " << large.bytes_per_byte
                     << " bytes, " << small.allocations_per_byte << " and "
                     << large.allocations_per_byte << " allocations");
    // Vectors that double make a factor of up to two; something quadratic makes sixteen.
    CHECK(large.bytes_per_byte < 2.5 * small.bytes_per_byte + 1);
    CHECK(large.bytes_per_byte < 400);
    CHECK(large.allocations_per_byte < 1.5 * small.allocations_per_byte + 0.01);
  }
}

TEST_CASE("the good sections among those documents are read") {
  const Document document = parse_document(kFamilies[0].document(16000), "a");
  CHECK(document.kernels.size() == 400);
}

TEST_CASE("the counter itself sees what is not linear") {
  const auto quadratic = [](std::size_t n) {
    const std::size_t before = allocated_bytes;
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text = std::string(text) + "x";
    return static_cast<double>(allocated_bytes - before) / static_cast<double>(n);
  };
  CHECK(quadratic(16000) > 8 * quadratic(1000));
}

}  // namespace
}  // namespace assay::fkc
