#include "audit/score/contracts.h"

#include <stdexcept>

#include "contracts/fkc/diagnostic.h"

namespace assay::score {

const std::vector<fkc::Document>& shipped_contracts() {
  static const std::vector<fkc::Document> documents = [] {
    std::vector<fkc::Document> read;
    for (const char* name : {"cast", "conv-pool"}) {
      const std::string path =
          std::string(ASSAY_SOURCE_DIR "/contracts/reference/") + name + ".fkc.md";
      read.push_back(fkc::read_document(path));
      if (fkc::has_errors(read.back().diagnostics) || read.back().kernels.empty()) {
        throw std::runtime_error(path + " cannot be read, or has errors: assay lint shows them");
      }
    }
    return read;
  }();
  return documents;
}

std::string kernel_of(const Registry& registry) {
  for (const fkc::Document& document : shipped_contracts()) {
    for (const fkc::KernelContract& contract : document.kernels) {
      for (const fkc::Binding& binding : contract.bindings()) {
        if (registry.find(binding.entry_point) != nullptr) return binding.kernel;
      }
    }
  }
  throw std::runtime_error("no shipped contract names a kernel that is registered");
}

}  // namespace assay::score
