#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <utility>

#include "audit/cli/commands.h"
#include "audit/cli/print_error.h"
#include "contracts/fkc/reporter.h"
#include "contracts/unicode.h"

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

struct Found {
  std::vector<fs::path> files;
  std::vector<std::pair<fs::path, std::string>> unread;  ///< folders, and why
};

/// Collects the contract files below `folder`. Links to folders are not followed: they may lead
/// round in a circle.
void collect(const fs::path& folder, Found& found) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::path& path = it->path();
    std::error_code unknown;
    if (it->is_directory(unknown) && !it->is_symlink(unknown)) {
      if (path.filename() != "_inventory") collect(path, found);
    } else if (path.string().ends_with(".fkc.md") && it->is_regular_file(unknown)) {
      found.files.push_back(path);
    }
  }
  if (error) found.unread.emplace_back(folder, error.message());
}

/// A folder that may hold contracts nobody has looked at: no verdict may pass over that.
fkc::Document unread_folder(const std::string& folder, const std::string& why) {
  fkc::Reporter reporter(folder);
  reporter.error("Io", {}, "this folder cannot be read: " + why, "check its permissions");
  fkc::Document document;
  document.file = folder;
  document.diagnostics = reporter.take();
  return document;
}

std::vector<std::string> expand(const std::vector<std::string>& paths,
                                std::vector<fkc::Document>& unread) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    Found found;
    collect(path, found);
    for (const auto& [folder, why] : found.unread) {
      unread.push_back(unread_folder(folder.string(), why));
    }
    std::sort(found.files.begin(), found.files.end());
    // Reported as unreadable.
    if (found.files.empty() && found.unread.empty()) files.push_back(path);
    for (const fs::path& file : found.files) files.push_back(file.string());
  }
  return files;
}

}  // namespace

std::vector<fkc::Document> load_documents(const std::vector<std::string>& paths,
                                          const fkc::ReadOptions& options) {
  std::vector<fkc::Document> documents;
  std::set<fs::path> seen;  // a file that is named twice is one document
  for (const std::string& file : expand(paths, documents)) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file, error);
    if (!seen.insert(error ? fs::path(file) : path).second) continue;
    documents.push_back(fkc::read_document(file, options));
  }
  return documents;
}

std::vector<fkc::Document> read_documents(const std::vector<std::string>& paths, bool quiet,
                                          bool& faulty) {
  std::vector<fkc::Document> documents = load_documents(paths);
  faulty = false;
  for (const fkc::Document& document : documents) {
    std::size_t notes = 0;
    for (const fkc::Diagnostic& diagnostic : document.diagnostics) {
      if (diagnostic.severity == fkc::Severity::kNote) {
        ++notes;
      } else {
        print_error("{}\n", fkc::to_string(diagnostic));
      }
    }
    // Notes are about what a contract leaves open, and no hindrance.
    if (notes > 0 && !quiet) {
      print_error("{}: {} note{} on what it leaves open; assay lint shows {}\n",
                  one_line(document.file), notes, notes == 1 ? "" : "s",
                  notes == 1 ? "it" : "them");
    }
    faulty = faulty || fkc::has_errors(document.diagnostics);
  }
  return documents;
}

}  // namespace assay::cli
