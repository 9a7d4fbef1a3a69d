#include "audit/judge/deviations.h"

#include <algorithm>

namespace assay {

namespace {

using Values = std::vector<std::optional<double>>;

/// Rows of neighbouring numbered places with the same values are made one where the values are
/// `mergeable`. Places whose values `values_of` leaves empty have no row.
template <typename ValuesOf, typename Mergeable>
std::vector<ProfileRow> rows_of(const InputAxis& axis, ValuesOf values_of, Mergeable mergeable) {
  std::vector<ProfileRow> rows;
  std::size_t first = 0;
  for (std::size_t place = 0; place < axis.places(); ++place) {
    Values values = values_of(place);
    if (values.empty()) continue;
    const bool numbered = place >= axis.first_numbered() && place <= axis.last_numbered();
    const bool goes_on = numbered && !rows.empty() && rows.back().last &&
                         *rows.back().last + 1 == axis.first_exponent(place) &&
                         rows.back().values == values && mergeable(values);
    if (!goes_on) {
      first = place;
      rows.push_back({"", std::nullopt, std::nullopt, std::move(values)});
      if (numbered) rows.back().first = axis.first_exponent(place);
    }
    if (numbered) rows.back().last = axis.last_exponent(place);
    rows.back().at = axis.words(first, place);
  }
  return rows;
}

constexpr const char* kAxis = "exponent of the input, floor(log2 |x|)";

}  // namespace

void Deviations::add_error(std::size_t place, double error) {
  errors[place] = std::max(errors[place], error);
  measured[place] = true;
}

void DeviationTotals::add(const Deviations& chunk) {
  places_.resize(kMostPlaces);
  for (std::size_t i = 0; i < kMostPlaces; ++i) {
    Place& place = places_[i];
    place.error = std::max(place.error, chunk.errors[i]);
    place.measured = place.measured || chunk.measured[i];
    place.deviating += chunk.deviating[i];
    for (std::size_t sign = 0; sign < 2; ++sign) {
      place.violations[sign] += chunk.violations[i][sign];
    }
  }
}

Profile DeviationTotals::worst_errors(const InputAxis& axis,
                                      const std::array<double, kMostPlaces>& correct) const {
  Profile profile{"worst_error",
                  "Worst ULP error by exponent of the input",
                  kAxis,
                  "ULP error",
                  false,
                  {"worst"},
                  {}};
  profile.rows = rows_of(
      axis,
      [&](std::size_t place) -> Values {
        if (correct[place] < 0) return {};
        if (places_.empty() || places_[place].deviating == 0) return {correct[place]};
        const bool known = places_[place].measured && places_[place].error >= correct[place];
        if (!known) return {std::nullopt};
        return {places_[place].error};
      },
      [](const Values&) { return true; });
  return profile;
}

Profile DeviationTotals::violations(const InputAxis& axis) const {
  Profile profile{"violations",
                  "Results that break a claim, by exponent of the input",
                  kAxis,
                  "results",
                  false,
                  {"inputs"},
                  {}};
  if (axis.is_signed()) profile.series = {"positive inputs", "negative inputs"};
  const bool any = std::ranges::any_of(places_, [](const Place& place) {
    return place.violations[0] > 0 || place.violations[1] > 0;
  });
  if (!any) return profile;
  profile.rows = rows_of(
      axis,
      [&](std::size_t place) {
        Values values;
        for (std::size_t sign = 0; sign < profile.series.size(); ++sign) {
          values.emplace_back(static_cast<double>(places_[place].violations[sign]));
        }
        return values;
      },
      [](const Values& counts) {  // a row's counts are of all that it covers
        return std::ranges::all_of(counts, [](const auto& count) { return count == 0.0; });
      });
  return profile;
}

}  // namespace assay
