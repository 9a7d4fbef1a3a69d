#include "audit/worker/process_resources.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

namespace assay {

namespace {

namespace fs = std::filesystem;

/// How long a thread that has done its work may take to be gone.
constexpr std::chrono::milliseconds kTimeToEnd{200};

std::optional<ProcessResources>& process_start() {
  static std::optional<ProcessResources> start;
  return start;
}

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Of a line of proc(5)'s `stat`: field 22. The second field is a name in brackets, and may hold
/// anything.
std::string start_time(const std::string& stat) {
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;
  return field;
}

/// The entries of a folder whose names are numbers. Those that are gone before they can be read (as
/// is the descriptor of this very look) are none.
template <typename Describe>
std::map<int, std::string> numbered(const char* folder, Describe&& describe) {
  std::map<int, std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    int number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec != std::errc()) continue;
    found.emplace(number, describe(number, it->path()));
  }
  return found;
}

/// Those of `now` that `before` has not.
std::map<int, std::string> added(const std::map<int, std::string>& before,
                                 const std::map<int, std::string>& now) {
  std::map<int, std::string> result;
  for (const auto& [number, what] : now) {
    const auto old = before.find(number);
    if (old == before.end() || old->second != what) result.emplace(number, what);
  }
  return result;
}

/// What a descriptor is open on, by what stays when a file gets another name.
std::string identity(int number, const std::string& link) {
  struct stat file = {};
  if (fstat(number, &file) != 0) return {};
  const bool named =
      link.starts_with('/') && !link.starts_with("/proc/") && !link.starts_with("/dev/");
  return fmt::format("{}, inode {} of device {}", named ? "a file" : link, file.st_ino,
                     file.st_dev);
}

std::string count_text(std::size_t count, const char* what) {
  return count == 0 ? std::string() : fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

ProcessResources ProcessResources::current() {
  ProcessResources now;
  now.threads = numbered("/proc/self/task", [](int, const fs::path& path) {
    return start_time(first_line(path / "stat"));
  });
  now.descriptors = numbered("/proc/self/fd", [](int number, const fs::path& path) {
    std::error_code gone;
    const std::string link = fs::read_symlink(path, gone).string();
    const bool own = link.starts_with("/proc/") && link.ends_with("/fd");  // of this very look
    return own ? std::string() : identity(number, link);
  });
  std::erase_if(now.descriptors, [](const auto& entry) { return entry.second.empty(); });
  return now;
}

void note_process_start() {
  process_start() = ProcessResources::current();
}

ResourceWatch::ResourceWatch() {
  if (!process_start()) note_process_start();
  known_ = *process_start();
}

std::size_t ResourceWatch::new_threads(const ProcessResources& now) const {
  const std::size_t added_threads = added(known_.threads, now.threads).size();
  if (allowed_threads_ == 0) return added_threads;
  // A pool that grows and shrinks with the work has other threads each time.
  const std::size_t count = now.threads.size();
  return std::min(added_threads, count > allowed_threads_ ? count - allowed_threads_ : 0);
}

std::string ResourceWatch::look(bool own_threads) {
  const auto until = std::chrono::steady_clock::now() + kTimeToEnd;
  ProcessResources now = ProcessResources::current();
  if (own_threads) {
    const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
    allowed_threads_ = std::max({allowed_threads_, now.threads.size(), 1 + processors});
  }
  const auto descriptors = [&] { return added(known_.descriptors, now.descriptors); };
  while ((new_threads(now) > 0 || !descriptors().empty()) &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    now = ProcessResources::current();
  }
  const std::size_t threads = new_threads(now);
  std::string text = count_text(threads, "thread");
  const std::map<int, std::string> files = descriptors();
  if (!text.empty() && !files.empty()) text += " and ";
  text += count_text(files.size(), "file descriptor");
  if (!files.empty()) text += " (" + files.begin()->second + (files.size() > 1 ? ", ...)" : ")");
  if (allowed_threads_ > 0) allowed_threads_ += threads;  // each is told once
  known_ = std::move(now);
  return text;
}

}  // namespace assay
