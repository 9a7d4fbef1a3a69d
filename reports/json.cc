#include "reports/json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "reports/rates.h"

namespace assay {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <typename T, typename Function>
Json list(const std::vector<T>& items, Function to_json) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

Json tensor(const TensorRecord& record) {
  return {{"name", record.name},
          {"dtype", record.dtype},
          {"shape", record.shape},
          {"bits", record.bits},
          {"values", record.values}};
}

Json value(const std::optional<ValueRecord>& record) {
  return record ? Json{{"bits", record->bits}, {"value", record->value}} : Json(nullptr);
}

Json exact(const ExactRecord& record) {
  return {{"value", record.value},
          {"below", value(record.below)},
          {"above", value(record.above)},
          {"midpoint", record.midpoint}};
}

Json counterexample(const Counterexample& record) {
  Json params = Json::object();  // the names of a case are unique
  for (const ParameterRecord& param : record.params) params[param.name] = param.value;
  Json json = {{"inputs", list(record.inputs, tensor)},
               {"params", std::move(params)},
               {"got", tensor(record.got)},
               {"expected", tensor(record.expected)}};
  if (record.exact) json["exact"] = exact(*record.exact);
  if (record.ulp_distance) json["ulp_distance"] = *record.ulp_distance;
  json["why"] = record.why;
  json["token"] = record.token;
  return json;
}

Json known(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json profile(const Profile& record) {
  return {{"id", record.id},
          {"title", record.title},
          {"axis", record.axis},
          {"measure", record.measure},
          {"axis_scale", record.logarithmic_axis ? "logarithmic" : "linear"},
          {"series", record.series},
          {"rows", list(record.rows, [](const ProfileRow& row) {
             return Json{{"at", row.at},
                         {"first", known(row.first)},
                         {"last", known(row.last)},
                         {"values", list(row.values, known)}};
           })}};
}

Json measured(const Measured& record) {
  Json json = Json::object();
  if (record.max_ulp_distance) json["max_ulp_distance"] = *record.max_ulp_distance;
  if (record.max_ulp_error) json["max_ulp_error"] = number(*record.max_ulp_error);
  if (record.argmax) {
    json["argmax"] = {{"input", record.argmax->input},
                      {"input_value", record.argmax->input_value},
                      {"got", record.argmax->got},
                      {"got_value", record.argmax->got_value},
                      {"exact_value", record.argmax->exact_value}};
  }
  if (record.condition) json["argmax_condition"] = number(*record.condition);
  if (record.max_relative) json["max_relative"] = number(*record.max_relative);
  if (record.max_absolute) json["max_absolute"] = number(*record.max_absolute);
  json["histogram"] = list(record.histogram, [](const HistogramRow& row) {
    return Json{{"lower", number(row.lower)}, {"upper", number(row.upper)}, {"count", row.count}};
  });
  if (!record.profiles.empty()) json["profiles"] = list(record.profiles, profile);
  json["observations"] = list(record.observations, [](const Observation& observation) {
    return Json{{"name", observation.name}, {"value", observation.value}};
  });
  return json;
}

Json claim(const ClaimRecord& record) {
  Json json = {
      {"id", record.id},
      {"statement", record.statement},
      {"declared", record.declared},
      {"source",
       {{"file", record.source.file},
        {"line", record.source.line},
        {"column", record.source.column},
        {"kind", to_string(record.source.kind)},
        {"text", record.source.text}}},
      {"verdict", to_string(record.verdict)},
      {"strength", to_string(record.strength)},
      {"probes", record.probes},
      {"planned", record.planned},
      {"excluded", list(record.excluded,
                        [](const Exclusion& exclusion) {
                          return Json{{"reason", exclusion.reason}, {"probes", exclusion.probes}};
                        })},
      {"violations", record.violations},
      {"space", record.space},
      {"why", record.why},
      {"measured", measured(record.measured)}};
  if (record.first_violation) json["first_violation"] = *record.first_violation;
  if (record.counterexample) json["counterexample"] = counterexample(*record.counterexample);
  if (!record.token.empty()) json["token"] = record.token;
  return json;
}

Json rate(const RateRecord& record) {
  return {{"what", record.what},
          {"seconds", number(record.seconds)},
          {"gflops_per_second", known(giga_per_second(record.flops, record.seconds))},
          {"gbytes_per_second", known(giga_per_second(record.bytes, record.seconds))},
          {"speedup", record.speedup > 0 ? number(record.speedup) : Json(nullptr)}};
}

Json variant(const VariantRecord& record) {
  Json json = {{"name", record.name},
               {"digest", record.digest},
               {"digest_space", record.digest_space},
               {"probes", record.probes},
               {"seconds", number(record.seconds)},
               {"probes_per_second", number(record.probes_per_second)},
               {"claims", list(record.claims, claim)}};
  if (!record.rates.empty()) json["rates"] = list(record.rates, rate);
  return json;
}

Json kernel(const KernelRecord& record) {
  return {{"kernel", record.kernel},
          {"entry_point", record.entry_point},
          {"op_kind", record.op_kind},
          {"contract",
           {{"file", record.file}, {"line", record.line}, {"revision_hash", record.revision_hash}}},
          {"library", record.library},
          {"registrable", record.registrable},
          {"not_run", record.not_run},
          {"variants", list(record.variants, variant)}};
}

Json run(const RunInfo& record) {
  Json json = {{"command", record.command}, {"seed", record.seed}, {"effort", record.effort}};
  if (!record.only.empty()) json["only"] = record.only;
  if (!record.variants.empty()) json["variants"] = record.variants;
  json["started"] = record.started;
  json["seconds"] = number(record.seconds);
  json["complete"] = record.complete;
  json["incomplete"] = record.incomplete;
  return json;
}

Json summary(const Summary& total) {
  return {{"claims",
           {{"upheld", total.upheld},
            {"refuted", total.refuted},
            {"unclaimed", total.unclaimed},
            {"undecided", total.undecided},
            {"error", total.error}}},
          {"probes", total.probes}};
}

}  // namespace

std::string json_report(const RunRecord& record) {
  const Json json = {{"schema", "assay-report/1"},
                     {"tool",
                      {{"version", record.tool.version},
                       {"revision", record.tool.revision},
                       {"compiler", record.tool.compiler},
                       {"flags", record.tool.flags}}},
                     {"machine",
                      {{"cpu", record.machine.cpu},
                       {"targets", record.machine.targets},
                       {"threads", record.machine.threads}}},
                     {"run", run(record.run)},
                     {"summary", summary(record.summary())},
                     {"kernels", list(record.kernels, kernel)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<RenderedFile> render_json(const RunRecord& record) {
  return {{"report.json", json_report(record)}};
}

}  // namespace assay
