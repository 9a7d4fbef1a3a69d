#include "contracts/fkc/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <system_error>

#include "contracts/fkc/claims.h"
#include "contracts/fkc/link_check.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/revision_hash.h"
#include "contracts/fkc/schema.h"
#include "contracts/fkc/yaml_tree.h"

namespace assay::fkc {

namespace {

const Claim* of_kind(const std::vector<Claim>& claims, ClaimKind kind) {
  const auto found = std::find_if(claims.begin(), claims.end(),
                                  [&](const Claim& claim) { return claim.kind == kind; });
  return found == claims.end() ? nullptr : &*found;
}

}  // namespace

const Claim* KernelContract::claim(ClaimKind kind) const {
  return of_kind(claims, kind);
}

const Claim* KernelContract::disputed_claim(ClaimKind kind) const {
  return of_kind(disputed, kind);
}

namespace {

/// Lines that hold something other than text; the chunks that contain one are not parsed.
class BadLines {
 public:
  BadLines(const Lines& lines, Reporter& reporter) {
    for (const TextFault& fault : text_faults(lines)) {
      reporter.error("Yaml", fault.place, fault.message, "save the document as plain UTF-8 text");
      columns_.emplace(fault.place.line, fault.place.column);
    }
  }

  /// True if the chunk has one: it is not read, which a note says.
  bool touch(Chunk chunk, Reporter& reporter) const {
    const auto first = columns_.lower_bound(chunk.first);
    if (first == columns_.end() || first->first >= chunk.end) return false;
    note_unread(chunk, {first->first, first->second}, reporter);
    return true;
  }

