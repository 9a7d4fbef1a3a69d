// What a section stands for when it is registered.
#include "contracts/fkc/document.h"
#include "contracts/fkc/testing/sample.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using testing::listing;
using testing::replaced;
using testing::sample_with;

std::vector<Binding> bindings_of(const std::string& text) {
  const Document document = parse_document(text, "a");
  INFO(listing(document));
  REQUIRE(document.kernels.size() == 1);
  return document.kernels[0].bindings();
}

using Words = std::vector<std::string>;

TEST_CASE("without several dtypes the entry point is the symbol") {
  const auto bindings = bindings_of(std::string(testing::kSample));
  REQUIRE(bindings.size() == 1);
  CHECK(bindings[0].entry_point == "lib::cast_a");
  CHECK(bindings[0].inputs == Words{"F32"});
  CHECK(bindings[0].outputs == Words{"F16"});
}

TEST_CASE("operands of several dtypes vary together, one binding each") {
  const std::string other =
      "      rank: any\n    - name: b\n      dtypes: [BF16, F8E4M3]\n"
      "      layout: { contiguous: required }\n    - name: c\n      dtypes: [U32]\n";
  std::string text = sample_with("dtypes: [F32]", "dtypes: [BF16, F8E4M3]");
  text = replaced(text, "      rank: any\n", other);
  text = replaced(text, "fixed(F16)", "passthrough(b)");
  const auto bindings = bindings_of(text);
  REQUIRE(bindings.size() == 2);
  CHECK(bindings[0].entry_point == "lib::cast_a_bf16");
  CHECK(bindings[0].inputs == Words{"BF16", "BF16", "U32"});
  CHECK(bindings[0].outputs == Words{"BF16"});
  CHECK(bindings[1].entry_point == "lib::cast_a_f8e4m3");
  CHECK(bindings[1].inputs == Words{"F8E4M3", "F8E4M3", "U32"});
  CHECK(bindings[1].outputs == Words{"F8E4M3"});
}

TEST_CASE("a dtype class stands for its dtypes") {
  const auto bindings = bindings_of(sample_with("dtypes: [F32]", "dtype_class: float"));
  REQUIRE(bindings.size() == 4);
  CHECK(bindings[0].entry_point == "lib::cast_a_bf16");
  CHECK(bindings[3].entry_point == "lib::cast_a_f64");
  CHECK(bindings[3].outputs == Words{"F16"});
  CHECK(bindings_of(sample_with("dtypes: [F32]", "dtype_class: uint")).size() == 2);
  CHECK(bindings_of(sample_with("dtypes: [F32]", "dtype_class: int")).size() == 4);
  // "any" means what is listed.
  CHECK(bindings_of(sample_with("dtypes: [F32]", "dtypes: [F32]\n      dtype_class: any")).size() ==
        1);
}

TEST_CASE("an optional last operand has two keys, and one symbol") {
  std::string text = sample_with("      rank: any\n",
                                 "      rank: any\n    - name: bias\n      dtypes: [F32, F64]\n"
                                 "      optional: true\n");
  text = replaced(text, "dtypes: [F32]\n", "dtypes: [F32, F64]\n");
  const auto bindings = bindings_of(text);
  REQUIRE(bindings.size() == 4);
  CHECK(bindings[0].entry_point == "lib::cast_a_f32");
  CHECK(bindings[0].inputs == Words{"F32", "F32"});
  CHECK(bindings[1].entry_point == "lib::cast_a_f32");
  CHECK(bindings[1].inputs == Words{"F32"});
  CHECK(bindings[3].inputs == Words{"F64"});
  CHECK(bindings[3].outputs == Words{"F16"});
}

TEST_CASE("of a bundle the first slot is the key, and a rule over parameters leaves it open") {
  std::string text = sample_with("  outputs:\n", "  bundle:\n");
  text = replaced(text, "      aliasing: none\n",
                  "    - { name: state, dtype_rule: fixed(F64), shape_rule: same_as(src) }\n");
  CHECK(bindings_of(text)[0].outputs == Words{"F16"});
  CHECK(bindings_of(sample_with("fixed(F16)", "cast(dtype)"))[0].outputs == Words{""});
}

TEST_CASE("a section that only describes keeps all of its parts") {
  std::string text = sample_with("op_kind: Cast\n", "op_kind: Reshape\nregistrable: false\n");
  CHECK(bindings_of(text).size() == 1);
  text = replaced(
      text, text.substr(text.find("  inputs:"), text.find("  op_params") - text.find("  inputs:")),
      "  inputs: []\n");
  text = replaced(text, "same_as(src)", "from_params(n)");
  const auto bindings = bindings_of(text);
  REQUIRE(bindings.size() == 1);
  CHECK(bindings[0].inputs.empty());
}

}  // namespace
}  // namespace assay::fkc
