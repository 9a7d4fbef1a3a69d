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

/// What must be equal between runs: everything but times, and whether a call could be held in its
/// midst, which is a matter of time as well.
inline nlohmann::json without_times(nlohmann::json report) {
  const auto without_holds = [](nlohmann::json& claim) {
    const std::string beside =
        "beside a call of another thread, which could not be held in its midst";
    std::string space = claim["space"];
    if (const std::size_t at = space.find(beside); at != std::string::npos) {
      claim["space"] = space.replace(at, beside.size(), "in the midst of a call of another thread");
    }
    for (auto& observation : claim["measured"]["observations"]) {
      std::string text = observation["value"];
      const std::size_t at = text.find("no call could be made in the midst of another one");
      if (at != std::string::npos) observation["value"] = text.substr(0, at < 2 ? 0 : at - 2);
    }
    auto& all = claim["measured"]["observations"];
    for (std::size_t i = all.size(); i-- > 0;) {
      if (all[i]["value"] == "") all.erase(i);
    }
  };
  for (const char* key : {"started", "seconds", "command"}) report["run"].erase(key);
  report["machine"].erase("threads");
  for (auto& kernel : report["kernels"]) {
    for (auto& variant : kernel["variants"]) {
      for (const char* key : {"seconds", "probes_per_second", "rates"}) variant.erase(key);
      for (auto& claim : variant["claims"]) without_holds(claim);
    }
  }
  return report;
}

}  // namespace assay::testing
