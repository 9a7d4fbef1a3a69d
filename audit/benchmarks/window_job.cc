#include "audit/benchmarks/window_job.h"

#include <stdexcept>

#include "audit/bind.h"

namespace assay::benchmarks {

const window::Job& window_job(const std::string& kernel, Dtype dtype) {
  static const std::vector<fkc::Document> documents = {
      fkc::read_document(ASSAY_SOURCE_DIR "/contracts/reference/conv-pool.fkc.md")};
  static const Registry registry = built_in_registry();
  static const Bound bound = assay::bind(documents, registry, {});
  for (const window::Job& job : bound.windows) {
    if (job.contract->kernel == kernel && job.operation.dtype == dtype && job.not_run.empty()) {
      return job;
    }
  }
  throw std::runtime_error("no job for " + kernel);
}

}  // namespace assay::benchmarks
