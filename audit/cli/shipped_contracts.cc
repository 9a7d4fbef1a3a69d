#include "audit/cli/shipped_contracts.h"

#include <filesystem>
#include <system_error>

#include "audit/options.h"
#include "contracts/unicode.h"

namespace assay::cli {

namespace fs = std::filesystem;

std::string shipped_contracts_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path installed = program.parent_path().parent_path() / "share" / "assay" / "contracts";
  if (fs::is_directory(installed, error)) return installed.string();
  constexpr int kMostAbove = 4;
  fs::path folder = program.parent_path();
  for (int i = 0; i < kMostAbove && folder.has_relative_path(); ++i) {
    const fs::path sources = folder / "contracts" / "reference";
    if (fs::is_directory(sources, error)) return sources.string();
    folder = folder.parent_path();
  }
  return {};
}

std::vector<std::string> contracts_or_shipped(const std::vector<std::string>& given) {
  if (!given.empty()) return given;
  const std::string folder = shipped_contracts_folder();
  if (folder.empty()) {
    throw UsageError("no contracts are shipped with this program; name one with --contract");
  }
  return {folder};
}

void require_contract(const std::string& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error) || fs::is_directory(path, error)) return;
  throw UsageError("the contract '" + one_line(path) + "' is not there; name it with --contract");
}

}  // namespace assay::cli
