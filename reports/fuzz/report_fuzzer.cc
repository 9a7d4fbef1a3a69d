// Any bytes are a report: the reader takes it or says in one line why not, and what it took is
// compared, and written in its forms, without a fault.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "contracts/fuzz/demand.h"
#include "contracts/unicode.h"
#include "reports/diff_writer.h"
#include "reports/json.h"
#include "reports/reader.h"
#include "reports/writer.h"

namespace {

using namespace assay;
using assay::fuzz::demand;
using assay::fuzz::demand_equal;

/// Without what moves a terminal's cursor.
void check_lines(const std::string& text) {
  for (const char c : text) {
    demand(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f),
           "a text without control characters");
  }
}

/// What reports are compared with.
const RunRecord& sample() {
  static const RunRecord record =
      read_report_file(ASSAY_SOURCE_DIR "/reports/fuzz/compared_with.json");
  return record;
}

void check_comparison(const RunRecord& before, const RunRecord& after) {
  const std::vector<Change> changes = changes_between(before, after);
  const ComparedReports reports{"old.json", before, "new.json", after};
  check_lines(diff_text(reports, changes));
  demand(!diff_markdown(reports, changes).empty(), "a comparison in Markdown");
  demand(nlohmann::json::accept(diff_json(reports, changes)), "a comparison that is JSON");
  const std::size_t all = count_of(changes, Effect::kRegression) +
                          count_of(changes, Effect::kImprovement) +
                          count_of(changes, Effect::kInformation);
  demand(all == changes.size(), "an effect for each change");
}

/// A record is equal to itself, but for runs that did not come to their ends.
void check_itself(const RunRecord& record) {
  for (const Change& change : changes_between(record, record)) {
    demand(change.kind == ChangeKind::kBothIncomplete, "no change between a report and itself");
  }
}

/// One of the forms: all of them would take most of the time.
void check_form(const RunRecord& record, std::size_t choice) {
  const ReportFormat& format = report_formats()[choice % report_formats().size()];
  for (const RenderedFile& file : format.render(record)) {
    demand(!file.name.empty() && file.name.find('/') == std::string::npos, "a plain file name");
    const bool json = file.name.ends_with(".json") || file.name.ends_with(".sarif");
    demand(!json || nlohmann::json::accept(file.content), "a form that is JSON");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  RunRecord record;
  try {
    record = read_report(text, "fuzz.json");
  } catch (const UnreadableReport& error) {
    const std::string message = error.what();
    demand(message.starts_with("fuzz.json:") && message.find('\n') == std::string::npos,
           "a message of one line, with the file");
    check_lines(message);
    return 0;
  }
  const std::string written = json_report(record);
  const RunRecord again = read_report(written, "again.json");
  demand_equal(json_report(again), written, "a report that is written as it was read");
  check_itself(record);
  check_comparison(sample(), record);
  check_comparison(record, sample());
  check_form(record, size);
  return 0;
}
