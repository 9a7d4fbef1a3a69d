// What ran, and on what: the head of every report.
#pragma once

#include "audit/options.h"
#include "contracts/run_record.h"

namespace assay {

ToolRecord describe_tool();
MachineRecord describe_machine(unsigned threads);
RunInfo describe_run(const AuditOptions& options);

/// Processors that this process may run on: the default number of workers.
unsigned available_processors();

}  // namespace assay
