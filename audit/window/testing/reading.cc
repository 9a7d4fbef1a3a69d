#include "audit/window/testing/reading.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace assay::window::testing {

namespace {

constexpr const char* kPath = ASSAY_SOURCE_DIR "/contracts/reference/conv-pool.fkc.md";

/// The front matter and the section of one kernel.
std::string section(const std::string& kernel) {
  std::ifstream file(kPath);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t begin = text.find("\n## " + kernel + ":");
  if (begin == std::string::npos) throw std::runtime_error("no section of " + kernel);
  const std::size_t end = text.find("\n## ", begin + 1);
  return text.substr(0, text.find("\n## ")) + text.substr(begin, end - begin) + "\n";
}

Reading read(const std::shared_ptr<fkc::Document>& document, Dtype dtype) {
  Reading reading;
  reading.document = document;
  reading.why_not = read_operation(document->kernels.front(), dtype, reading.operation);
  return reading;
}

std::shared_ptr<fkc::Document> parse(const std::string& text) {
  auto document = std::make_shared<fkc::Document>(fkc::parse_document(text, "edited.fkc.md"));
  if (document->kernels.size() != 1) {
    std::string faults;
    for (const auto& diagnostic : document->diagnostics) faults += diagnostic.message + "\n";
    throw std::runtime_error("the section is faulty: " + faults);
  }
  return document;
}

}  // namespace

Reading read_edited(const std::string& kernel, Dtype dtype, const Edits& edits) {
  std::string text = section(kernel);
  const std::size_t begin = text.find("\n## ");
  for (const auto& [from, to] : edits) {
    const std::size_t at = text.find(from, begin);
    if (at == std::string::npos) throw std::runtime_error("not in the section: " + from);
    text.replace(at, from.size(), to);
  }
  return read(parse(text), dtype);
}

Reading read_changed(const std::string& kernel, Dtype dtype,
                     const std::function<void(fkc::KernelContract&)>& change) {
  const std::shared_ptr<fkc::Document> document = parse(section(kernel));
  change(document->kernels.front());
  return read(document, dtype);
}

const Operation& operation(const std::string& kernel, Dtype dtype) {
  static std::map<std::pair<std::string, Dtype>, Reading> readings;
  const auto at = readings.find({kernel, dtype});
  if (at != readings.end()) return at->second.operation;
  Reading reading = read_edited(kernel, dtype, {});
  if (!reading.why_not.empty()) throw std::runtime_error(reading.why_not);
  return readings.emplace(std::pair(kernel, dtype), std::move(reading)).first->second.operation;
}

}  // namespace assay::window::testing
