#include <nlohmann/json.hpp>

#include "reports/diff_writer.h"

namespace assay {

namespace {

using Json = nlohmann::ordered_json;

Json side(std::string_view file, const RunRecord& record) {
  return {{"file", file},
          {"tool", {{"version", record.tool.version}, {"revision", record.tool.revision}}},
          {"cpu", record.machine.cpu},
          {"effort", record.run.effort},
          {"seed", record.run.seed},
          {"started", record.run.started},
          {"complete", record.run.complete}};
}

}  // namespace

std::string diff_json(const ComparedReports& reports, const std::vector<Change>& changes) {
  Json list = Json::array();
  for (const Change& change : changes) {
    const ChangeRow& about = row(change.kind);
    list.push_back({{"kind", about.id},
                    {"effect", to_string(about.effect)},
                    {"kernel", change.kernel},
                    {"claim", change.claim},
                    {"what", change.what},
                    {"variants", change.variants},
                    {"before", change.before},
                    {"after", change.after},
                    {"note", change.note}});
  }
  const Json json = {{"schema", "assay-diff/1"},
                     {"old", side(reports.before_name, reports.before)},
                     {"new", side(reports.after_name, reports.after)},
                     {"regressions", count_of(changes, Effect::kRegression)},
                     {"improvements", count_of(changes, Effect::kImprovement)},
                     {"information", count_of(changes, Effect::kInformation)},
                     {"changes", std::move(list)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay
