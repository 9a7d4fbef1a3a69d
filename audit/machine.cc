#include "audit/machine.h"

#include <sched.h>

#include <ctime>
#include <fstream>

#include "audit/build_info.h"
#include "kernels/registry.h"

namespace assay {

ToolRecord describe_tool() {
  return {kVersion, kRevision, kCompiler, kFlags};
}

MachineRecord describe_machine(unsigned threads) {
  MachineRecord machine;
  machine.cpu = "unknown";
  machine.targets = available_targets();
  machine.threads = static_cast<int>(threads);
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line)) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      machine.cpu = line.substr(colon + 2);
      break;
    }
  }
  return machine;
}

RunInfo describe_run(const AuditOptions& options) {
  RunInfo run;
  run.command = options.command;
  run.seed = options.seed;
  run.effort = to_string(options.effort);
  run.only = options.only;
  run.variants = options.variants;
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32] = {};
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  run.started = text;
  return run;
}

unsigned available_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  const int count = CPU_COUNT(&set);
  return count > 0 ? static_cast<unsigned>(count) : 1;
}

}  // namespace assay
