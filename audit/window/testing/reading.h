// Operations out of the reference document, as it is or changed, for tests.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "audit/window/operation.h"

namespace assay::window::testing {

/// Texts and what comes in their place.
using Edits = std::vector<std::pair<std::string, std::string>>;

/// A contract in one dtype, read as an operation.
struct Reading {
  std::shared_ptr<const fkc::Document> document;  ///< owns the contract
  Operation operation;
  std::string why_not;  ///< what read_operation() returned
};

/// One section of contracts/reference/conv-pool.fkc.md. Each edit replaces the first place of its
/// text in that section; the text must be there, and the section must then be without errors.
Reading read_edited(const std::string& kernel, Dtype dtype, const Edits& edits);

/// The same of a contract that `change` changed after it was read.
Reading read_changed(const std::string& kernel, Dtype dtype,
                     const std::function<void(fkc::KernelContract&)>& change);

/// The operation as it is; it must be one that can be audited. Kept for the whole test program.
const Operation& operation(const std::string& kernel, Dtype dtype);

}  // namespace assay::window::testing
