#include <fmt/format.h>

#include "contracts/fkc/schema.h"

namespace assay::fkc {

namespace {
constexpr std::uint64_t kNewestVersion = 1;
}  // namespace

std::optional<Provider> read_front_matter(const Node& root, Reporter& reporter) {
  const std::size_t errors_before = reporter.errors();
  MapReader fields(root, "", reporter);
  const bool has_version = fields.value("fkc_version") != nullptr;
  const auto version = fields.unsigned_integer("fkc_version");
  if (version && *version > kNewestVersion) {
    reporter.error(
        "UnsupportedVersion", root.find("fkc_version")->place,
        fmt::format("format version {}; this program reads {}", *version, kNewestVersion),
        "export the document in that version");
    return std::nullopt;
  }
  const Node* node = fields.mapping("provider");
  fields.warn_unknown_keys();
  const auto missing = [&](Place place, std::string_view key) {
    reporter.error("MalformedFrontMatter", place, fmt::format("`{}` is missing", key),
                   "the front matter has to state it");
  };
  if (!has_version) missing(root.place, "fkc_version");
  if (node == nullptr) {
    missing(root.place, "provider");
    return std::nullopt;
  }

  Provider provider;
  MapReader keys(*node, "provider", reporter);
  const auto required = [&](std::string_view key, Located<std::string>& out) {
    if (keys.value(key) == nullptr) missing(node->place, keys.path(key));
    if (auto text = keys.text(key)) out = *text;
  };
  required("name", provider.name);
  if (keys.value("backend") == nullptr) missing(node->place, keys.path("backend"));
  if (auto backend = keys.token("backend", "UnknownBackend", {"Cpu", "Cuda", "Vulkan", "Metal"})) {
    provider.backend = *backend;
  }
  required("kernel_source", provider.kernel_source);
  if (auto text = keys.text("link_registry")) provider.link_registry = *text;
  if (auto text = keys.text("revision_base")) provider.revision_base = *text;
  keys.warn_unknown_keys();
  if (reporter.errors() != errors_before) return std::nullopt;
  return provider;
}

}  // namespace assay::fkc
