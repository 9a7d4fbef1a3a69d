#include "audit/score/processes.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>

#include "audit/score/json.h"
#include "audit/worker/shared_array.h"
#include "audit/worker/stop_signals.h"

namespace assay::score {

namespace {

using Clock = std::chrono::steady_clock;

/// One process, what it has said so far, and which case it is at.
struct Process {
  pid_t pid = -1;
  int from = -1;
  std::string said;
};

struct Shared {
  std::atomic<std::uint64_t> next{0};
};

void write_all(int to, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(to, text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) _exit(1);
    if (n > 0) at += static_cast<std::size_t>(n);
  }
}

Scored failed(const Mutant& mutant, const std::string& why) {
  Scored score = unscored(mutant);
  score.outcome = Outcome::kFailed;
  score.why = why;
  return score;
}

/// Runs one case after the other and says what came of each; before that, which it is at.
[[noreturn]] void work(const std::vector<Mutant>& mutants, const AuditOptions& options,
                       const Deadline& deadline, Shared& shared, int to) {
  for (;;) {
    const std::uint64_t i = shared.next.fetch_add(1);
    if (i >= mutants.size() || stop_requested()) break;
    AuditOptions own = options;
    if (deadline) {
      const std::chrono::duration<double> left = *deadline - Clock::now();
      if (left.count() <= 0) break;
      own.time_budget = left;
    }
    write_all(to, std::to_string(i) + "\n");
    Scored score;
    try {
      score = scored(mutants[i], own);
    } catch (const std::exception& error) {
      score = failed(mutants[i], error.what());
    }
    write_all(to, json_of(score).dump() + "\n");
  }
  std::fflush(nullptr);
  _exit(0);
}

std::string words_for(int status) {
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

class Parent {
 public:
  Parent(const std::vector<Mutant>& mutants, const ProcessOptions& options)
      : mutants_(mutants), options_(options) {
    for (const Mutant& mutant : mutants) scores_.push_back(unscored(mutant));
  }

  /// Whole lines of what a process has said: a number, then what became of that case.
  void hear(Process& process) {
    for (std::size_t end; (end = process.said.find('\n')) != std::string::npos;) {
      const std::string line = process.said.substr(0, end);
      process.said.erase(0, end + 1);
      if (line.front() != '{') {
        at_[process.pid] = std::stoull(line);
        continue;
      }
      take(at_[process.pid], from_json(nlohmann::json::parse(line)));
      at_.erase(process.pid);
    }
  }

  void ended(const Process& process, int status) {
    const auto at = at_.find(process.pid);
    if (at == at_.end()) return;
    take(at->second, failed(mutants_[at->second], "its process ended: " + words_for(status)));
  }

  std::vector<Scored> scores() { return std::move(scores_); }

 private:
  void take(std::uint64_t i, Scored score) {
    scores_[i] = std::move(score);
    if (options_.done) options_.done(scores_[i]);
  }

  const std::vector<Mutant>& mutants_;
  const ProcessOptions& options_;
  std::vector<Scored> scores_;
  std::map<pid_t, std::uint64_t> at_;
};

}  // namespace

std::vector<Scored> score_all(const std::vector<Mutant>& mutants, const AuditOptions& options,
                              const ProcessOptions& processes) {
  const StopSignals signals;
  SharedArray<Shared> shared(1);
  Parent parent(mutants, processes);
  std::vector<Process> running;
  const auto start_one = [&] {
    int ends[2];
    if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    std::fflush(nullptr);
    const pid_t pid = fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid == 0) {
      close(ends[0]);
      for (const Process& other : running) close(other.from);
      work(mutants, options, processes.deadline, shared[0], ends[1]);
    }
    close(ends[1]);
    running.push_back({pid, ends[0], {}});
  };
  for (unsigned i = 0; i < processes.processes; ++i) start_one();
  while (!running.empty()) {
    std::vector<pollfd> waiting;
    for (const Process& process : running) waiting.push_back({process.from, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "poll");
    }
    std::vector<Process> left;
    unsigned lost = 0;
    for (std::size_t i = 0; i < running.size(); ++i) {
      Process& process = running[i];
      if (waiting[i].revents == 0) {
        left.push_back(process);
        continue;
      }
      char text[4096];
      const ssize_t n = read(process.from, text, sizeof(text));
      if (n > 0) {
        process.said.append(text, static_cast<std::size_t>(n));
        parent.hear(process);
      }
      if (n > 0 || (n < 0 && errno == EINTR)) {
        left.push_back(process);
        continue;
      }
      close(process.from);
      int status = 0;
      while (waitpid(process.pid, &status, 0) < 0 && errno == EINTR) continue;
      parent.ended(process, status);
      lost += status != 0 ? 1 : 0;
    }
    running = std::move(left);
    for (; lost > 0 && !stop_requested(); --lost) start_one();
  }
  return parent.scores();
}

}  // namespace assay::score
