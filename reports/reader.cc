#include "reports/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "contracts/unicode.h"
#include "reports/claim_reader.h"
#include "reports/json_fields.h"
#include "reports/text.h"

namespace assay {

namespace {

/// "2024-02-29T12:34:56Z", with a fraction of the second perhaps.
bool is_utc_time(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() <= kForm.size() || text.back() != 'Z') return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == '0' ? !is_digit(text[i]) : text[i] != kForm[i]) return false;
  }
  const std::string_view rest = text.substr(kForm.size(), text.size() - kForm.size() - 1);
  return rest.empty() ||
         (rest.size() > 1 && rest[0] == '.' && std::ranges::all_of(rest.substr(1), is_digit));
}

ToolRecord tool(const JsonPlace& place) {
  JsonFields fields(place);
  ToolRecord record{json_text(fields["version"]), json_text(fields["revision"]),
                    json_text(fields["compiler"]), json_text(fields["flags"])};
  fields.close();
  return record;
}

MachineRecord machine(const JsonPlace& place) {
  JsonFields fields(place);
  MachineRecord record;
  record.cpu = json_text(fields["cpu"]);
  record.targets = json_list(fields["targets"], json_text);
  record.threads = json_int(fields["threads"], 1);
  fields.close();
  return record;
}

RunInfo run(const JsonPlace& place) {
  JsonFields fields(place);
  RunInfo record;
  record.command = json_text(fields["command"]);
  record.seed = json_count(fields["seed"]);
  record.effort = json_text(fields["effort"]);
  json_word(fields["effort"], {"quick", "standard", "exhaustive"});
  const auto filters = [&](std::string_view name) {
    const auto found = fields.optional(name);
    if (!found) return std::vector<std::string>();
    std::vector<std::string> globs = json_list(*found, json_text);
    if (globs.empty()) found->fail("one pattern at least is due, or no such field");
    return globs;
  };
  record.only = filters("only");
  record.variants = filters("variants");
  const JsonPlace started = fields["started"];
  record.started = json_text(started);
  if (!is_utc_time(record.started)) {
    started.fail("a time like \"2024-02-29T12:34:56Z\" is due");
  }
  record.seconds = json_magnitude_or_infinity(fields["seconds"]);
  record.complete = json_boolean(fields["complete"]);
  record.incomplete = json_text(fields["incomplete"]);
  fields.close();
  return record;
}

VariantRecord variant(const JsonPlace& place) {
  JsonFields fields(place);
  VariantRecord record;
  record.name = json_filled_text(fields["name"]);
  const JsonPlace digest = fields["digest"];
  record.digest = json_text(digest);
  std::string_view digits = record.digest;
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  if (!record.digest.empty() && (digits.size() != 16 || !is_lower_hex(digits))) {
    digest.fail("16 lower-case hex digits are due, or an empty text where there is no digest");
  }
  record.digest_space = json_text(fields["digest_space"]);
  record.probes = json_count(fields["probes"]);
  record.seconds = json_magnitude_or_infinity(fields["seconds"]);
  record.probes_per_second = json_magnitude_or_infinity(fields["probes_per_second"]);
  const JsonPlace claims = fields["claims"];
  record.claims = json_list(claims, read_claim_record);
  std::set<std::string_view> ids;
  for (const ClaimRecord& claim : record.claims) {
    if (ids.insert(claim.id).second) continue;
    claims.fail(fmt::format("the claim \"{}\" has two verdicts", claim.id));
  }
  if (const auto rates = fields.optional("rates")) {
    record.rates = json_list(*rates, read_rate_record);
    if (record.rates.empty()) rates->fail("one timed call at least is due, or no field \"rates\"");
  }
  fields.close();
  return record;
}

