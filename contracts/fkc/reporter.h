// Collects the faults of one document.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contracts/fkc/diagnostic.h"

namespace assay::fkc {

/// A place in the file; line and column (bytes) from 1.
struct Place {
  int line = 0;
  int column = 0;
};

class Reporter {
 public:
  /// A hostile document must not make a report of millions of faults: the rest is counted only.
  static constexpr std::size_t kMaxDiagnostics = 1000;

  explicit Reporter(std::string file) : file_(std::move(file)) {}

  /// The section that later faults belong to; empty for none.
  void enter_section(std::string_view heading) { section_ = heading; }

  void error(std::string_view kind, Place place, std::string message, std::string hint = {}) {
    add(Severity::kError, kind, place, std::move(message), std::move(hint));
  }
  void warning(std::string_view kind, Place place, std::string message, std::string hint = {}) {
    add(Severity::kWarning, kind, place, std::move(message), std::move(hint));
  }
  void note(std::string_view kind, Place place, std::string message, std::string hint = {}) {
    add(Severity::kNote, kind, place, std::move(message), std::move(hint));
  }

  /// A fault that another reporter of the same file collected.
  void forward(Diagnostic fault) {
    add(fault.severity, fault.kind, {fault.line, fault.column}, std::move(fault.message),
        std::move(fault.hint));
  }

  /// Errors so far, those beyond `kMaxDiagnostics` included.
  std::size_t errors() const { return errors_; }

  const std::string& file() const { return file_; }

  /// The faults in the order of their places; closes the report.
  std::vector<Diagnostic> take();

 private:
  void add(Severity severity, std::string_view kind, Place place, std::string message,
           std::string hint);

  std::string file_;
  std::string section_;
  std::vector<Diagnostic> diagnostics_;
  std::size_t errors_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace assay::fkc
