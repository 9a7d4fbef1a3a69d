#include "reports/findings.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace assay {

namespace {

template <typename T, typename Same>
bool all_same(const std::vector<T>& a, const std::vector<T>& b, Same same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

template <typename T, typename Same>
bool both_same(const std::optional<T>& a, const std::optional<T>& b, Same same) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

/// A comparison by the fields that `fields` ties.
template <typename Fields>
constexpr auto by(Fields fields) {
  return [fields](const auto& a, const auto& b) { return fields(a) == fields(b); };
}

constexpr auto kSameTensor = [](const TensorRecord& a, const TensorRecord& b) {
  return std::tie(a.name, a.dtype, a.shape, a.bits, a.values) ==
         std::tie(b.name, b.dtype, b.shape, b.bits, b.values);
};

constexpr auto kSameValue =
    by([](const ValueRecord& record) { return std::tie(record.bits, record.value); });

constexpr auto kSameExact = [](const ExactRecord& a, const ExactRecord& b) {
  return a.value == b.value && a.midpoint == b.midpoint &&
         both_same(a.below, b.below, kSameValue) && both_same(a.above, b.above, kSameValue);
};

bool same_counterexample(const Counterexample& a, const Counterexample& b) {
  return all_same(a.inputs, b.inputs, kSameTensor) &&
         all_same(a.params, b.params,
                  by([](const ParameterRecord& p) { return std::tie(p.name, p.value); })) &&
         both_same(a.exact, b.exact, kSameExact) && kSameTensor(a.got, b.got) &&
         kSameTensor(a.expected, b.expected) &&
         std::tie(a.ulp_distance, a.why) == std::tie(b.ulp_distance, b.why);
}

constexpr auto kSameProfile = [](const Profile& a, const Profile& b) {
  return std::tie(a.id, a.title, a.axis, a.measure, a.logarithmic_axis, a.series) ==
             std::tie(b.id, b.title, b.axis, b.measure, b.logarithmic_axis, b.series) &&
         all_same(a.rows, b.rows, by([](const ProfileRow& row) {
                    return std::tie(row.at, row.first, row.last, row.values);
                  }));
};

bool same_measured(const Measured& a, const Measured& b) {
  return std::tie(a.max_ulp_distance, a.max_ulp_error, a.condition, a.max_relative,
                  a.max_absolute) == std::tie(b.max_ulp_distance, b.max_ulp_error, b.condition,
                                              b.max_relative, b.max_absolute) &&
         both_same(a.argmax, b.argmax, by([](const ArgMax& m) {
                     return std::tie(m.input, m.input_value, m.got, m.got_value, m.exact_value);
                   })) &&
         all_same(a.histogram, b.histogram, by([](const HistogramRow& row) {
                    return std::tie(row.lower, row.upper, row.count);
                  })) &&
         all_same(a.profiles, b.profiles, kSameProfile) &&
         all_same(a.observations, b.observations,
                  by([](const Observation& o) { return std::tie(o.name, o.value); }));
}

template <typename Wanted>
std::vector<Finding> gather(const KernelRecord& kernel, Wanted wanted) {
  std::vector<Finding> findings;
  for (const VariantRecord& variant : kernel.variants) {
    for (const ClaimRecord& claim : variant.claims) {
      if (!wanted(claim)) continue;
      const auto known = std::ranges::find_if(
          findings, [&](const Finding& finding) { return same_result(*finding.claim, claim); });
      if (known == findings.end()) {
        findings.push_back({&kernel, &claim, {variant.name}});
      } else {
        known->variants.push_back(variant.name);
      }
    }
  }
  return findings;
}

}  // namespace

bool same_promise(const ClaimRecord& a, const ClaimRecord& b) {
  const auto fields = [](const ClaimRecord& claim) {
    const Source& source = claim.source;
    return std::tie(claim.id, claim.statement, claim.declared, source.file, source.line,
                    source.column, source.kind, source.text);
  };
  return fields(a) == fields(b);
}

bool same_result(const ClaimRecord& a, const ClaimRecord& b) {
  const auto fields = [](const ClaimRecord& claim) {
    return std::tie(claim.verdict, claim.strength, claim.probes, claim.planned, claim.violations,
                    claim.space, claim.why);
  };
  return same_promise(a, b) && fields(a) == fields(b) &&
         all_same(a.excluded, b.excluded,
                  by([](const Exclusion& e) { return std::tie(e.reason, e.probes); })) &&
         same_measured(a.measured, b.measured) &&
         both_same(a.counterexample, b.counterexample, same_counterexample);
}

std::vector<Finding> findings_of(const KernelRecord& kernel, const std::vector<Verdict>& verdicts) {
  return gather(kernel, [&](const ClaimRecord& claim) {
    return std::ranges::find(verdicts, claim.verdict) != verdicts.end();
  });
}

KernelList all_kernels(const RunRecord& record) {
  KernelList kernels;
  for (const KernelRecord& kernel : record.kernels) kernels.push_back(&kernel);
  return kernels;
}

std::vector<Finding> findings_of(const KernelList& kernels, const std::vector<Verdict>& verdicts) {
  std::vector<Finding> all;
  for (const KernelRecord* kernel : kernels) {
    for (Finding& finding : findings_of(*kernel, verdicts)) all.push_back(std::move(finding));
  }
  return all;
}

std::vector<Finding> findings_of(const RunRecord& record, const std::vector<Verdict>& verdicts) {
  return findings_of(all_kernels(record), verdicts);
}

std::vector<KernelFindings> shortened(const KernelList& kernels,
                                      const std::vector<Verdict>& verdicts, std::size_t limit) {
  std::vector<KernelFindings> all;
  for (const KernelRecord* kernel : kernels) {
    std::vector<Finding> findings = findings_of(*kernel, verdicts);
    if (!findings.empty()) all.push_back({std::move(findings), {}});
  }
  if (all.empty()) return all;
  const std::size_t share = std::max<std::size_t>(2, limit / all.size());
  for (KernelFindings& of_kernel : all) {
    std::vector<Finding>& full = of_kernel.in_full;
    for (std::size_t i = share; i < full.size(); ++i) {
      const auto known = std::ranges::find_if(of_kernel.in_brief, [&](const Finding& brief) {
        return brief.claim->id == full[i].claim->id &&
               brief.claim->verdict == full[i].claim->verdict;
      });
      if (known == of_kernel.in_brief.end()) {
        of_kernel.in_brief.push_back(full[i]);
      } else {
        std::ranges::copy(full[i].variants, std::back_inserter(known->variants));
      }
    }
    if (full.size() > share) full.resize(share);
  }
  return all;
}

std::vector<Finding> findings_about(const KernelRecord& kernel, const ClaimRecord& claim) {
  return gather(kernel, [&](const ClaimRecord& other) { return same_promise(claim, other); });
}

std::vector<const ClaimRecord*> promises_of(const KernelRecord& kernel) {
  std::vector<const ClaimRecord*> promises;
  for (const VariantRecord& variant : kernel.variants) {
    for (const ClaimRecord& claim : variant.claims) {
      const bool known = std::ranges::any_of(
          promises, [&](const ClaimRecord* promise) { return same_promise(*promise, claim); });
      if (!known) promises.push_back(&claim);
    }
  }
  return promises;
}

}  // namespace assay
