#include "audit/window/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "audit/judge/structure.h"

namespace assay::window {

void Room::reserve(std::size_t bytes) {
  if (pages_ == nullptr || pages_->size() < bytes + kSlack) {
    pages_ = std::make_unique<GuardedPages>(bytes + kSlack);
  }
}

unsigned char* Room::back(std::size_t bytes, std::size_t alignment) const {
  return pages_->end() - (bytes + alignment - 1) / alignment * alignment;
}

void Room::watch(unsigned char* at, std::size_t bytes) {
  at_ = at;
  bytes_ = bytes;
  const auto before = static_cast<std::size_t>(at - pages_->begin());
  watched_ = at - std::min(before, kWatched);
  const auto behind = static_cast<std::size_t>(pages_->end() - (at + bytes));
  const auto size = static_cast<std::size_t>(at - watched_) + bytes + std::min(behind, kWatched);
  std::memset(watched_, kCanary, size);
  contents_.resize(size);
}

void Room::remember() {
  std::memcpy(contents_.data(), watched_, contents_.size());
}

void Room::put(unsigned char* at, const std::vector<Bits>& values, Dtype dtype) {
  watch(at, values.size() * static_cast<std::size_t>(traits(dtype).bytes()));
  write_elements(at, values, dtype);
  remember();
}

void Room::put(unsigned char* at, std::size_t bytes, unsigned char old) {
  watch(at, bytes);
  if (bytes != 0) std::memset(at, old, bytes);
  remember();
}

std::size_t Room::first_change() const {
  const unsigned char* was = contents_.data() + (at_ - watched_);
  if (bytes_ == 0 || std::memcmp(was, at_, bytes_) == 0) return bytes_;  // the fast answer
  return static_cast<std::size_t>(std::mismatch(was, was + bytes_, at_).first - was);
}

bool Room::surroundings_changed() const {
  const auto before = static_cast<std::size_t>(at_ - watched_);
  const std::size_t behind = before + bytes_;
  return std::memcmp(watched_, contents_.data(), before) != 0 ||
         std::memcmp(watched_ + behind, contents_.data() + behind, contents_.size() - behind) != 0;
}

void Bench::lay_out(const Geometry& geometry, const Tensors& tensors) {
  geometry_ = geometry;
  case_.reset();
  before_ = 0;
  detail_.clear();
  call_ = dense_call(subject_.operation(), geometry);
  inputs_.clear();
  for (const std::vector<Bits>* values : tensors.inputs(subject_.operation(), geometry)) {
    inputs_.push_back(*values);
  }
  for (std::size_t t = 0; t < this->tensors(); ++t) {
    room(t).reserve(bytes(t));
    place(t, room(t).front());
  }
}

const std::string& Bench::name(std::size_t tensor) const {
  return is_output(tensor) ? subject_.operation().output_name()
                           : subject_.operation().input_name(tensor);
}

std::size_t Bench::bytes(std::size_t tensor) const {
  const std::size_t count =
      is_output(tensor) ? elements(call_.output.shape) : inputs_[tensor].size();
  return count * subject_.element_bytes();
}

void Bench::place(std::size_t tensor, unsigned char* at) {
  if (is_output(tensor)) {
    call_.output.data = at;
  } else {
    call_.inputs[tensor].data = at;
    room(tensor).put(at - before_ * subject_.element_bytes(), inputs_[tensor],
                     subject_.operation().dtype);
  }
}

void Bench::surround() {
  before_ = kMostAlignment / subject_.element_bytes();
  for (std::vector<Bits>& values : inputs_) {
    const std::vector<Bits> tensor = values.empty() ? std::vector<Bits>(1, 0) : values;
    const std::size_t behind = before_ + values.size();
    values.clear();
    // Backwards from the tensor's start, the pattern goes on.
    const std::size_t shift = tensor.size() - before_ % tensor.size();
    for (std::size_t i = 0; i < before_ + behind; ++i) {
      values.push_back(tensor[(i + shift) % tensor.size()]);
    }
  }
  for (std::size_t t = 0; t < tensors(); ++t) {
    room(t).reserve(bytes(t) + (is_output(t) ? 2 * kMostAlignment : 0));
    place(t, room(t).front() + kMostAlignment);
  }
}

Bits Bench::value(std::size_t input, std::int64_t index) const {
  return inputs_[input].at(static_cast<std::size_t>(static_cast<std::int64_t>(before_) + index));
}

Reply Bench::attempt(Call& call, unsigned char old) {
  rooms_[kOutputRoom].put(call_.output.data, bytes(call_.inputs.size()), old);
  subject_.heartbeat.at(++tally_.planned);
  Reply reply = make_call(subject_.variant, call, subject_.environment, true);
  note_input_changes(reply);
  return reply;
}

void Bench::note_input_changes(const Reply& reply) {
  const Case* the_case = case_ ? &*case_ : nullptr;
  if (reply.inputs_changed.any()) {
    add_input_change(tally_, the_case, circumstances(),
                     description_change(subject_.operation(), reply));
  }
  for (std::size_t i = 0; i < call_.inputs.size(); ++i) {
    const std::size_t byte = room(i).first_change();
    if (byte == bytes(i)) continue;
    // What lies around a tensor for views may be written in its place.
    add_input_change(tally_, the_case, circumstances(),
                     before_ == 0 ? element_change(subject_.operation(), i, byte)
                                  : fmt::format("the kernel writes to its input `{}`", name(i)));
    place(i, call_.inputs[i].data);
  }
}

bool Bench::carried_out(const Reply& reply) {
  if (reply.signal.signal != 0) {
    put_fault(tally_, CallFault::kRefused,
              fmt::format("{} ({})", ended_text(reply.signal), circumstances()));
    return false;
  }
  CallFault fault = CallFault::kNone;
  const std::string text = fault_of(reply, subject_.variant, fault);
  if (fault == CallFault::kNone) {
    ++tally_.probes;
    return true;
  }
  put_fault(tally_, fault, fmt::format("{} ({})", text, circumstances()));
  return false;
}

bool Bench::output_touched() const {
  return rooms_[kOutputRoom].changed() || rooms_[kOutputRoom].surroundings_changed();
}

std::vector<Bits> Bench::results() const {
  return read_elements(call_.output.data, elements(call_.output.shape), subject_.operation().dtype);
}

std::vector<Bits> Bench::again(unsigned char old) {
  const Reply reply = attempt(old);
  --tally_.planned;
  if (reply.signal.signal != 0 || reply.status != KernelStatus::kOk) return {};
  return results();
}

std::string Bench::circumstances() const {
  const std::string text = window::describe(subject_.operation(), geometry_);
  return detail_.empty() ? text : detail_ + "; " + text;
}

std::string ended_text(const CaughtSignal& signal) {
  return fmt::format("the call ended with {}", strsignal(signal.signal));
}

}  // namespace assay::window
