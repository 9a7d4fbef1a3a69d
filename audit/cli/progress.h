// Progress of a long run on standard error: a bar on a terminal, a plain line now and then
// elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "audit/options.h"

namespace assay::cli {

class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { finish(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& progress);
  /// Clears the bar.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point start_;
  Clock::time_point last_line_;
};

}  // namespace assay::cli
