#include "audit/worker/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "contracts/unicode.h"

namespace assay {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "assay-checkpoint/1\n";

/// The stage of the record that says that a run came to its end; no other has this name.
constexpr std::string_view kEnd = "end";

/// No audit takes longer: a hundred years.
constexpr double kMostSeconds = 100 * 365.25 * 86400;

/// What stands before the body of a record.
struct Head {
  std::uint64_t bytes;
  std::uint64_t sum;  ///< XXH3-64 of the body
};

[[noreturn]] void fail(const char* action, const fs::path& path) {
  throw std::system_error(errno, std::generic_category(),
                          fmt::format("cannot {} '{}'", action, path.string()));
}

/// False after an error, or at the end of the file, with what `errno` says.
bool read_whole(int descriptor, void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t count = ::read(descriptor, at, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

bool write_whole(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Texts and numbers one after another.
class Packer {
 public:
  template <typename T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void text(std::string_view text) {
    number<std::uint64_t>(text.size());
    bytes_.append(text);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads them back; `good` is false once something was not there.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  template <typename T>
  T number() {
    T value{};
    if (rest_.size() < sizeof(value)) {
      good_ = false;
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof(value));
    rest_.remove_prefix(sizeof(value));
    return value;
  }
  std::string text() {
    const auto bytes = number<std::uint64_t>();
    if (!good_ || rest_.size() < bytes) {
      good_ = false;
      return {};
    }
    std::string text(rest_.substr(0, bytes));
    rest_.remove_prefix(bytes);
    return text;
  }
  bool complete() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

/// The file, locked for this process: not for its children, which may outlive it for a moment.
int open_locked(const fs::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0) fail("open", path);
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  // ENOLCK and EINVAL: a file system without locks.
  if (::fcntl(descriptor, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
    ::close(descriptor);
    throw std::runtime_error(
        fmt::format("another audit is under way in '{}'; wait for its end, or choose another "
                    "folder",
                    path.parent_path().string()));
  }
  return descriptor;
}

}  // namespace

Checkpoint::Checkpoint(fs::path path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

Checkpoint::Checkpoint(Checkpoint&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      identity_(std::move(other.identity_)),
      earlier_seconds_(other.earlier_seconds_),
      opened_(other.opened_),
      failure_(std::move(other.failure_)),
      ended_(std::move(other.ended_)),
      closed_(other.closed_),
      cut_short_(other.cut_short_),
      stages_(std::move(other.stages_)) {}

Checkpoint::~Checkpoint() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Checkpoint Checkpoint::create(const fs::path& path, std::string_view identity) {
  Checkpoint made(path, open_locked(path, O_CREAT));
  // Emptied only once it is ours.
  if (::ftruncate(made.descriptor_, 0) != 0) fail("empty", path);
  made.identity_ = identity;
  if (!write_whole(made.descriptor_, kMagic)) fail("write", path);
  made.write(identity);
  if (!made.failure_.empty()) fail("write", path);
  return made;
}

Checkpoint Checkpoint::open(const fs::path& path) {
  Checkpoint taken(path, open_locked(path, 0));
  taken.read_all(Damage::kCutOff);
  return taken;
}

Checkpoint Checkpoint::read(const fs::path& path) {
  // A pipe would be waited for.
  Checkpoint taken(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (taken.descriptor_ < 0) fail("open", path);
  struct stat status = {};
  if (::fstat(taken.descriptor_, &status) != 0) fail("read", path);
  if (!S_ISREG(status.st_mode)) {
    throw UnfitRecord(fmt::format("'{}' is no file", path.string()));
  }
  if (static_cast<std::uint64_t>(status.st_size) > kMostShardBytes) {
    throw UnfitRecord(fmt::format("'{}' is too large for a shard: {} bytes, and {} at most",
                                  path.string(), status.st_size, kMostShardBytes));
  }
  taken.read_all(Damage::kRefused);
  // There may be more shards than a process may have files open.
  ::close(std::exchange(taken.descriptor_, -1));
  return taken;
}

Checkpoint Checkpoint::join(std::vector<Checkpoint> shards) {
  Checkpoint joined(fs::path(), -1);
  joined.closed_ = true;
  for (Checkpoint& shard : shards) {
    joined.earlier_seconds_ += shard.earlier_seconds_;
    joined.cut_short_ = joined.cut_short_ || !shard.ended_ || !shard.ended_->empty();
    for (auto& [stage, units] : shard.stages_) {
      auto& all = joined.stages_[stage];
      all.merge(units);
      if (units.empty()) continue;
      throw UnfitRecord(fmt::format("'{}' has work that another shard has too ({}: unit {})",
                                    shard.path_.string(), one_line(stage), units.begin()->first));
    }
  }
  return joined;
}

void Checkpoint::read_all(Damage damage) {
  const auto no_checkpoint = [this] {
    return UnfitRecord(fmt::format("'{}' is no checkpoint of an audit", path_.string()));
  };
  std::string magic(kMagic.size(), '\0');
  if (!read_whole(descriptor_, magic.data(), magic.size()) || magic != kMagic) {
    throw no_checkpoint();
  }
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  auto good = static_cast<off_t>(kMagic.size());  // where the last whole record ends
  if (end < 0 || ::lseek(descriptor_, good, SEEK_SET) < 0) fail("read", path_);
  bool identified = false;
  for (Head head{}; read_whole(descriptor_, &head, sizeof(head));) {
    const auto left = static_cast<std::uint64_t>(end - good) - sizeof(head);
    if (head.bytes > left) break;
    std::string body(head.bytes, '\0');
    if (!read_whole(descriptor_, body.data(), body.size())) break;
    if (XXH3_64bits(body.data(), body.size()) != head.sum) break;
    if (!identified) {
      identity_ = std::move(body);
      identified = true;
    } else {
      Unpacker from(body);
      const std::string stage = from.text();
      const auto unit = from.number<std::uint64_t>();
      const auto seconds = from.number<double>();
      KeptUnit kept;
      kept.state = from.number<std::uint8_t>();
      kept.place = from.number<std::uint64_t>();
      kept.work = from.number<std::uint64_t>();
      kept.what = from.text();
      kept.results = from.text();
      if (!from.complete()) break;
      // NaN is not between them either.
      if (!(seconds >= 0 && seconds <= kMostSeconds)) {
        throw UnfitRecord(
            fmt::format("'{}' says that an audit took {} seconds", path_.string(), seconds));
      }
      earlier_seconds_ = std::max(earlier_seconds_, seconds);
      ended_.reset();
      if (stage == kEnd) {
        ended_ = std::move(kept.what);
      } else {
        stages_[stage].insert_or_assign(unit, std::move(kept));
      }
    }
    good += static_cast<off_t>(sizeof(head) + head.bytes);
  }
  if (!identified) throw no_checkpoint();
  if (damage == Damage::kRefused) {
    if (good == end) return;
    throw UnfitRecord(
        fmt::format("'{}' is damaged, or was cut off: from byte {} of {} on there is no whole "
                    "record",
                    path_.string(), good, end));
  }
  if (::ftruncate(descriptor_, good) != 0 || ::lseek(descriptor_, good, SEEK_SET) < 0) {
    fail("repair", path_);
  }
}

std::map<std::uint64_t, KeptUnit> Checkpoint::take(std::string_view stage) {
  const auto found = stages_.find(stage);
  if (found == stages_.end()) return {};
  return std::move(stages_.extract(found).mapped());
}

void Checkpoint::keep(std::string_view stage, std::uint64_t unit, const KeptUnit& kept) {
  if (!failure_.empty()) return;
  ended_.reset();
  Packer body;
  body.text(stage);
  body.number(unit);
  body.number(earlier_seconds_ +
              std::chrono::duration<double>(std::chrono::steady_clock::now() - opened_).count());
  body.number(kept.state);
  body.number(kept.place);
  body.number(kept.work);
  body.text(kept.what);
  body.text(kept.results);
  write(body.bytes());
}

void Checkpoint::end(const std::string& why_early) {
  keep(kEnd, 0, {.state = 0, .place = 0, .work = 0, .what = why_early, .results = {}});
  if (failure_.empty()) ended_ = why_early;
}

void Checkpoint::write(std::string_view body) {
  const Head head{body.size(), XXH3_64bits(body.data(), body.size())};
  std::string record(reinterpret_cast<const char*>(&head), sizeof(head));
  record.append(body);
  if (!write_whole(descriptor_, record)) {
    failure_ = fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno));
  }
}

void Checkpoint::remove() {
  std::error_code ignored;  // a file that stays is resumed in no time, and gives the same report
  fs::remove(path_, ignored);
}

}  // namespace assay
