// Files of this source tree.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace assay::fkc::testing {

/// The contents of a file, its path from the source folder on.
inline std::string file_text(const std::string& path) {
  std::ifstream stream(std::string(ASSAY_SOURCE_DIR) + "/" + path, std::ios::binary);
  if (!stream.good()) throw std::runtime_error("cannot open " + path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace assay::fkc::testing
