#include "audit/judge/cast_check.h"

#include <algorithm>

namespace assay {

namespace {

constexpr std::size_t kRoom = kBlockProbes * sizeof(Bits) + kSlack;

}  // namespace

CastCheck::CastCheck(const Job& job, const KernelVariant& variant, ClaimKind claim,
                     const KernelVariant* reference)
    : job_(job),
      claim_(claim),
      runner_(*job.kernel, variant, log_),
      reference_(*job.kernel, *reference, log_),
      in_(kRoom),
      out_(kRoom),
      reference_out_(kRoom) {}

CastChecked CastCheck::check(const std::vector<Bits>& inputs, std::size_t position) {
  const auto& [from, to, rounding] = job_.oracle->operation();
  CastChecked checked;
  write_elements(in_.begin(), inputs, from);
  std::fill(out_.begin(), out_.end(), static_cast<unsigned char>(0));
  if (!call(runner_, out_, inputs.size(), checked)) return checked;
  checked.got = oracle::load(out_.begin(), position, to);
  if (claim_ == ClaimKind::kBitwise) {
    if (!call(reference_, reference_out_, inputs.size(), checked)) return checked;
    checked.expected = oracle::load(reference_out_.begin(), position, to);
    checked.violated = checked.got != checked.expected;
    return checked;
  }
  checked.expected = job_.oracle->expect_one(inputs[position]);
  checked.violated = is_violated(inputs[position], checked.got, checked.expected);
  return checked;
}

bool CastCheck::call(CastRunner& runner, GuardedPages& out, std::size_t n, CastChecked& checked) {
  checked.fault = runner.call(in_.begin(), out.begin(), n);
  if (checked.fault != CallFault::kNone) fault_ = runner.fault();
  return checked.fault == CallFault::kNone;
}

bool CastCheck::is_violated(Bits input, Bits got, Bits expected) const {
  const ClaimSet claims =
      violated(*job_.rules, job_.cells->of(input), job_.oracle->operation(), input, got, expected);
  return (claims & bit(claim_)) != 0;
}

}  // namespace assay
