// Memory between pages that nobody may touch, for tests of what a kernel reads and writes.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <stdexcept>

namespace assay::testing {

class GuardedPages {
 public:
  /// Whole pages, for `size` bytes or more.
  explicit GuardedPages(std::size_t size) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    size_ = (size + page_ - 1) / page_ * page_;
    if (size_ == 0) size_ = page_;
    void* pages = mmap(nullptr, size_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::runtime_error("mmap");
    base_ = static_cast<std::byte*>(pages);
    if (mprotect(base_ + page_, size_, PROT_READ | PROT_WRITE) != 0) {
      throw std::runtime_error("mprotect");
    }
  }
  ~GuardedPages() { munmap(base_, size_ + 2 * page_); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  std::byte* begin() { return base_ + page_; }
  std::byte* end() { return begin() + size_; }

 private:
  std::size_t page_;
  std::size_t size_;
  std::byte* base_;
};

}  // namespace assay::testing
