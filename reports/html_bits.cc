#include "reports/html_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "contracts/dtype.h"
#include "reports/evidence_text.h"
#include "reports/html_text.h"
#include "reports/text.h"

namespace assay {

namespace {

/// Elements of a tensor that are laid out; the others are told by number.
constexpr std::size_t kLaidOut = 8;

const DtypeTraits* format_named(const std::string& name) {
  const auto* found = std::ranges::find(kDtypes, std::string_view(name), &DtypeTraits::name);
  return found == kDtypes.end() ? nullptr : found;
}

/// Records may be read from a file: bits that are none give nothing.
std::optional<Bits> bits_of(const std::string& hex) {
  Bits bits = 0;
  if (!hex.starts_with("0x")) return std::nullopt;
  const char* end = hex.data() + hex.size();
  const auto [stopped, error] = std::from_chars(hex.data() + 2, end, bits, 16);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return bits;
}

/// Bits high … low - 1 of `bits`, those that differ from `due` marked.
std::string field(Bits bits, std::optional<Bits> due, int high, int low) {
  std::string out = "<span class=\"bits\">";
  bool marked = false;
  for (int i = high - 1; i >= low; --i) {
    const bool differs = due && ((bits ^ *due) >> i & 1) != 0;
    if (differs != marked) out += differs ? "<mark>" : "</mark>";
    marked = differs;
    out += (bits >> i & 1) != 0 ? '1' : '0';
  }
  return out + (marked ? "</mark></span>" : "</span>");
}

class Layout {
 public:
  Layout()
      : table_("The case, bit by bit",
               {"what", "bits", "sign", "exponent", "significand", "value"}) {}

  void text(const std::string& what, const std::string& value) {
    table_.add({html_text(what), "", "", "", "", html_text(value)});
  }

  void element(const std::string& what, const std::string& dtype, const std::string& hex,
               const std::string& value, std::optional<Bits> due = std::nullopt,
               std::string_view row_class = "") {
    const DtypeTraits* format = format_named(dtype);
    const std::optional<Bits> bits = bits_of(hex);
    std::vector<std::string> cells = {html_text(what), html_code(hex), "", "", "",
                                      html_text(value)};
    if (format != nullptr && bits && format->is_floating()) {
      const int fraction = format->fraction_bits();
      cells[2] = field(*bits, due, format->width, format->width - 1);
      cells[3] = field(*bits, due, format->width - 1, fraction);
      cells[4] = field(*bits, due, fraction, 0);
    } else if (format != nullptr && bits) {
      cells[4] = field(*bits, due, format->width, 0);
    }
    table_.add(cells, row_class);
  }

  void tensor(const std::string& what, const TensorRecord& record,
              const TensorRecord* due = nullptr, std::string_view row_class = "") {
    const std::size_t recorded = std::max(record.bits.size(), record.values.size());
    const std::string type = tensor_type(record);
    for (std::size_t i = 0; i < std::min(recorded, kLaidOut); ++i) {
      const std::string hex = i < record.bits.size() ? record.bits[i] : "";
      std::optional<Bits> expected;
      if (due != nullptr && i < due->bits.size()) expected = bits_of(due->bits[i]);
      element(recorded == 1 ? fmt::format("{}, {}", what, type)
                            : fmt::format("{}, {}, element {}", what, type, i),
              record.dtype, hex, i < record.values.size() ? record.values[i] : "", expected,
              i == 0 ? row_class : "");
    }
    if (recorded > kLaidOut) {
      text(what, fmt::format("{} more of {}", counted(recorded - kLaidOut, "element"), type));
    }
    if (recorded == 0) text(what, type + ": nothing recorded");
  }

  std::string html() const { return table_.html(); }

 private:
  HtmlTable table_;
};

void lay_out_exact(Layout& layout, const ExactRecord& exact, const std::string& dtype) {
  layout.text("exact value", exact.value);
  const bool representable = exact.below && exact.above && exact.below->bits == exact.above->bits;
  if (representable) {
    layout.element("the same in " + dtype, dtype, exact.below->bits, exact.below->value);
    return;
  }
  if (exact.below) {
    layout.element("neighbour below", dtype, exact.below->bits, exact.below->value);
  }
  if (!exact.midpoint.empty()) layout.text("halfway", exact.midpoint);
  if (exact.above) {
    layout.element("neighbour above", dtype, exact.above->bits, exact.above->value);
  }
}

}  // namespace

std::string html_counterexample(const Counterexample& example) {
  Layout layout;
  for (const TensorRecord& input : example.inputs) layout.tensor("input " + input.name, input);
  if (example.exact) lay_out_exact(layout, *example.exact, example.got.dtype);
  const bool has_expected = !example.expected.bits.empty() || !example.expected.values.empty();
  if (has_expected) layout.tensor("expected", example.expected, nullptr, "got");
  layout.tensor("got", example.got, has_expected ? &example.expected : nullptr, "got");
  std::string out = layout.html();
  std::vector<std::pair<std::string, std::string>> facts;
  if (example.ulp_distance) {
    facts.emplace_back("ULP distance", with_thousands(*example.ulp_distance));
  }
  for (const ParameterRecord& param : example.params) {
    facts.emplace_back(param.name, html_code(param.value));
  }
  if (!facts.empty()) out += html_facts(facts);
  return out + fmt::format("<p>Why: {}.</p>\n", html_text(example.why));
}

}  // namespace assay
