// An array in memory that worker processes share with their parent.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <new>
#include <system_error>
#include <type_traits>

namespace assay {

/// Zero-filled elements, mapped before the workers are forked and seen by all of them. Elements are
/// written by one process at a time; what makes a write visible is the pool's completion flag.
template <typename T>
class SharedArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit SharedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* memory = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      throw std::system_error(errno, std::generic_category(), "cannot map shared memory");
    }
    data_ = static_cast<T*>(memory);
  }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;
  ~SharedArray() {
    if (data_ != nullptr) munmap(data_, size_ * sizeof(T));
  }

  /// For this process and those it forks from now on: a write ends them.
  void make_read_only() {
    if (data_ != nullptr && mprotect(data_, size_ * sizeof(T), PROT_READ) != 0) {
      throw std::system_error(errno, std::generic_category(), "cannot protect shared memory");
    }
  }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

}  // namespace assay
