// Calls over tensors of which every byte is known before and looked at afterwards.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/window/subject.h"

namespace assay::window {

/// Bytes on each side of a tensor that are watched for writes, as far as its pages reach.
inline constexpr std::size_t kWatched = 1024;

/// What watched bytes and untouched outputs hold.
inline constexpr unsigned char kCanary = 0xc5;

/// The memory of one tensor: pages between two that must not be touched.
class Room {
 public:
  /// At least `bytes`, and kSlack more. What lay there before is lost.
  void reserve(std::size_t bytes);

  unsigned char* front() const { return pages_->begin(); }
  /// The last place where `bytes` fit and start at a multiple of `alignment`.
  unsigned char* back(std::size_t bytes, std::size_t alignment) const;
  GuardedPages& pages() const { return *pages_; }

  /// A tensor of these values at `at`, and canaries around it.
  void put(unsigned char* at, const std::vector<Bits>& values, Dtype dtype);
  /// A tensor of `bytes` that hold `old` at `at`, and canaries around it.
  void put(unsigned char* at, std::size_t bytes, unsigned char old);

  /// Since the tensor was put there. The first byte of the tensor that changed, or its size.
  std::size_t first_change() const;
  bool changed() const { return first_change() != bytes_; }
  bool surroundings_changed() const;

 private:
  void watch(unsigned char* at, std::size_t bytes);
  void remember();

  std::unique_ptr<GuardedPages> pages_;
  unsigned char* at_ = nullptr;
  std::size_t bytes_ = 0;
  unsigned char* watched_ = nullptr;     ///< start of the watched stretch
  std::vector<unsigned char> contents_;  ///< of the watched stretch, as put
};

/// The tensors of a case in memory, and calls over them. Whatever a call is made for, a changed
/// input, or a changed description of one, goes to the tally's `input_changes`.
class Bench {
 public:
  /// All must outlive the bench.
  Bench(Subject& subject, CallTally& tally) : subject_(subject), tally_(tally) {}

  /// Each tensor at the front of a room of its own. `call()` is the dense call over them.
  void lay_out(const Geometry& geometry, const Tensors& tensors);
  /// The same of the tensors of a case, which examples then name.
  void lay_out(const Case& the_case, const Tensors& tensors) {
    lay_out(the_case.geometry, tensors);
    case_ = the_case;
  }
  void lay_out(const Case& the_case) {
    lay_out(the_case, make_tensors(subject_.operation(), the_case));
  }

  Call& call() { return call_; }
  const Geometry& geometry() const { return geometry_; }
  /// The inputs, in order, and the output.
  std::size_t tensors() const { return call_.inputs.size() + 1; }
  bool is_output(std::size_t tensor) const { return tensor == call_.inputs.size(); }
  const std::string& name(std::size_t tensor) const;
  Room& room(std::size_t tensor) { return rooms_[is_output(tensor) ? kOutputRoom : tensor]; }
  std::size_t bytes(std::size_t tensor) const;  ///< of what lies in its room
  /// Moves a tensor within its room.
  void place(std::size_t tensor, unsigned char* at);
  /// Gives every tensor a page of elements before it and behind it in its room, for views: those of
  /// inputs repeat its values.
  void surround();
  /// The element of an input's room at `index` from the tensor's first.
  Bits value(std::size_t input, std::int64_t index) const;

  /// One probe: makes the call, caught, over an output that holds `old`. What it does to inputs is
  /// noted. The first form makes call().
  Reply attempt(unsigned char old = kCanary) { return attempt(call_, old); }
  Reply attempt(Call& call, unsigned char old = kCanary);

  /// Whether a valid call was carried out: then counts the probe. Else notes the fault.
  bool carried_out(const Reply& reply);

  /// Both in one: whether the valid call() was carried out.
  bool run(unsigned char old = kCanary) { return carried_out(attempt(old)); }
  /// Whether the last call wrote to the output's room.
  bool output_touched() const;
  /// The output of the last call(), row-major.
  std::vector<Bits> results() const;

  /// The results of call() made once more, uncounted; none if it fails.
  std::vector<Bits> again(unsigned char old = kCanary);

  /// The call in words, and what is particular about it.
  std::string circumstances() const;
  void set_detail(std::string detail) { detail_ = std::move(detail); }

 private:
  static constexpr std::size_t kOutputRoom = 3;

  void note_input_changes(const Reply& reply);

  Subject& subject_;
  CallTally& tally_;
  Geometry geometry_;
  std::optional<Case> case_;  ///< whose tensors they are, if they are those of one
  Call call_;
  std::vector<std::vector<Bits>> inputs_;  ///< what lies in their rooms
  std::size_t before_ = 0;                 ///< elements there before the tensor's first
  Room rooms_[kOutputRoom + 1];
  std::string detail_;
};

/// "the call ended with SIGSEGV's name".
std::string ended_text(const CaughtSignal& signal);

}  // namespace assay::window
