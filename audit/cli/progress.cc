#include "audit/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace assay::cli {

namespace {

constexpr int kBarWidth = 30;
constexpr std::chrono::seconds kBetweenLines{10};

std::string count_text(double count) {
  if (count >= 1e9) return fmt::format("{:.3g} G", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.3g} M", count / 1e6);
  return fmt::format("{:.0f}", count);
}

std::string rate_text(double per_second) {
  if (per_second >= 1e9) return fmt::format("{:.2f} G/s", per_second / 1e9);
  if (per_second >= 1e6) return fmt::format("{:.1f} M/s", per_second / 1e6);
  return fmt::format("{:.0f} /s", per_second);
}

/// Progress that cannot be shown is no reason to stop.
void show_text(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

/// From the rate so far, which says little before a part is done.
std::string left_text(double share, double elapsed) {
  if (share < 0.01) return "time left not known yet";
  const double seconds = std::max(0.0, elapsed * (1 - share) / share);
  if (seconds < 60) return fmt::format("{:.0f} s left", seconds);
  return fmt::format("{:.0f} min left", seconds / 60);
}

}  // namespace

ProgressBar::ProgressBar()
    : terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_line_(start_) {}

void ProgressBar::show(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (progress.stage != stage_) {
    stage_ = progress.stage;
    start_ = now;
  }
  if (!terminal_ && now - last_line_ < kBetweenLines) return;
  last_line_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  // More than was planned is no part of it, and the bar is no longer than itself.
  const double share = progress.done >= progress.total ? 1
                                                       : static_cast<double>(progress.done) /
                                                             static_cast<double>(progress.total);
  const double rate = seconds > 0 ? static_cast<double>(progress.done) / seconds : 0;
  const std::string numbers = fmt::format("{}: {:3.0f} % of {} probes, {}, {}", stage_, share * 100,
                                          count_text(static_cast<double>(progress.total)),
                                          rate_text(rate), left_text(share, seconds));
  if (terminal_) {
    const int filled = static_cast<int>(share * kBarWidth);
    show_text(
        fmt::format("\r[{:=<{}}{: <{}}] {}\x1b[K", "", filled, "", kBarWidth - filled, numbers));
    drawn_ = true;
  } else {
    show_text(fmt::format("assay: {}\n", numbers));
  }
}

void ProgressBar::finish() {
  if (drawn_) show_text("\r\x1b[K");
  drawn_ = false;
}

}  // namespace assay::cli
