#include "audit/worker/buffer.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "oracles/cast_oracle.h"

namespace assay {

namespace {
std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}
}  // namespace

GuardedPages::GuardedPages(std::size_t bytes) {
  const std::size_t page = page_size();
  size_ = (bytes + page - 1) / page * page;
  if (size_ == 0) size_ = page;
  void* memory = mmap(nullptr, size_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(), "cannot map guarded memory");
  }
  base_ = static_cast<unsigned char*>(memory);
  begin_ = base_ + page;
  set_writable(true);
}

GuardedPages::~GuardedPages() {
  munmap(base_, size_ + 2 * page_size());
}

bool GuardedPages::guards(const void* address) const {
  const auto* at = static_cast<const unsigned char*>(address);
  return (at >= base_ && at < begin_) || (at >= end() && at < end() + page_size());
}

bool GuardedPages::contains(const void* address) const {
  const auto* at = static_cast<const unsigned char*>(address);
  return at >= begin_ && at < end();
}

void GuardedPages::set_writable(bool writable) {
  if (mprotect(begin_, size_, writable ? PROT_READ | PROT_WRITE : PROT_READ) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot protect guarded memory");
  }
}

namespace {

thread_local sigjmp_buf return_point;
thread_local CaughtSignal caught;

extern "C" void on_fault(int signal, siginfo_t* info, void* context) {
  caught.signal = signal;
  caught.address = info->si_addr;
#if defined(__x86_64__)
  // Bit 1 of the page fault's error code: a write.
  caught.write = (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
#endif
  siglongjmp(return_point, 1);
}

}  // namespace

CaughtSignal run_catching(const std::function<void()>& call) {
  constexpr int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  struct sigaction old[4];
  for (int i = 0; i < 4; ++i) sigaction(signals[i], &action, &old[i]);
  const auto put_back = [&] {
    for (int i = 0; i < 4; ++i) sigaction(signals[i], &old[i], nullptr);
  };
  caught = {};
  try {
    if (sigsetjmp(return_point, 1) == 0) call();
  } catch (...) {
    put_back();  // a later fault must not jump to where nobody waits
    throw;
  }
  put_back();
  return caught;
}

namespace {

// Loops of one width each, which the compiler makes vectors of: tests of memory write much more
// than kernels do. `memory` may have any address.
template <typename Word>
void write_words(void* memory, const std::vector<Bits>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Word word = static_cast<Word>(values[i]);
    std::memcpy(static_cast<char*>(memory) + i * sizeof(Word), &word, sizeof(Word));
  }
}

template <typename Word>
void read_words(const void* memory, std::vector<Bits>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Word word;
    std::memcpy(&word, static_cast<const char*>(memory) + i * sizeof(Word), sizeof(Word));
    values[i] = word;
  }
}

}  // namespace

void write_elements(void* to, const std::vector<Bits>& values, Dtype dtype) {
  switch (traits(dtype).bytes()) {
    case 1:
      return write_words<std::uint8_t>(to, values);
    case 2:
      return write_words<std::uint16_t>(to, values);
    case 4:
      return write_words<std::uint32_t>(to, values);
    default:
      return write_words<std::uint64_t>(to, values);
  }
}

std::vector<Bits> read_elements(const void* from, std::size_t n, Dtype dtype) {
  std::vector<Bits> values(n);
  switch (traits(dtype).bytes()) {
    case 1:
      read_words<std::uint8_t>(from, values);
      break;
    case 2:
      read_words<std::uint16_t>(from, values);
      break;
    case 4:
      read_words<std::uint32_t>(from, values);
      break;
    default:
      read_words<std::uint64_t>(from, values);
  }
  return values;
}

}  // namespace assay
