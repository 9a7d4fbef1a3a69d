#include "audit/worker/buffer.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
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

void write_elements(void* to, const std::vector<Bits>& values, Dtype dtype) {
  for (std::size_t i = 0; i < values.size(); ++i) oracle::store(to, i, dtype, values[i]);
}

std::vector<Bits> read_elements(const void* from, std::size_t n, Dtype dtype) {
  std::vector<Bits> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = oracle::load(from, i, dtype);
  return values;
}

}  // namespace assay
