// The finished work of an audit in a file, so that its end, whatever brings it about, loses none.
//
// The file is a log: the identity of the audit, then one record for each unit that is over. A
// record carries its length and a checksum; what a sudden end left half-written is seen and cut
// off.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {

/// What is known of a unit that is over.
struct KeptUnit {
  std::uint8_t state = 0;   ///< of the pool's UnitState
  std::uint64_t place = 0;  ///< of the last heartbeat, for a crash or hang
  std::uint64_t work = 0;   ///< done in it, in the units that progress is shown in
  std::string what;         ///< how it was lost, if it was
  std::string results;      ///< bytes, as the unit's worker left them
};

/// Records that are not those of the audit that reads them.
class UnfitRecord : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Larger files are not read as shards.
inline constexpr std::uint64_t kMostShardBytes = std::uint64_t{4} << 30;

/// One process at a time has a checkpoint open: it holds a lock on the file. Not thread-safe.
class Checkpoint {
 public:
  /// Starts a new file with this identity (any text), in place of one that is there. Throws
  /// std::system_error, and std::runtime_error while another process has it open.
  static Checkpoint create(const std::filesystem::path& path, std::string_view identity);
  /// Takes up a file. What follows the last whole record is cut off. Throws as `create`, and
  /// std::runtime_error where the file is no checkpoint.
  static Checkpoint open(const std::filesystem::path& path);

  /// Reads the file of a shard, and leaves it as it is. Throws std::system_error, and
  /// UnfitRecord where the file is no checkpoint, is damaged anywhere, or is too large.
  static Checkpoint read(const std::filesystem::path& path);
  /// The units of all these, closed: nothing is run any more. Throws UnfitRecord where two have the
  /// same unit.
  static Checkpoint join(std::vector<Checkpoint> shards);

  Checkpoint(Checkpoint&& other) noexcept;
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  Checkpoint& operator=(Checkpoint&&) = delete;
  ~Checkpoint();

  const std::string& identity() const { return identity_; }

  /// Seconds that the audit had run when the last unit was kept that the file held at its opening,
  /// all its runs together.
  double earlier_seconds() const { return earlier_seconds_; }

  /// The units of this stage (a part of the audit with a name of its own) that were kept before the
  /// file was opened; each is handed out once, to spare memory.
  std::map<std::uint64_t, KeptUnit> take(std::string_view stage);

  /// Keeps a unit. When the file cannot be written (a full disk), `failure` says so from then on
  /// and nothing more is kept: the audit itself goes on.
  void keep(std::string_view stage, std::uint64_t unit, const KeptUnit& kept);
  const std::string& failure() const { return failure_; }

  /// Notes that the run came to its end, and why early, if so. Units that are kept later, by
  /// another run, open it again.
  void end(const std::string& why_early);
  /// What `end` was told last, as far as nothing was kept since; nothing where the run is under way
  /// or was cut off.
  const std::optional<std::string>& ended() const { return ended_; }

  bool is_closed() const { return closed_; }
  /// Of a closed one: some shard came to its end early, so that units may be missing.
  bool is_cut_short() const { return cut_short_; }
  /// Whether there are units that nobody has taken.
  bool has_more() const { return !stages_.empty(); }

  /// Removes the file, once everything is done and reported.
  void remove();

 private:
  Checkpoint(std::filesystem::path path, int descriptor);
  enum class Damage { kCutOff, kRefused };
  void read_all(Damage damage);
  void write(std::string_view body);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string identity_;
  double earlier_seconds_ = 0;
  std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
  std::string failure_;
  std::optional<std::string> ended_;
  bool closed_ = false;
  bool cut_short_ = false;
  std::map<std::string, std::map<std::uint64_t, KeptUnit>, std::less<>> stages_;
};

/// Memory of a unit's results.
using ResultBytes = std::vector<std::span<std::byte>>;

/// `count` elements from `first` as such memory. Only types that are the same bytes in any process
/// will do: no pointers.
template <typename T>
std::span<std::byte> result_bytes(T& first, std::size_t count = 1) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_writable_bytes(std::span<T>(&first, count));
}

}  // namespace assay
