#include "reports/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <system_error>

#include "reports/html.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/sarif.h"

namespace assay {

namespace {

constexpr std::array kFormats = {
    ReportFormat{"markdown", "index.md and one page per contract, for people", render_markdown,
                 "# Precision audit"},
    ReportFormat{"html", "index.html and one page per contract, for browsers", render_html,
                 "<title>Precision audit"},
    ReportFormat{"json", "report.json: everything, for programs (schema assay-report/1)",
                 render_json, "\"schema\": \"assay-report/1\""},
    ReportFormat{"junit", "junit.xml: a test for each claim and variant, for CI", render_junit,
                 "package=\"assay\" name=\"assay\""},
    ReportFormat{"sarif", "report.sarif: what is broken, at the contract's lines, for code hosts",
                 render_sarif, "\"name\": \"assay\""},
};

std::string known_names() {
  std::string names;
  for (const ReportFormat& format : kFormats) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  }
  return names;
}

/// What tokens of the record name.
std::vector<RenderedFile> case_files(const RunRecord& record) {
  std::vector<RenderedFile> files;
  const auto add = [&](const std::optional<CaseFile>& file) {
    if (!file || std::ranges::find(files, file->name, &RenderedFile::name) != files.end()) return;
    files.push_back({file->name, file->content});
  };
  for (const KernelRecord& kernel : record.kernels) {
    for (const VariantRecord& variant : kernel.variants) {
      for (const ClaimRecord& claim : variant.claims) {
        if (claim.counterexample) add(claim.counterexample->file);
        add(claim.file);
      }
    }
  }
  return files;
}

/// Whether a file is one that the format wrote.
bool has_mark(const std::filesystem::path& path, const ReportFormat& format) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, error))) return false;
  std::string begin(kMarkBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return begin.find(format.mark) != std::string::npos;
}

}  // namespace

std::span<const ReportFormat> report_formats() {
  return kFormats;
}

const ReportFormat* find_report_format(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &ReportFormat::name);
  return found == kFormats.end() ? nullptr : &*found;
}

std::vector<std::filesystem::path> write_reports(const RunRecord& record,
                                                 const std::filesystem::path& out_dir,
                                                 std::span<const std::string> formats) {
  for (const std::string& name : formats) {
    if (find_report_format(name) == nullptr) {
      throw ReportError(
          fmt::format("unknown report format '{}'; the formats are: {}", name, known_names()));
    }
  }
  std::vector<RenderedFile> files;
  for (const ReportFormat& format : kFormats) {
    if (std::ranges::find(formats, format.name) == formats.end()) continue;
    std::ranges::move(format.render(record), std::back_inserter(files));
  }
  // Named by their contents, so that those of an earlier report are never changed.
  const std::vector<RenderedFile> cases = case_files(record);
  if (!cases.empty()) write_files(out_dir / kCaseFolder, cases);
  return write_files(out_dir, files);
}

std::vector<std::filesystem::path> remove_stale_reports(const RunRecord& record,
                                                        const std::filesystem::path& out_dir,
                                                        std::span<const std::string> formats) {
  std::vector<std::filesystem::path> removed;
  for (const ReportFormat& format : kFormats) {
    if (std::ranges::find(formats, format.name) != formats.end()) continue;
    for (const RenderedFile& file : format.render(record)) {
      const std::filesystem::path path = out_dir / file.name;
      std::error_code error;
      if (has_mark(path, format) && std::filesystem::remove(path, error)) removed.push_back(path);
    }
  }
  return removed;
}

}  // namespace assay