 private:
  std::map<int, int> columns_;  ///< of the fault in each such line
};

/// True for faults of a single value, which stay what they are whatever other fields hold.
bool is_of_one_value(std::string_view kind) {
  constexpr std::array<std::string_view, 6> kKinds = {"BadBound",         "BadLayoutFlag",
                                                      "BadScalarType",    "CostExprParse",
                                                      "UnsupportedDtype", "FdxTokenNotInTable"};
  const bool of_others = kind == "UnknownRole" || kind == "UnknownCostSymbol";
  return (kind.starts_with("Unknown") && !of_others) ||
         std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

/// Passes on what is wrong with the meaning of a tree whose words were refused in some lines: on
/// those lines it is a consequence, and so may be what a tree with holes lacks or contradicts.
void forward_others(Reporter& found, const ParsedYaml& parsed, Reporter& reporter) {
  for (const Diagnostic& fault : found.take()) {
    if (parsed.refused_lines.count(fault.line) > 0) continue;
    if (!parsed.holes || is_of_one_value(fault.kind)) reporter.forward(fault);
  }
}

std::optional<Provider> read_provider(const Lines& lines, const Markdown& markdown,
                                      const BadLines& bad_lines, Reporter& reporter) {
  if (!markdown.front_matter || bad_lines.touch(*markdown.front_matter, reporter))
    return std::nullopt;
  const ParsedYaml parsed =
      parse_yaml(lines, *markdown.front_matter, front_matter_shape(), reporter);
  if (!parsed.root) return std::nullopt;
  Reporter found(reporter.file(), reporter.strict());
  auto provider = read_front_matter(*parsed.root, found);
  forward_others(found, parsed, reporter);
  return parsed.good() ? provider : std::nullopt;
}

std::string block_hash(const Lines& lines, Chunk block, const KernelContract& contract,
                       const Provider& provider) {
  // Lines are views of one text: a block's bytes are what lies between its fences.
  const char* begin = lines[static_cast<std::size_t>(block.first) - 1].data();
  const char* end = lines[static_cast<std::size_t>(block.end) - 1].data();
  const std::string_view bytes(begin, static_cast<std::size_t>(end - begin));
  return fmt::format("{:016x}", revision_hash_of_bytes(bytes, contract.entry_point.value,
                                                       provider.revision_base.value));
}

/// By the letter of the specification a blurb repeats the first line of the section's prose.
void check_blurb(const Lines& lines, const Section& section, const Node& root,
                 const KernelContract& contract, Reporter& reporter) {
  const Node* blurb = root.find("blurb");
  if (blurb == nullptr || contract.blurb.empty()) return;
  std::string_view prose;
  for (int line = section.line + 1; line < section.block->first - 1 && prose.empty(); ++line) {
    prose = trim(lines[static_cast<std::size_t>(line) - 1]);
  }
  if (prose == trim(contract.blurb)) return;
  reporter.error("BlurbMismatch", blurb->place,
                 "the blurb is not the first line of the section's prose",
                 "make the two equal: one is what people read, the other what programs show");
}

/// The section's contract, if it has no errors.
std::optional<KernelContract> read_section(const Lines& lines, const Section& section,
                                           const Provider& provider, const BadLines& bad_lines,
                                           LinkCheck& links, Reporter& reporter) {
  if (!section.block || bad_lines.touch(*section.block, reporter)) return std::nullopt;
  const std::size_t errors_before = reporter.errors();
  const ParsedYaml parsed = parse_yaml(lines, *section.block, block_shape(), reporter);
  const std::optional<Node>& root = parsed.root;
  if (!root) return std::nullopt;
  Reporter found(reporter.file(), reporter.strict());
  ReadParts readable;
  KernelContract contract = read_kernel(*root, section, provider, readable, found);
  contract.hashes.block = block_hash(lines, *section.block, contract, provider);
  if (reporter.strict()) check_blurb(lines, section, *root, contract, found);
  read_claims(*root, lines, section, contract, found);
  forward_others(found, parsed, reporter);
  const bool faulty = reporter.errors() != errors_before;
  if (!faulty) note_operation(*root, lines, section, contract, reporter);
  // Dtypes that could not be read would ask for other symbols than are meant.
  const bool has_symbols = parsed.good() && readable.accept && readable.returns;
  const bool linked = links.add(contract, *root, has_symbols, reporter);
  if (faulty || !linked) return std::nullopt;
  return contract;
}

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
  if (markdown.front_matter) {
    const auto first = lines.begin() + (markdown.front_matter->first - 1);
    document.front_matter.assign(first, lines.begin() + (markdown.front_matter->end - 1));
  }
  if (markdown.sections.empty()) {
    reporter.warning("NoKernels", {1, 1}, "the document has no section, hence no kernel",
                     "a kernel has a heading \"## KERNEL\" and an fkc block");
  }

  LinkCheck links(options.registry, document.provider);
  for (const Section& section : markdown.sections) {
    reporter.enter_section(section.heading);
    auto contract = read_section(lines, section, document.provider, bad_lines, links, reporter);
    // Without its provider a contract would carry a wrong revision hash.
    if (contract && provider) {
      document.kernels.push_back(std::move(*contract));
    }
  }
  document.diagnostics = reporter.take();
  show_places(document.diagnostics, lines);
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

namespace {

/// A field's value, as people tell one that is empty from none.
std::string shown(const Located<std::string>& value) {
  return value.line > 0 ? fmt::format("\"{}\"", value.value) : "absent";
}

/// Adds a fault to a document's, in the order of the file.
void insert_fault(Document& document, Diagnostic fault) {
  const auto behind = [](const Diagnostic& a, const Diagnostic& b) {
    return a.line != 0 && (b.line == 0 || a.line < b.line);
  };
  document.diagnostics.insert(
      std::upper_bound(document.diagnostics.begin(), document.diagnostics.end(), fault, behind),
      fault);
}

/// Of two kernels of different documents that collide the later is reported, at its heading.
/// Within a document LinkCheck did.
void check_kernels_of_all(std::vector<Document>& documents) {
  std::map<std::string, const Document*> names;
  std::map<std::pair<std::string, std::string>, const Document*> symbols;
  for (Document& document : documents) {
    std::vector<Diagnostic> faults;
    // As within a document, two names are an error, and entry points a deviation.
    const auto report = [&](const KernelContract& kernel, FaultKind kind, bool error,
                            const std::string& message, const std::string& hint) {
      Reporter reporter(document.file, error);
      reporter.enter_section(kernel.heading);
      reporter.deviation(kind, {kernel.line, 1}, message, hint);
      Diagnostic fault = reporter.take().at(0);
      fault.excerpt = excerpt_of("## " + kernel.heading, 1);
      fault.character = 1;
      faults.push_back(std::move(fault));
    };
    for (const KernelContract& kernel : document.kernels) {
      const auto [name, is_new] = names.emplace(kernel.kernel, &document);
      if (!is_new && name->second != &document) {
        report(kernel, "DuplicateKernel", true,
               fmt::format("kernel `{}` is given in {} too", kernel.kernel, name->second->file),
               "give it a name of its own");
      }
      if (!kernel.registrable) continue;
      for (const Binding& binding : kernel.signatures()) {
        const auto [symbol, first] =
            symbols.emplace(std::make_pair(kernel.kernel_source, binding.entry_point), &document);
        if (first || symbol->second == &document) continue;
        report(kernel, "DuplicateEntryPoint", false,
               fmt::format("a kernel in {} has the entry point `{}` too", symbol->second->file,
                           binding.entry_point),
               "each kernel of one source has an entry point of its own");
        break;
      }
    }
    for (Diagnostic& fault : faults) insert_fault(document, std::move(fault));
  }
}

}  // namespace

void check_one_provider(std::vector<Document>& documents) {
  struct Field {
    std::string_view name;
    Located<std::string> Provider::*value;
  };
  constexpr std::array<Field, 5> kFields = {{{"name", &Provider::name},
                                             {"backend", &Provider::backend},
                                             {"kernel_source", &Provider::kernel_source},
                                             {"link_registry", &Provider::link_registry},
                                             {"revision_base", &Provider::revision_base}}};
  const Document* first = nullptr;
  for (Document& document : documents) {
    if (document.provider.name.value.empty()) continue;
    if (first == nullptr) first = &document;
    std::vector<std::string_view> document_lines = {"---"};
    document_lines.insert(document_lines.end(), document.front_matter.begin(),
                          document.front_matter.end());
    for (const Field& field : kFields) {
      const Located<std::string>& expected = first->provider.*field.value;
      const Located<std::string>& value = document.provider.*field.value;
      const bool both = (value.line > 0) == (expected.line > 0);
      if (both && value.value == expected.value) continue;
      // A field that is absent has no place of its own.
      const Located<std::string>& place = value.line > 0 ? value : document.provider.name;
      Reporter reporter(document.file);
      reporter.error("ProviderMismatch", {place.line, place.column},
                     fmt::format("`provider.{}` is {}, in {} it is {} (field={})", field.name,
                                 shown(value), first->file, shown(expected), field.name),
                     "documents of one provider agree in all of its fields");
      std::vector<Diagnostic> found = reporter.take();
      show_places(found, document_lines);
      // The front matter stands above everything else.
      document.diagnostics.insert(document.diagnostics.begin(), found.begin(), found.end());
    }
  }
  check_kernels_of_all(documents);
}

}  // namespace assay::fkc
