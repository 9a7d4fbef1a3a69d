#include "reports/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "contracts/claim.h"
#include "reports/file_set.h"
#include "reports/markdown_text.h"
#include "reports/rates.h"
#include "reports/rollup.h"
#include "reports/text.h"

namespace assay {

namespace {

/// "src 0x0001 (1e-45), …, got 0x0000 (0), expected 0x0001 (…)", of tensors the first elements.
std::string counterexample_text(const Counterexample& found) {
  constexpr std::size_t kShown = 2;
  const auto tensor = [](const TensorRecord& record) {
    std::string text;
    for (std::size_t i = 0; i < record.bits.size() && i < kShown; ++i) {
      text += fmt::format(" {} ({})", record.bits[i],
                          i < record.values.size() ? record.values[i] : "?");
    }
    if (record.bits.size() > kShown) text += " ...";
    return text;
  };
  std::string text;
  for (const TensorRecord& input : found.inputs) {
    text += (text.empty() ? "" : ", ") + input.name + tensor(input);
  }
  text += ", got" + tensor(found.got);
  const std::string due = tensor(found.expected);
  return due.empty() ? text : text + ", expected" + due;
}

ComparedClaim compared_claim(const ClaimRecord& record, ComparedVariant& row) {
  ComparedClaim claim;
  claim.id = record.id;
  claim.verdict = to_string(record.verdict);
  claim.strength = short_strength(record.strength);
  claim.declared = record.declared;
  claim.violations = record.violations;
  claim.why = record.why;
  if (record.counterexample) {
    claim.counterexample = counterexample_text(*record.counterexample);
    claim.why = record.counterexample->why;
  }
  const Measured& measured = record.measured;
  if (measured.max_ulp_distance) {
    row.max_ulp_distance = std::max(*measured.max_ulp_distance, row.max_ulp_distance.value_or(0));
  }
  if (measured.max_ulp_error) {
    row.max_ulp_error = std::max(*measured.max_ulp_error, row.max_ulp_error.value_or(0));
  }
  return claim;
}

std::string stem(const std::string& path) {
  const std::string file = path.substr(path.find_last_of('/') + 1);
  return file.substr(0, file.find('.'));
}

/// Claims about calls and memory, which read as one: they are the same for every kernel.
bool is_about_calls(std::string_view id) {
  const auto kind = claim_kind_from_id(id);
  return kind && *kind >= ClaimKind::kDtypeRule;
}

/// The other claims that some row is judged by, in the order of `kClaims`.
std::vector<std::string> judged_claims(std::span<const ComparedVariant> rows) {
  std::vector<std::string> ids;
  for (const ClaimRow& row : kClaims) {
    const bool judged = std::ranges::any_of(rows, [&](const ComparedVariant& variant) {
      return std::ranges::any_of(variant.claims, [&](const ComparedClaim& claim) {
        return claim.id == row.id && claim.verdict != "unclaimed";
      });
    });
    if (judged && !is_about_calls(row.id)) ids.emplace_back(row.id);
  }
  return ids;
}

std::string verdict_cell(const ComparedVariant& row, const std::string& id) {
  const auto claim = std::ranges::find(row.claims, id, &ComparedClaim::id);
  if (claim == row.claims.end()) return "";
  if (claim->verdict == "unclaimed") {
    if (claim->violations == 0) return "-";
    return fmt::format("- ({} differ)", with_thousands(claim->violations));
  }
  const std::string text = fmt::format("{}, {}", md_text(claim->verdict), md_text(claim->strength));
  return claim->verdict == "upheld" ? text : "**" + text + "**";
}

/// "11 upheld", and by name those that are not.
std::string calls_cell(const ComparedVariant& row) {
  std::size_t upheld = 0;
  std::string others;
  for (const ComparedClaim& claim : row.claims) {
    if (!is_about_calls(claim.id) || claim.verdict == "unclaimed") continue;
    if (claim.verdict == "upheld") {
      ++upheld;
    } else {
      others += fmt::format(", **{} {}**", md_text(claim.id), md_text(claim.verdict));
    }
  }
  return fmt::format("{} upheld{}", upheld, others);
}

std::string error_text(const std::optional<double>& error) {
  if (!error) return "";
  return *error > 1e6 && *error < std::numeric_limits<double>::infinity()
             ? fmt::format("{:.2g}", *error)
             : fmt::format("{:.4g}", *error);
}

/// Three digits, and no power of ten but of what nobody measured.
std::string short_number(double value) {
  constexpr double kMost = 1e15;
  if (value < 999.5 || !(value < kMost)) return fmt::format("{:.3g}", value);
  return with_thousands(static_cast<std::uint64_t>(value + 0.5));
}

std::string rate_text(const ComparedVariant& row) {
  if (row.gflops_per_second > 0) return short_number(row.gflops_per_second) + " GFLOP/s";
  if (row.probes_per_second > 0) return short_number(row.probes_per_second / 1e6) + " M probes/s";
  return "";
}

std::string library_name(const ComparedVariant& row) {
  return row.library.empty() ? "built in" : row.library;
}

/// What was left out, with the reason: libraries, then kernels.
struct Skip {
  std::string library;
  std::string what;
  std::string reason;
};

std::vector<Skip> skips(std::span<const ComparedVariant> rows,
                        std::span<const ComparedLibrary> libraries) {
  std::vector<Skip> found;
  for (const ComparedLibrary& library : libraries) {
    std::string reason = library.skipped;
    if (reason.empty() &&
        std::ranges::find(rows, library.name, &ComparedVariant::library) == rows.end()) {
      reason = "none of the reports has a kernel of it";
    }
    if (!reason.empty()) found.push_back({library.name, library.description, reason});
  }
  for (const ComparedVariant& row : rows) {
    if (!row.not_run.empty()) found.push_back({library_name(row), row.kernel, row.not_run});
  }
  return found;
}

/// The rows that ran, by kernel, then library; variants as the report has them.
std::vector<const ComparedVariant*> sorted(std::span<const ComparedVariant> rows) {
  std::vector<const ComparedVariant*> order;
  for (const ComparedVariant& row : rows) {
    if (row.not_run.empty()) order.push_back(&row);
  }
  std::ranges::stable_sort(order, [](const ComparedVariant* a, const ComparedVariant* b) {
    return std::tie(a->kernel, a->library) < std::tie(b->kernel, b->library);
  });
  return order;
}

std::string table(std::span<const ComparedVariant> rows, const std::vector<Skip>& left_out) {
  const std::vector<std::string> ids = judged_claims(rows);
  std::vector<std::string> headings = {"Kernel", "Library", "Variant"};
  headings.insert(headings.end(), ids.begin(), ids.end());
  for (const char* heading : {"calls and memory", "Max ULP distance", "Max ULP error", "Rate"}) {
    headings.emplace_back(heading);
  }
  std::string text = md_head(headings);
  for (const ComparedVariant* row : sorted(rows)) {
    std::vector<std::string> cells = {md_text(row->kernel), md_text(library_name(*row)),
                                      md_text(row->variant)};
    for (const std::string& id : ids) cells.push_back(verdict_cell(*row, id));
    cells.push_back(calls_cell(*row));
    cells.push_back(row->max_ulp_distance ? with_thousands(*row->max_ulp_distance) : "");
    cells.push_back(error_text(row->max_ulp_error));
    cells.push_back(rate_text(*row));
    text += md_row(cells);
  }
  for (const Skip& skip : left_out) {
    std::vector<std::string> cells(headings.size());
    cells[0] = md_text(skip.what);
    cells[1] = md_text(skip.library);
    cells[2] = "skipped: " + md_text(skip.reason);
    text += md_row(cells);
  }
  return text;
}

std::string details(std::span<const ComparedVariant> rows) {
  std::string text;
  for (const ComparedVariant* row : sorted(rows)) {
    for (const ComparedClaim& claim : row->claims) {
      if (claim.verdict == "upheld" || claim.verdict == "unclaimed") continue;
      text += fmt::format("- **{}** `{}` of {} {} ({})", md_text(claim.verdict), md_text(claim.id),
                          md_text(library_name(*row)), md_text(row->kernel), md_text(row->variant));
      if (!claim.declared.empty()) text += ", declared " + md_code(claim.declared);
      for (const std::string& part : {claim.counterexample, claim.why}) {
        if (!part.empty()) text += ": " + md_text(part);
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace

std::vector<ComparedLibrary> read_library_list(std::string_view text) {
  std::vector<ComparedLibrary> libraries;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty()) continue;
    const std::size_t first = line.find('\t');
    const std::size_t second = first == line.npos ? line.npos : line.find('\t', first + 1);
    if (second == line.npos || first == 0) {
      throw ReportError(fmt::format(
          "line {} of the list of libraries is not NAME, DESCRIPTION and REASON between tabs",
          number));
    }
    libraries.push_back({std::string(line.substr(0, first)),
                         std::string(line.substr(first + 1, second - first - 1)),
                         std::string(line.substr(second + 1))});
  }
  return libraries;
}

std::vector<ComparedVariant> compared_variants(const RunRecord& record) {
  std::vector<ComparedVariant> rows;
  for (const KernelRecord& kernel : record.kernels) {
    ComparedVariant common;
    common.library = stem(kernel.library);
    common.kernel = kernel.kernel;
    if (was_not_run(kernel)) common.not_run = not_run_reason(kernel);
    if (!common.not_run.empty()) rows.push_back(common);
    for (const VariantRecord& variant : kernel.variants) {
      ComparedVariant row = common;
      row.variant = variant.name;
      if (std::isfinite(variant.probes_per_second)) {
        row.probes_per_second = variant.probes_per_second;
      }
      for (const ClaimRecord& claim : variant.claims) {
        row.claims.push_back(compared_claim(claim, row));
      }
      for (const RateRecord& rate : variant.rates) {
        const std::optional<double> speed = giga_per_second(rate.flops, rate.seconds);
        row.gflops_per_second = std::max(row.gflops_per_second, speed.value_or(0));
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

RenderedFile comparison_page(std::span<const ComparedVariant> rows,
                             std::span<const ComparedLibrary> libraries) {
  const std::vector<Skip> left_out = skips(rows, libraries);
  std::string text = "# Comparison of libraries\n\n";
  text += table(rows, left_out);
  text +=
      "\nA claim's cell has the verdict and how it was tested: all inputs (exhaustive), every "
      "rounding boundary of the output format (boundary), or a sample. `-`: the library's "
      "documentation does not say, so there is nothing to judge; `(N differ)` after it counts the "
      "probes whose result is not what the claim would ask for if it were made. The ULP distance "
      "is the largest "
      "number of steps between a result and the correctly rounded one, and the ULP error the "
      "largest distance from the exact value; both are measured whether they are promised or not, "
      "and of sums that cancel say little. Rates of casts are of probes checked in a second of "
      "processor time, the check included, so that only rows tested alike compare; others are the "
      "kernel's own, of its fastest timed call.\n";
  const std::string fallen = details(rows);
  text += "\n## Claims that are not upheld\n\n" + (fallen.empty() ? "None.\n" : fallen);
  text += "\n## Libraries\n\n";
  for (const ComparedLibrary& library : libraries) {
    text += fmt::format("- {}: {}\n", md_text(library.name), md_text(library.description));
  }
  return {"comparison.md", text};
}

std::string comparison_summary(std::span<const ComparedVariant> rows,
                               std::span<const ComparedLibrary> libraries) {
  struct Line {
    std::string kernel, library;
    std::size_t variants = 0, upheld = 0, refuted = 0, measured = 0, open = 0;
    std::optional<std::uint64_t> ulp;
  };
  std::vector<Line> lines;
  for (const ComparedVariant* row : sorted(rows)) {
    if (lines.empty() || lines.back().kernel != row->kernel ||
        lines.back().library != library_name(*row)) {
      lines.emplace_back();
      lines.back().kernel = row->kernel;
      lines.back().library = library_name(*row);
    }
    Line& line = lines.back();
    ++line.variants;
    for (const ComparedClaim& claim : row->claims) {
      std::size_t& count = claim.verdict == "upheld"      ? line.upheld
                           : claim.verdict == "refuted"   ? line.refuted
                           : claim.verdict == "unclaimed" ? line.measured
                                                          : line.open;
      ++count;
    }
    if (row->max_ulp_distance) {
      line.ulp = std::max(*row->max_ulp_distance, line.ulp.value_or(0));
    }
  }
  std::string text =
      fmt::format("{:<22} {:<18} {:>8} {:>6} {:>7} {:>8} {:>5} {:>13}\n", "kernel", "library",
                  "variants", "upheld", "refuted", "measured", "open", "max ULP");
  std::size_t refuted = 0;
  for (const Line& line : lines) {
    refuted += line.refuted;
    text +=
        fmt::format("{:<22} {:<18} {:>8} {:>6} {:>7} {:>8} {:>5} {:>13}\n", one_line(line.kernel),
                    one_line(line.library), line.variants, line.upheld, line.refuted, line.measured,
                    line.open, line.ulp ? with_thousands(*line.ulp) : "");
  }
  const std::vector<Skip> left_out = skips(rows, libraries);
  for (const Skip& skip : left_out) {
    text += fmt::format("{:<22} {:<18} skipped: {}\n", one_line(skip.what), one_line(skip.library),
                        one_line(skip.reason));
  }
  text += fmt::format("{} compared, {} refuted, {} skipped\n", counted(lines.size(), "kernel"),
                      counted(refuted, "claim"), left_out.size());
  return text;
}

}  // namespace assay
