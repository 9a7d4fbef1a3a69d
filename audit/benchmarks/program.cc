#include "audit/benchmarks/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace assay::benchmarks {

namespace {

/// A folder of this process's own, removed with all that is in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), "cannot make a folder");
    }
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// KiB of a process; 0 where it is over.
double proportional_set_size(pid_t process) {
  std::ifstream rollup(fmt::format("/proc/{}/smaps_rollup", process));
  std::string line;
  while (std::getline(rollup, line)) {
    if (line.starts_with("Pss:")) return std::atof(line.c_str() + 4);
  }
  return 0;
}

/// KiB of a process and all that it started.
double family_set_size(pid_t process) {
  double total = proportional_set_size(process);
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  pid_t child = 0;
  while (children >> child) total += family_set_size(child);
  return total;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

pid_t started(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  const int failed = posix_spawn(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::system_error(failed, std::generic_category(), arguments[0]);
  return process;
}

}  // namespace

ProgramRun run_assay(std::vector<std::string> arguments) {
  const Folder out;
  arguments.insert(arguments.begin(), ASSAY_PROGRAM);
  if (arguments[1] == "audit") {
    arguments.insert(arguments.end(), {"--quiet", "--out", out.path().string()});
  }
  ProgramRun run;
  int status = 0;
  rusage used{};
  const auto start = std::chrono::steady_clock::now();
  const pid_t process = started(arguments);
  {
    const std::jthread watch([&](const std::stop_token& over) {
      while (!over.stop_requested()) {
        run.peak_mebibytes = std::max(run.peak_mebibytes, family_set_size(process) / 1024);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
    while (wait4(process, &status, 0, &used) < 0 && errno == EINTR) {
    }
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  run.processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(WIFEXITED(status)
                                 ? fmt::format("exit status {}", WEXITSTATUS(status))
                                 : fmt::format("ended by signal {}", WTERMSIG(status)));
  }
  return run;
}

}  // namespace assay::benchmarks
