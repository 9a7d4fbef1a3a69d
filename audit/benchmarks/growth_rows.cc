// How the time grows with the work: a row for each point of a curve, and one for the curve.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "audit/benchmarks/cast_job.h"
#include "audit/benchmarks/rows.h"
#include "audit/benchmarks/window_job.h"
#include "audit/window/sweep.h"
#include "audit/window/truth.h"
#include "audit/worker/processor_time.h"

namespace assay::benchmarks {

namespace {

/// A part of a space of equal blocks, spread all over it: its blocks in steps of an odd number.
class SpreadBlocks final : public ProbeSpace {
 public:
  /// `of` has a power of two of blocks, of which this has `blocks`.
  SpreadBlocks(const ProbeSpace& of, std::uint64_t blocks)
      : ProbeSpace("spread", "a part of the inputs", of.dtype(), Strength::kSampled, false),
        of_(of),
        per_chunk_(std::min(of.blocks(0), blocks)),
        chunks_(blocks / per_chunk_) {}
  std::uint64_t chunks() const override { return chunks_; }
  std::uint64_t blocks(std::uint64_t /*chunk*/) const override { return per_chunk_; }
  std::uint64_t probes(std::uint64_t /*chunk*/) const override { return per_chunk_ * kBlockProbes; }
  Block fill(std::uint64_t chunk, std::uint64_t block, void* out) const override {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
    const std::uint64_t of_all = of_.chunks() * of_.blocks(0);
    const std::uint64_t index = (chunk * per_chunk_ + block) * kOdd % of_all;
    return of_.fill(index / of_.blocks(0), index % of_.blocks(0), out);
  }

 private:
  const ProbeSpace& of_;
  std::uint64_t per_chunk_;
  std::uint64_t chunks_;
};

/// Picoseconds for each of 2^bits probes.
double probe_time(int bits) {
  const Job& job = cast_job("cast_f32_to_f16");
  const SpreadBlocks space(space_of(job, "exhaustive"), (std::uint64_t{1} << bits) / kBlockProbes);
  double seconds = 0;
  for (std::uint64_t chunk = 0; chunk < space.chunks(); ++chunk) {
    seconds += checked_chunk(job, *job.variants.back(), space, chunk).seconds;
  }
  return seconds * 1e12 / static_cast<double>(space.size());
}

/// Nanoseconds of oracle and judging for each product of a convolution of an image of this side.
double product_time(std::int64_t side) {
  window::Job job = window_job("conv2d", Dtype::kF32);
  window::Geometry geometry = window::rate_geometries(job.operation).at(0).geometry;
  geometry.extents.in_channels = geometry.extents.out_channels = 4;
  geometry.extents.image = {side, side};
  if (!window::complete(job.operation, geometry)) throw std::runtime_error("no such geometry");
  job.cases = {{geometry, window::Family::kScaled, 1}};
  const window::Tensors tensors = window::make_tensors(job.operation, job.cases[0]);
  const double start = processor_seconds();
  window::TruthSource source(job.operation, geometry, tensors);
  std::vector<window::Truth> truths;
  const std::size_t results = window::elements(window::output_shape(geometry));
  for (std::size_t i = 0; i < results; ++i) truths.push_back(source.truth(i));
  const std::vector<std::span<const window::Truth>> spans = {truths};
  std::vector<window::CaseDigest> digests(1);
  Heartbeat heartbeat = unheard();
  window::SweepTally tally;
  window::sweep(job, *job.variants.back(), window::Rules(job.operation), 0, spans, digests,
                heartbeat, tally);
  const double spent = processor_seconds() - start;
  if (tally.probes != results || tally.fault != CallFault::kNone) {
    throw std::runtime_error("not all results were judged");
  }
  const double products = static_cast<double>(results) * 4 * 9;
  return spent * 1e9 / products;
}

/// The cast contract with its sections again and again, under other names.
std::string many_kernels(std::size_t count) {
  std::ifstream file(ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string whole = text.str();
  const std::size_t first = whole.find("\n## ") + 1;
  std::vector<std::string> sections;
  for (std::size_t at = first; at < whole.size();) {
    const std::size_t next = std::min(whole.find("\n## ", at), whole.size() - 1) + 1;
    sections.push_back(whole.substr(at, next - at));
    at = next;
  }
  std::string all = whole.substr(0, first);
  for (std::size_t i = 0; i < count; ++i) {
    std::string section = sections[i % sections.size()];
    const std::string number = "_" + std::to_string(i);
    for (const char* field : {"\nkernel: ", "\nentry_point: \""}) {
      const std::size_t at = section.find(field) + std::string(field).size();
      section.insert(section.find_first_of("\"\n", at), number);
    }
    all += section;
  }
  return all;
}

double import_seconds(std::size_t kernels) {
  const std::string text = many_kernels(kernels);
  const double start = processor_seconds();
  const fkc::Document document = fkc::parse_document(text, "many.fkc.md");
  const double spent = processor_seconds() - start;
  if (document.kernels.size() != kernels) {
    throw std::runtime_error(document.diagnostics.empty() ? "kernels are missing"
                                                          : document.diagnostics[0].message);
  }
  return spent;
}

/// The greatest over the least of the values at these points, in turns.
template <typename Point, typename Measure>
Sample spread_of(const std::vector<Point>& points, const std::string& unit, Measure measure) {
  Sample sample;
  double least = 0;
  double most = 0;
  for (const Point point : points) {
    // The least of three: what the machine does besides only adds.
    const double value = std::min({measure(point), measure(point), measure(point)});
    sample.beside.emplace_back(fmt::format("{}, {}", point, unit), value);
    least = least == 0 ? value : std::min(least, value);
    most = std::max(most, value);
  }
  sample.figure = most / least;
  return sample;
}

}  // namespace

void add_growth_rows(Rows& rows) {
  for (const int bits : {20, 22, 24, 26, 28, 30, 32}) {
    rows.push_back({fmt::format("growth.probes.{}", bits),
                    fmt::format("sweep f32 to f16, widest: time per probe of 2^{}", bits),
                    "ps",
                    {},
                    bits < 28 ? 9 : 3,
                    [bits] { return Sample{probe_time(bits)}; }});
  }
  rows.push_back({"growth.probes", "the same, most / least of 2^20, 2^26 and 2^32 probes", "",
                  at_most(1.5), 3, [] {
                    return spread_of<int>({20, 26, 32}, "ps", probe_time);
                  }});
  for (const int side : {10, 18, 34, 66}) {
    rows.push_back({fmt::format("growth.conv.{}", side),
                    fmt::format("conv2d f32, oracles and judging: time per product, {0}x{0}", side),
                    "ns",
                    {},
                    3,
                    [side] { return Sample{product_time(side)}; }});
  }
  rows.push_back(
      {"growth.conv", "the same, most / least of 10x10 to 66x66", "", at_most(1.5), 3, [] {
         return spread_of<int>({10, 18, 34, 66}, "ns", product_time);
       }});
  for (const std::size_t kernels : {200u, 1000u}) {
    rows.push_back({fmt::format("growth.import.{}", kernels),
                    fmt::format("import of a contract of {} kernels", kernels), "s",
                    kernels == 1000 ? at_most(1) : Target{}, 5,
                    [kernels] { return Sample{import_seconds(kernels)}; }});
  }
}

}  // namespace assay::benchmarks
