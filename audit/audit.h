// The audit: from contract documents to a record of verdicts.
#pragma once

#include <functional>
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
/// `verify` is called once all has run, before a shard counts as done; what it throws is thrown.
RunRecord audit(const std::vector<fkc::Document>& documents, const Registry& registry,
                const AuditOptions& options, const std::function<void()>& verify = {});

}  // namespace assay
