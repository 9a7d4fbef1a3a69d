// What is left behind in a process is seen, and what ends in time is not.
#include "audit/worker/process_resources.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "audit/worker/pool.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

/// In a process of its own, since there is no way to take back what is left behind.
bool in_child(bool (*check)()) {
  return run_in_child([&] { _exit(check() ? 0 : 1); }, std::chrono::seconds(20));
}

void leave_thread() {
  std::thread([] {
    for (;;) pause();
  }).detach();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("nothing left behind is nothing to tell") {
  CHECK(in_child([] {
    note_process_start();
    ResourceWatch watch;
    return watch.look().empty() && watch.look().empty();
  }));
}

TEST_CASE("an open file is told once, and what it is open on") {
  CHECK(in_child([] {
    note_process_start();
    ResourceWatch watch;
    watch.look();
    const int file = open("/dev/null", O_RDONLY);
    const std::string text = watch.look();
    return file >= 0 && contains(text, "1 file descriptor (") && contains(text, "/dev/null") &&
           !contains(text, "thread") && watch.look().empty();
  }));
}

TEST_CASE("a descriptor that is open on something else is another one") {
  CHECK(in_child([] {
    const int file = open("/dev/null", O_RDONLY);
    note_process_start();
    ResourceWatch watch;
    const int other = open("/dev/zero", O_RDONLY);
    dup2(other, file);
    close(other);
    return contains(watch.look(), "/dev/zero");
  }));
}

TEST_CASE("a thread that stays is told, with what came before the first look") {
  CHECK(in_child([] {
    note_process_start();
    leave_thread();
    leave_thread();
    ResourceWatch watch;
    return contains(watch.look(), "2 threads") && watch.look().empty();
  }));
}

TEST_CASE("a thread that is about to end is waited for") {
  CHECK(in_child([] {
    note_process_start();
    ResourceWatch watch;
    std::thread([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }).detach();
    return watch.look().empty();
  }));
}

TEST_CASE("threads that a library says it has pass, and are known from then on") {
  CHECK(in_child([] {
    note_process_start();
    ResourceWatch watch;
    leave_thread();
    if (!watch.look(true).empty() || !watch.look().empty()) return false;
    // One of a pool that goes while another comes is none.
    std::thread passing([] { std::this_thread::sleep_for(std::chrono::milliseconds(400)); });
    if (!watch.look(true).empty()) return false;
    passing.join();
    const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned more = 0; more + 1 < std::max(processors, 2u); ++more) leave_thread();
    if (!watch.look().empty()) return false;
    leave_thread();
    return watch.look() == "1 thread";
  }));
  CHECK(in_child([] {
    note_process_start();
    ResourceWatch watch;
    open("/dev/null", O_RDONLY);
    return contains(watch.look(true), "file descriptor");
  }));
}

TEST_CASE("a thread that takes another name is the same thread") {
  CHECK(in_child([] {
    note_process_start();
    ResourceWatch watch;
    prctl(PR_SET_NAME, "a) 1 2 3 (b");
    return watch.look().empty();
  }));
}

}  // namespace
}  // namespace assay