KernelRecord kernel(const JsonPlace& place) {
  JsonFields fields(place);
  KernelRecord record;
  record.kernel = json_filled_text(fields["kernel"]);
  record.entry_point = json_text(fields["entry_point"]);
  record.op_kind = json_text(fields["op_kind"]);
  const JsonPlace contract = fields["contract"];
  JsonFields in_contract(contract);
  record.file = json_filled_text(in_contract["file"]);
  record.line = json_int(in_contract["line"], 1);
  const JsonPlace hash = in_contract["revision_hash"];
  record.revision_hash = json_text(hash);
  if (record.revision_hash.empty() || record.revision_hash.size() > 16 ||
      !is_lower_hex(record.revision_hash)) {
    hash.fail("1 to 16 lower-case hex digits are due");
  }
  in_contract.close();
  record.library = json_text(fields["library"]);
  record.registrable = json_boolean(fields["registrable"]);
  record.not_run = json_text(fields["not_run"]);
  const JsonPlace variants = fields["variants"];
  record.variants = json_list(variants, variant);
  std::set<std::string_view> names;
  for (const VariantRecord& one : record.variants) {
    if (names.insert(one.name).second) continue;
    variants.fail(fmt::format("two variants are named \"{}\"", one_line(one.name)));
  }
  fields.close();
  return record;
}

/// The counts are there for programs that read no more than them, and have to be those of the
/// claims.
void check_summary(const JsonPlace& place, const Summary& total) {
  JsonFields fields(place);
  const auto check = [](const JsonPlace& count, std::uint64_t due) {
    if (json_count(count) == due) return;
    count.fail(fmt::format("the report does not add up: its kernels have {}", due));
  };
  const JsonPlace claims = fields["claims"];
  JsonFields counts(claims);
  check(counts["upheld"], total.upheld);
  check(counts["refuted"], total.refuted);
  check(counts["unclaimed"], total.unclaimed);
  check(counts["undecided"], total.undecided);
  check(counts["error"], total.error);
  counts.close();
  check(fields["probes"], total.probes);
  fields.close();
}

/// Of what other programs and other versions write, what it is comes before any other fault.
void check_schema(const JsonPlace& schema) {
  const std::string name = json_text(schema);
  if (name == "assay-report/1") return;
  if (name.starts_with("assay-report/")) {
    schema.fail(
        fmt::format("the report has the form \"{}\", and this assay reads "
                    "\"assay-report/1\" only: use the assay that wrote it",
                    one_line(name).substr(0, 100)));
  }
  schema.fail(fmt::format("\"assay-report/1\" is due, the report.json of an audit; this is \"{}\"",
                          one_line(name).substr(0, 100)));
}

}  // namespace

RunRecord read_report(std::string_view json, std::string_view file) {
  if (json.size() > kMaxReportBytes) {
    throw UnreadableReport(fmt::format("{}: longer than {} bytes, so no report of an audit",
                                       one_line(file), with_thousands(kMaxReportBytes)));
  }
  JsonValue tree;
  try {
    tree = read_json(json);
  } catch (const JsonError& error) {
    throw UnreadableReport(fmt::format("{}:{}: {}", one_line(file), error.line, error.what()));
  }
  const JsonPlace root{tree, file};
  JsonFields fields(root);
  check_schema(fields["schema"]);
  RunRecord record;
  record.tool = tool(fields["tool"]);
  record.machine = machine(fields["machine"]);
  record.run = run(fields["run"]);
  record.kernels = json_list(fields["kernels"], kernel);
  check_summary(fields["summary"], record.summary());
  fields.close();
  return record;
}

RunRecord read_report_file(const std::filesystem::path& path) {
  const auto fail = [&](std::string_view why) {
    throw UnreadableReport(fmt::format("{}: cannot be read: {}", one_line(path.string()), why));
  };
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    fail("it is a folder; name the report.json in it");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(std::strerror(errno));
  // One byte more than allowed tells a report that is too long, and bounds endless files.
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (stream && text.size() <= kMaxReportBytes) {
    stream.read(buffer.data(), buffer.size());
    text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) fail(std::strerror(errno));
  return read_report(text, path.string());
}

}  // namespace assay
