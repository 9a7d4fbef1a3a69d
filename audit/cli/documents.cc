#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "audit/cli/commands.h"

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> expand(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<fs::path> found;
    for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
         it.increment(error)) {
      if (it->path().filename() == "_inventory") it.disable_recursion_pending();
      if (it->path().string().ends_with(".fkc.md") && it->is_regular_file(error))
        found.push_back(it->path());
    }
    std::sort(found.begin(), found.end());
    if (found.empty()) files.push_back(path);  // reported as unreadable
    for (const fs::path& file : found) files.push_back(file.string());
  }
  return files;
}

}  // namespace

std::vector<fkc::Document> load_documents(const std::vector<std::string>& paths,
                                          const fkc::ReadOptions& options) {
  std::vector<fkc::Document> documents;
  std::set<fs::path> seen;  // a file that is named twice is one document
  for (const std::string& file : expand(paths)) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file, error);
    if (!seen.insert(error ? fs::path(file) : path).second) continue;
    documents.push_back(fkc::read_document(file, options));
  }
  return documents;
}

std::vector<fkc::Document> read_documents(const std::vector<std::string>& paths, bool& faulty) {
  std::vector<fkc::Document> documents = load_documents(paths);
  faulty = false;
  for (const fkc::Document& document : documents) {
    for (const fkc::Diagnostic& diagnostic : document.diagnostics) {
      fmt::print(stderr, "{}\n", fkc::to_string(diagnostic));
    }
    faulty = faulty || fkc::has_errors(document.diagnostics);
  }
  return documents;
}

}  // namespace assay::cli
