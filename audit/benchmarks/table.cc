#include "audit/benchmarks/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "audit/machine.h"

namespace assay::benchmarks {

namespace {

/// Three or more significant digits, never an exponent.
std::string number(double value) {
  const double size = std::abs(value);
  if (size >= 100 || value == 0) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.01 ? 3 : 6);
}

std::string with_unit(double value, const std::string& unit) {
  return number(value) + (unit.empty() ? "" : " " + unit);
}

std::string target_text(const Row& row) {
  switch (row.target.kind) {
    case Target::Kind::kAtLeast:
      return ">= " + with_unit(row.target.value, row.unit);
    case Target::Kind::kAtMost:
      return "<= " + with_unit(row.target.value, row.unit);
    case Target::Kind::kNone:
      return "";
  }
  return "";
}

const char* outcome(const Measured& measured) {
  if (!measured.failed.empty()) return "FAILED";
  if (!measured.skipped.empty()) return "skipped";
  if (measured.row->target.kind == Target::Kind::kNone) return "";
  return measured.missed() ? "MISSED" : "met";
}

std::string beside(const Measured& measured) {
  if (!measured.failed.empty()) return measured.failed;
  if (!measured.skipped.empty()) return measured.skipped;
  std::string text;
  if (measured.row->repetitions > 1) {
    text = fmt::format("{} to {}", number(measured.least), number(measured.most));
  }
  for (const auto& [name, value] : measured.median.beside) {
    const std::size_t comma = name.rfind(", ");
    text += fmt::format("{}{} {}{}", text.empty() ? "" : "; ", name.substr(0, comma), number(value),
                        comma == std::string::npos ? "" : " " + name.substr(comma + 2));
  }
  if (!measured.row->reduced.empty()) {
    text += (text.empty() ? "reduced: " : "; reduced: ") + measured.row->reduced;
  }
  return text;
}

}  // namespace

std::string table(const std::vector<Measured>& measured) {
  std::vector<std::array<std::string, 5>> cells = {
      {"what", "measured", "target", "", "least to most; beside it"}};
  for (const Measured& one : measured) {
    const bool known = one.failed.empty() && one.skipped.empty();
    cells.push_back({one.row->what, known ? with_unit(one.median.figure, one.row->unit) : "-",
                     target_text(*one.row), outcome(one), beside(one)});
  }
  std::array<std::size_t, 5> widths{};
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const auto& line : cells) {
    text += fmt::format("{:<{}}  {:>{}}  {:<{}}  {:<{}}  {}\n", line[0], widths[0], line[1],
                        widths[1], line[2], widths[2], line[3], widths[3], line[4]);
  }
  return text;
}

std::string json(const std::vector<Measured>& measured) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Measured& one : measured) {
    const Row& row = *one.row;
    nlohmann::ordered_json entry = {{"name", row.name}, {"what", row.what}, {"unit", row.unit}};
    if (row.target.kind != Target::Kind::kNone) {
      entry["target"] = {
          {row.target.kind == Target::Kind::kAtLeast ? "at_least" : "at_most", row.target.value}};
      entry["met"] = one.skipped.empty() ? nlohmann::ordered_json(!one.missed()) : nullptr;
    }
    if (!row.reduced.empty()) entry["reduced"] = row.reduced;
    if (!one.failed.empty()) {
      entry["failed"] = one.failed;
    } else if (!one.skipped.empty()) {
      entry["skipped"] = one.skipped;
    } else {
      entry["repetitions"] = row.repetitions;
      entry["median"] = one.median.figure;
      entry["least"] = one.least;
      entry["most"] = one.most;
      nlohmann::ordered_json others = nlohmann::ordered_json::object();
      for (const auto& [name, value] : one.median.beside) others[name] = value;
      entry["beside"] = others;
    }
    rows.push_back(entry);
  }
  const ToolRecord tool = describe_tool();
  const MachineRecord machine = describe_machine(available_processors());
  const nlohmann::ordered_json all = {
      {"schema", "assay-benchmarks/1"},
      {"tool",
       {{"version", tool.version}, {"revision", tool.revision}, {"compiler", tool.compiler}}},
      {"machine",
       {{"cpu", machine.cpu}, {"targets", machine.targets}, {"processors", machine.threads}}},
      {"rows", rows}};
  return all.dump(2) + "\n";
}

}  // namespace assay::benchmarks
