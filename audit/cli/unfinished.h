// Audits that did not come to their end, and how they are taken up again.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "audit/cli/audit_arguments.h"
#include "audit/cli/surroundings.h"
#include "audit/worker/plugins.h"

namespace assay::cli {

/// Where an audit whose reports go to `out` keeps its finished work.
std::filesystem::path checkpoint_path(const std::filesystem::path& out);
/// Where a shard keeps it, for merging; the file stays.
std::filesystem::path shard_path(const std::filesystem::path& out);

/// The shard that the arguments ask for. Throws UsageError.
Shard shard_of(const AuditArguments& arguments);

/// What an audit was asked for, and all that its results depend on besides.
struct AuditIdentity {
  AuditArguments arguments;  ///< their seed is a number
  std::string command;       ///< as typed
  std::string started;       ///< UTC, ISO 8601
  std::string folder;        ///< that relative paths start from
  std::string contracts;     ///< digest of the documents' contents
  Items libraries;           ///< digests of the libraries' contents
  Items dependencies;        ///< of what is loaded with them
  Items program;             ///< of this program's file and what is loaded into it
  Items machine;             ///< processor and instruction sets
  Items environment;         ///< variables that libraries read
};

/// What results depend on besides options.
struct Surrounding {
  const char* what;  ///< "a contract"
  Items (*of)(const AuditIdentity&);
};

/// All of them, those that say most first.
std::span<const Surrounding> surroundings();

/// That of an audit that starts now, in this folder, with these arguments; `contracts` is the
/// digest of the documents. Throws std::runtime_error when a file cannot be read.
AuditIdentity identity_of(const AuditArguments& arguments, const std::string& command,
                          const std::string& contracts,
                          const std::vector<KernelLibrary>& libraries);

std::string to_text(const AuditIdentity& identity);
/// Throws UsageError where the text is no such identity.
AuditIdentity identity_from(const std::string& text);

/// What was audited has changed meanwhile: there is nothing that the results are the results of.
class InputsChanged : public AuditError {
 public:
  using AuditError::AuditError;
};

/// Throws InputsChanged, which names the file, where one of these libraries, or of what they depend
/// on, is not what it was when it was read.
void require_unchanged(const std::vector<KernelLibrary>& libraries);

/// Throws UsageError, which says what has changed, where results of `kept` cannot be joined with
/// those of an audit that would start `now`.
void require_same(const AuditIdentity& kept, const AuditIdentity& now);

}  // namespace assay::cli
