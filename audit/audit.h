// The audit: from contract documents to a record of verdicts.
#pragma once

#include <vector>

#include "audit/options.h"
#include "contracts/fkc/document.h"
#include "contracts/run_record.h"
#include "kernels/registry.h"

namespace assay {

/// Audits the kernels of `documents` (which must be free of errors) with the implementations of
/// `registry`. Throws UsageError when a filter matches nothing and AuditError when the oracle
/// cannot be trusted; a kernel that crashes, hangs or refuses its input is a verdict, not an
/// exception.
RunRecord audit(const std::vector<fkc::Document>& documents, const Registry& registry,
                const AuditOptions& options);

/// The exit status of a record: 1 when a claim is refuted; else 3 when something could not be run
/// to its end, which is so of every shard by itself; else 0.
int exit_status(const RunRecord& record, const AuditOptions& options);

}  // namespace assay
