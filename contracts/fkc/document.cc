#include "contracts/fkc/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <system_error>

#include "contracts/fkc/claims.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/schema.h"
#include "contracts/fkc/yaml_tree.h"

namespace assay::fkc {

const Claim* KernelContract::claim(ClaimKind kind) const {
  for (const Claim& claim : claims) {
    if (claim.kind == kind) return &claim;
  }
  return nullptr;
}

namespace {

/// Lines that hold something other than text; the chunks that contain one are not parsed.
class BadLines {
 public:
  BadLines(const Lines& lines, Reporter& reporter) {
    for (const TextFault& fault : text_faults(lines)) {
      reporter.error("Yaml", fault.place, fault.message, "save the document as plain UTF-8 text");
      lines_.insert(fault.place.line);
    }
  }

  bool touch(Chunk chunk) const {
    const auto first = lines_.lower_bound(chunk.first);
    return first != lines_.end() && *first < chunk.end;
  }

 private:
  std::set<int> lines_;
};

std::optional<Provider> read_provider(const Lines& lines, const Markdown& markdown,
                                      const BadLines& bad_lines, Reporter& reporter) {
  if (!markdown.front_matter || bad_lines.touch(*markdown.front_matter)) return std::nullopt;
  const auto root = parse_yaml(lines, *markdown.front_matter, front_matter_shape(), reporter).root;
  if (!root) return std::nullopt;
  return read_front_matter(*root, reporter);
}

/// The section's contract, if it has no errors.
std::optional<KernelContract> read_section(const Lines& lines, const Section& section,
                                           const Provider& provider, const BadLines& bad_lines,
                                           Reporter& reporter) {
  if (!section.block || bad_lines.touch(*section.block)) return std::nullopt;
  const std::size_t errors_before = reporter.errors();
  const auto root = parse_yaml(lines, *section.block, block_shape(), reporter).root;
  if (!root) return std::nullopt;
  KernelContract contract = read_kernel(*root, section, provider, reporter);
  read_claims(*root, lines, contract, reporter);
  if (reporter.errors() != errors_before) return std::nullopt;
  return contract;
}

/// Names identify kernels in reports; entry points identify code. Reports the later of two.
class UniqueNames {
 public:
  /// False if a kernel of this name was seen before.
  bool add(const KernelContract& contract, Reporter& reporter) {
    const auto [entry, is_new] = kernels_.emplace(contract.kernel, contract.line);
    if (!is_new) {
      reporter.error("DuplicateKernel", {contract.line, 1},
                     fmt::format("kernel `{}` is given twice, first in line {}", contract.kernel,
                                 entry->second),
                     "give it a name of its own");
      return false;
    }
    if (!contract.registrable) return true;
    const auto target = std::make_pair(contract.kernel_source, contract.entry_point.value);
    const auto [point, is_new_point] = entry_points_.emplace(target, contract.kernel);
    if (!is_new_point) {
      reporter.warning("DuplicateEntryPoint",
                       {contract.entry_point.line, contract.entry_point.column},
                       fmt::format("kernel `{}` has this entry point too", point->second),
                       "each kernel of one source has an entry point of its own");
    }
    return true;
  }

 private:
  std::map<std::string, int> kernels_;
  std::map<std::pair<std::string, std::string>, std::string> entry_points_;
};

Document unreadable(const std::string& file, std::string message, std::string hint) {
  Reporter reporter(file);
  reporter.error("Io", {}, std::move(message), std::move(hint));
  Document document;
  document.file = file;
  document.diagnostics = reporter.take();
  return document;
}

Document too_long(const std::string& file) {
  return unreadable(file, fmt::format("longer than {} bytes", kMaxDocumentBytes),
                    "split the document");
}

}  // namespace

Document parse_document(const std::string& text, const std::string& file,
                        const ReadOptions& options) {
  if (text.size() > kMaxDocumentBytes) return too_long(file);
  Document document;
  document.file = file;
  Reporter reporter(file, options.strict);
  const Lines lines = split_lines(text);
  const BadLines bad_lines(lines, reporter);
  const Markdown markdown = split_markdown(lines, reporter);
  const auto provider = read_provider(lines, markdown, bad_lines, reporter);
  if (provider) document.provider = *provider;
  if (markdown.sections.empty()) {
    reporter.warning("NoKernels", {1, 1}, "the document has no section, hence no kernel",
                     "a kernel has a heading \"## KERNEL\" and an fkc block");
  }

  UniqueNames names;
  for (const Section& section : markdown.sections) {
    reporter.enter_section(section.heading);
    auto contract = read_section(lines, section, document.provider, bad_lines, reporter);
    // Without its provider a contract would carry a wrong revision hash.
    if (contract && names.add(*contract, reporter) && provider) {
      document.kernels.push_back(std::move(*contract));
    }
  }
  document.diagnostics = reporter.take();
  for (Diagnostic& diagnostic : document.diagnostics) {
    const auto line = static_cast<std::size_t>(diagnostic.line);
    if (line == 0 || line > lines.size()) continue;
    diagnostic.excerpt = excerpt_of(lines[line - 1], diagnostic.column);
  }
  return document;
}

Document read_document(const std::string& path, const ReadOptions& options) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return unreadable(path, "is a directory", "name a contract file");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return unreadable(path, "cannot be opened", "check the path and its permissions");
  // One byte more than allowed tells a document that is too long, and bounds endless files.
  std::string text(kMaxDocumentBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return unreadable(path, "cannot be read", "");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMaxDocumentBytes) return too_long(path);
  return parse_document(text, path, options);
}

}  // namespace assay::fkc
