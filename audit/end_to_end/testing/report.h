// Reports as the program wrote them.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace assay::testing {

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The record that an audit wrote into this folder.
inline nlohmann::json report(const std::filesystem::path& folder) {
  return nlohmann::json::parse(read(folder / "report.json"));
}

/// What must be equal between runs: everything but times.
inline nlohmann::json without_times(nlohmann::json report) {
  for (const char* key : {"started", "seconds", "command"}) report["run"].erase(key);
  report["machine"].erase("threads");
  for (auto& kernel : report["kernels"]) {
    for (auto& variant : kernel["variants"]) {
      for (const char* key : {"seconds", "probes_per_second", "rates"}) variant.erase(key);
    }
  }
  return report;
}

}  // namespace assay::testing
