// Audits that did not come to their end, and how they are taken up again.
#pragma once

#include <filesystem>
#include <string>

#include "audit/cli/audit_arguments.h"

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
  std::string program;       ///< digest of this program's file
  std::string machine;       ///< processor and instruction sets
  std::string contracts;     ///< digest of the documents' contents
  std::string libraries;     ///< digest of the libraries' contents
};

/// That of an audit that starts now, in this folder, with these arguments; `files` are the contract
/// documents. Throws std::runtime_error when a file cannot be read.
AuditIdentity identity_of(const AuditArguments& arguments, const std::string& command,
                          const std::vector<std::string>& files);

std::string to_text(const AuditIdentity& identity);
/// Throws UsageError where the text is no such identity.
AuditIdentity identity_from(const std::string& text);

/// Throws UsageError, which says what has changed, where results of `kept` cannot be joined with
/// those of an audit that would start `now`.
void require_same(const AuditIdentity& kept, const AuditIdentity& now);

}  // namespace assay::cli
