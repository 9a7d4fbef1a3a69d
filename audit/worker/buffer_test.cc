// Memory between forbidden pages, and what is caught there.
#include "audit/worker/buffer.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

void read_byte(const unsigned char* at) {
  [[maybe_unused]] const unsigned char byte = *static_cast<const volatile unsigned char*>(at);
}
void write_byte(unsigned char* at) {
  *static_cast<volatile unsigned char*>(at) = 1;
}

TEST_CASE("guarded pages have room for what was asked, all of it writable") {
  for (const std::size_t bytes : {0u, 1u, 4095u, 4096u, 4097u, 100000u}) {
    const GuardedPages pages(bytes);
    CAPTURE(bytes);
    CHECK(pages.size() >= bytes);
    CHECK(pages.size() < bytes + 2 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    CHECK(run_catching([&] {
            write_byte(pages.begin());
            write_byte(pages.end() - 1);
          }).signal == 0);
    CHECK(pages.contains(pages.begin()));
    CHECK(pages.contains(pages.end() - 1));
    CHECK_FALSE(pages.contains(pages.end()));
    CHECK_FALSE(pages.contains(pages.begin() - 1));
    CHECK_FALSE(pages.guards(pages.begin()));
    CHECK_FALSE(pages.guards(pages.end() - 1));
    CHECK(pages.guards(pages.begin() - 1));
    CHECK(pages.guards(pages.end()));
  }
}

TEST_CASE("a byte read or written beside guarded pages is caught at its address") {
  const GuardedPages pages(100);
  for (unsigned char* at : {pages.begin() - 1, pages.end()}) {
    const CaughtSignal read = run_catching([&] { read_byte(at); });
    CHECK(read.signal == SIGSEGV);
    CHECK(read.address == at);
    CHECK_FALSE(read.write);
    CHECK(pages.guards(read.address));
    const CaughtSignal written = run_catching([&] { write_byte(at); });
    CHECK(written.signal == SIGSEGV);
    CHECK(written.address == at);
#if defined(__x86_64__)
    CHECK(written.write);
#endif
  }
}

TEST_CASE("guards of one buffer are not those of another") {
  const GuardedPages one(100);
  const GuardedPages other(100);
  const CaughtSignal caught = run_catching([&] { read_byte(other.end()); });
  CHECK(other.guards(caught.address));
  CHECK_FALSE(one.contains(caught.address));
}

TEST_CASE("read-only pages can be read and not written, until they are writable again") {
  GuardedPages pages(100);
  pages.begin()[5] = 42;
  pages.set_writable(false);
  CHECK(run_catching([&] { read_byte(pages.begin() + 5); }).signal == 0);
  const CaughtSignal caught = run_catching([&] { write_byte(pages.begin() + 5); });
  CHECK(caught.signal == SIGSEGV);
  CHECK(caught.address == pages.begin() + 5);
  CHECK(pages.contains(caught.address));
  CHECK(pages.begin()[5] == 42);
  pages.set_writable(true);
  CHECK(run_catching([&] { write_byte(pages.begin() + 5); }).signal == 0);
  CHECK(pages.begin()[5] == 1);
}

TEST_CASE("other signals are caught too, and the handlers are put back") {
  struct sigaction before = {};
  sigaction(SIGFPE, nullptr, &before);
  CHECK(run_catching([] { raise(SIGFPE); }).signal == SIGFPE);
  CHECK(run_catching([] { raise(SIGILL); }).signal == SIGILL);
  CHECK(run_catching([] { raise(SIGBUS); }).signal == SIGBUS);
  CHECK(run_catching([] {}).signal == 0);
  struct sigaction after = {};
  sigaction(SIGFPE, nullptr, &after);
  CHECK(before.sa_handler == after.sa_handler);
}

TEST_CASE("elements written are elements read, in every width") {
  for (const DtypeTraits& format : kDtypes) {
    const std::vector<Bits> values = {0, 1, format.all_mask(), format.sign_mask(), 42};
    unsigned char memory[64] = {};
    write_elements(memory, values, format.dtype);
    CAPTURE(format.name);
    CHECK(read_elements(memory, values.size(), format.dtype) == values);
    CHECK(memory[values.size() * static_cast<std::size_t>(format.bytes())] == 0);
  }
}

TEST_CASE("an exception out of a caught call leaves the signals' handlers as they were") {
  struct sigaction before = {};
  sigaction(SIGSEGV, nullptr, &before);
  CHECK_THROWS_AS(run_catching([] { throw std::runtime_error("no"); }), std::runtime_error);
  struct sigaction after = {};
  sigaction(SIGSEGV, nullptr, &after);
  CHECK(after.sa_sigaction == before.sa_sigaction);
}

}  // namespace
}  // namespace assay
