#include "audit/fuzz/placed_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "audit/fuzz/window_calls.h"
#include "audit/judge/structure.h"
#include "audit/window/bench.h"

namespace assay::fuzz {

namespace {

constexpr std::size_t kRoom = kMostTensorElements * sizeof(Bits) + 4096;

unsigned char* at(const GuardedPages& pages, std::size_t bytes, std::size_t alignment,
                  const Places::Place& place) {
  const std::size_t step = place.steps * alignment;
  if (!place.at_end) return pages.begin() + step;
  return pages.begin() + (pages.size() - step - bytes) / alignment * alignment;
}

}  // namespace

Places Places::from(ByteReader& bytes) {
  Places places;
  for (Place& place : places.tensors) {
    const std::uint8_t byte = bytes.byte();
    place = {byte >= 128, static_cast<std::size_t>(byte & 15)};
  }
  places.old = bytes.byte();
  return places;
}

std::string Places::text() const {
  std::string all;
  for (const Place& place : tensors) {
    all += fmt::format("{}{} steps from the {}", all.empty() ? "tensors " : ", ", place.steps,
                       place.at_end ? "end" : "start");
  }
  return all;
}

Placed call_in_places(const window::Job& job, const KernelVariant& variant,
                      const window::Specimen& specimen, const Places& places) {
  static const GuardedPages rooms[4] = {GuardedPages(kRoom), GuardedPages(kRoom),
                                        GuardedPages(kRoom), GuardedPages(kRoom)};
  const Dtype dtype = job.operation.dtype;
  const auto element = static_cast<std::size_t>(traits(dtype).bytes());
  const std::size_t alignment = buffer_alignment(*job.contract, element);
  window::Call call = window::dense_call(job.operation, specimen.geometry);
  const auto inputs = specimen.tensors.inputs(job.operation, specimen.geometry);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    call.inputs[i].data = at(rooms[i], inputs[i]->size() * element, alignment, places.tensors[i]);
    write_elements(call.inputs[i].data, *inputs[i], dtype);
  }
  const GuardedPages& out = rooms[3];
  const std::size_t count = window::elements(call.output.shape);
  call.output.data = at(out, count * element, alignment, places.tensors[3]);
  std::memset(out.begin(), places.old, out.size());

  EnvironmentLog log;
  const window::Reply reply = window::make_call(variant, call, log, true);
  Placed placed;
  if (reply.signal.signal != 0) {
    const bool beside = std::any_of(std::begin(rooms), std::end(rooms), [&](const auto& room) {
      return room.guards(reply.signal.address);
    });
    (beside ? placed.out_of_bounds : placed.fault) =
        beside ? fmt::format("a {} beside a tensor", reply.signal.write ? "write" : "read")
               : window::ended_text(reply.signal);
    return placed;
  }
  CallFault fault = CallFault::kNone;
  placed.fault = window::fault_of(reply, variant, fault);
  const auto is_old = [&](unsigned char byte) { return byte == places.old; };
  if (!std::all_of(out.begin(), call.output.data, is_old) ||
      !std::all_of(call.output.data + count * element, out.end(), is_old)) {
    placed.out_of_bounds = "bytes beside the output are written";
  }
  placed.results = read_elements(call.output.data, count, dtype);
  return placed;
}

}  // namespace assay::fuzz
