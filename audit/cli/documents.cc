#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "audit/cli/commands.h"
#include "audit/cli/print_error.h"
#include "audit/cli/reading.h"
#include "contracts/fkc/reporter.h"
#include "contracts/unicode.h"

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

/// Entries of folders that are looked at for one path: a whole system has more.
constexpr std::size_t kMostEntries = 100'000;

struct Found {
  std::vector<fs::path> files;
  std::size_t entries = 0;
  std::vector<std::pair<fs::path, std::string>> unread;  ///< folders, and why
};

/// Collects the contract files below `folder`. Links to folders are not followed: they may lead
/// round in a circle.
void collect(const fs::path& folder, Found& found) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (++found.entries > kMostEntries) return;
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

/// What may hold contracts nobody has looked at: no verdict may pass over that.
fkc::Document unread(const std::string& path, const std::string& why, const std::string& hint) {
  fkc::Reporter reporter(path);
  reporter.error("Io", {}, why, hint);
  fkc::Document document;
  document.file = path;
  document.diagnostics = reporter.take();
  return document;
}

std::vector<std::string> expand(const std::vector<std::string>& paths,
                                std::vector<fkc::Document>& faulty) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    Found found;
    collect(path, found);
    if (found.entries > kMostEntries) {
      faulty.push_back(
          unread(path, fmt::format("this folder has more than {} files below it", kMostEntries),
                 "name the folder that the contracts are in"));
      continue;
    }
    for (const auto& [folder, why] : found.unread) {
      faulty.push_back(
          unread(folder.string(), "this folder cannot be read: " + why, "check its permissions"));
    }
    std::sort(found.files.begin(), found.files.end());
    // Reported as unreadable.
    if (found.files.empty() && found.unread.empty()) files.push_back(path);
    for (const fs::path& file : found.files) files.push_back(file.string());
  }
  return files;
}

/// Whether a path stands for a file that this process has open already, as `<(command)` does for a
/// pipe.
bool is_own_descriptor(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

/// Reads the whole file into `text`, up to one byte more than a document may have; returns why it
/// cannot. Nothing is waited for but what `may_wait` allows.
std::string read_text(const std::string& path, bool may_wait, std::string& text) {
  // A pipe that nobody writes to, or no longer, would be waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return fmt::format("cannot be opened: {}", std::strerror(errno));
  struct stat status = {};
  std::string fault;
  if (::fstat(descriptor, &status) != 0) {
    fault = fmt::format("cannot be read: {}", std::strerror(errno));
  } else if (!S_ISREG(status.st_mode) && !may_wait) {
    fault = "is no regular file, but a device or a pipe";
  } else if (may_wait) {
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  }
  text.assign(fkc::kMaxDocumentBytes + 1, '\0');
  std::size_t bytes = 0;
  while (fault.empty() && bytes < text.size()) {
    const ssize_t count = ::read(descriptor, text.data() + bytes, text.size() - bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fault = fmt::format("cannot be read: {}", std::strerror(errno));
    if (count <= 0) break;
    bytes += static_cast<std::size_t>(count);
  }
  ::close(descriptor);
  text.resize(bytes);
  return fault;
}

}  // namespace

std::vector<fkc::Document> load_documents(const std::vector<std::string>& paths,
                                          const fkc::ReadOptions& options, Reading& reading) {
  std::vector<fkc::Document> documents;
  std::uint64_t sum = 0;
  std::size_t files = 0;
  std::set<fs::path> seen;  // a file that is named twice is one document
  for (const std::string& file : expand(paths, documents)) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file, error);
    if (!seen.insert(error ? fs::path(file) : path).second) continue;
    if (fs::is_directory(file, error)) {
      documents.push_back(fkc::read_document(file, options));  // which says what is wrong with it
      continue;
    }
    std::string text;
    const bool may_wait = is_own_descriptor(file) && !reading.foreign;
    if (const std::string why = read_text(file, may_wait, text); !why.empty()) {
      documents.push_back(unread(file, why, "check the path and its permissions"));
      continue;
    }
    sum = XXH3_64bits_withSeed(text.data(), text.size(), sum + 1);
    ++files;
    documents.push_back(fkc::parse_document(text, file, options));
  }
  reading.digest = fmt::format("{} files, {:016x}", files, sum);
  return documents;
}

std::vector<fkc::Document> load_documents(const std::vector<std::string>& paths,
                                          const fkc::ReadOptions& options) {
  Reading reading;
  return load_documents(paths, options, reading);
}

std::vector<fkc::Document> read_documents(const std::vector<std::string>& paths, bool quiet,
                                          bool& faulty) {
  Reading reading;
  return read_documents(paths, quiet, faulty, reading);
}

std::vector<fkc::Document> read_documents(const std::vector<std::string>& paths, bool quiet,
                                          bool& faulty, Reading& reading) {
  std::vector<fkc::Document> documents = load_documents(paths, {}, reading);
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
