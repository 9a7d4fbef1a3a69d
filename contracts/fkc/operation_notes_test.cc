// What contracts leave open.
#include <fmt/format.h>

#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/files.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::file_text;
using testing::replaced;

/// "Kind line" of the notes.
std::vector<std::string> notes(const std::string& text) {
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : parse_document(text, "a").diagnostics) {
    if (diagnostic.severity != Severity::kNote) continue;
    found.push_back(fmt::format("{} {}", diagnostic.kind, diagnostic.line));
  }
  return found;
}

using List = std::vector<std::string>;

TEST_CASE("a kernel with faults is not said to leave something open") {
  const std::string text = file_text("contracts/broken/SilentOnZeroSign.fkc.md");
  CHECK_FALSE(notes(text).empty());
  CHECK(notes(replaced(text, "determinism: same_hardware_bitwise", "determinism: mostly")).empty());
}

TEST_CASE("what the published convolutions and the pooling leave open") {
  CHECK(notes(file_text("contracts/testdata/seeds/reference-conv-pool.fkc.txt")) ==
        List{"SilentOnZeroSign 25", "WeakConstraint 59", "SilentOnBiasOrder 60",
             "ContradictsItself 105", "SilentOnZeroSign 109", "AmbiguousConstraint 144",
             "SilentOnZeroSign 188", "ProseUnclear 205", "AmbiguousConstraint 226",
             "SilentOnZeroSign 263", "SilentOnNanWindow 331"});
  // Our text says itself that windows of NaNs are open, and where the bias is added.
  CHECK(notes(file_text("contracts/reference/conv-pool.fkc.md")).size() == 8);
  CHECK(notes(file_text("contracts/testdata/seeds/reference-cast.fkc.txt")).empty());
  CHECK(notes(file_text("contracts/reference/cast.fkc.md")).empty());
}

TEST_CASE("a note goes where its reason goes") {
  const std::string text = file_text("contracts/testdata/seeds/reference-conv-pool.fkc.txt");
  const auto without = [&](const std::string& changed, std::string_view kind) {
    std::size_t count = 0;
    for (const std::string& note : notes(changed)) count += note.starts_with(kind);
    return count;
  };
  CHECK(without(text, "WeakConstraint") == 1);
  CHECK(without(replaced(text, "\"divisible(x.dim[1], weight.dim[1])\"",
                         "\"dim[1]=x.dim[1] / groups\""),
                "WeakConstraint") == 0);
  CHECK(without(replaced(text, "\"same_as=x.dim[1]\" # weight", "\"dim[0]=x.dim[1]\" # weight"),
                "AmbiguousConstraint") == 1);
  CHECK(without(replaced(replaced(text, "contributes literal `T::zero()`", "contributes nothing"),
                         "zero padding adds T::zero()", "nothing"),
                "ContradictsItself") == 0);
  CHECK(without(replaced(text, "optional `bias [Cout]`", "`bias [Cout]`, which is added last"),
                "SilentOnBiasOrder") == 0);
  for (const char* order : {"first", "last"}) {
    const std::string entries =
        fmt::format("audit:\n  accumulator: nested_sum\n  bias: {}\n", order);
    std::string stated = file_text("contracts/broken/SilentOnBiasOrder.fkc.md");
    CHECK(without(stated, "SilentOnBiasOrder") == 1);
    stated = replaced(stated, "determinism: same_hardware_bitwise\n",
                      "determinism: same_hardware_bitwise\n" + entries);
    CHECK(without(stated, "SilentOnBiasOrder") == 0);
  }
  CHECK(without(replaced(text, "NaN follows T::max semantics",
                         "NaN follows T::max semantics. A window of NaNs gives one"),
                "SilentOnNanWindow") == 0);
  // A transposed convolution whose weight has the wrong channel count is no convolution.
  CHECK(without(replaced(text, "shape_constraint: \"same_as=x.dim[1]\" # weight", "# weight"),
                "WeakConstraint") == 2);
}

}  // namespace
}  // namespace assay::fkc
