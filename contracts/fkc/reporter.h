// Collects the faults of one document.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contracts/fkc/diagnostic.h"
#include "contracts/fkc/kind.h"

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
  /// Longer messages and headings are cut: they quote the document.
  static constexpr std::size_t kMaxTextBytes = 500;

  /// `strict`: a deviation is an error.
  explicit Reporter(std::string file, bool strict = false)
      : file_(std::move(file)), strict_(strict) {}

  /// The section that later faults belong to; empty for none.
  void enter_section(std::string_view heading);

  /// A fault of this severity at `place`, which is {0, 0} for the document as a whole. Texts are
  /// cut after `kMaxTextBytes`.
  void error(FaultKind kind, Place place, const std::string& message,
             const std::string& hint = {}) {
    add(Severity::kError, kind, place, message, hint);
  }
  void warning(FaultKind kind, Place place, const std::string& message,
               const std::string& hint = {}) {
    add(Severity::kWarning, kind, place, message, hint);
  }
  void note(FaultKind kind, Place place, const std::string& message, const std::string& hint = {}) {
    add(Severity::kNote, kind, place, message, hint);
  }

  /// What the letter of the specification refuses although it harms no claim: an error for strict
  /// readers, a warning for others.
  void deviation(FaultKind kind, Place place, const std::string& message,
                 const std::string& hint = {}) {
    add(strict_ ? Severity::kError : Severity::kWarning, kind, place, message, hint);
  }

  /// A fault that another reporter of the same file collected; its kind is one of `kKinds`.
  void forward(const Diagnostic& fault) {
    add(fault.severity, fault.kind, {fault.line, fault.column}, fault.message, fault.hint);
  }

  /// Errors so far, those beyond `kMaxDiagnostics` included.
  std::size_t errors() const { return errors_; }

  const std::string& file() const { return file_; }
  bool strict() const { return strict_; }

  /// The faults in the order of their places, TooManyFaults behind them if some were dropped;
  /// closes the report.
  std::vector<Diagnostic> take();

 private:
  void add(Severity severity, FaultKind kind, Place place, const std::string& message,
           const std::string& hint) {
    add(severity, kind.name(), place, message, hint);
  }
  void add(Severity severity, std::string_view kind, Place place, const std::string& message,
           const std::string& hint);

  std::string file_;
  bool strict_;
  std::string section_;
  std::vector<Diagnostic> diagnostics_;
  std::size_t errors_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace assay::fkc
