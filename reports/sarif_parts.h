// What the SARIF logs of lint and of audits have in common (SARIF 2.1.0: OASIS, "Static Analysis
// Results Interchange Format", with errata 01). For the .cc files of this folder.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace assay::sarif {

using Json = nlohmann::ordered_json;

/// A message object of plain text that says `text`, which is not empty: braces are doubled, as
/// placeholders are written in them (3.11.5), and a blank parts "](", so that no words of a
/// contract become a link (3.11.6).
Json message(std::string_view text);

/// A rule: what `id` promises, or what kind of fault it is, and what a reader who met it can do.
/// Code hosts ask for both.
Json rule(std::string_view id, std::string_view meaning, std::string_view help);

/// A place in a document. `file`: a path; relative ones stay so, absolute ones become `file:` URIs,
/// both percent-encoded. `line` from 1, or 0 for the whole file. `character` from 1 in code points,
/// or 0 for the whole line.
Json physical_location(std::string_view file, int line, int character = 0);

/// A log of one run of assay `version`, ended by a line end. `run` has the properties of the run
/// but for `tool`. Columns are of code points. Bytes that are not UTF-8 become U+FFFD.
std::string log_text(std::string_view version, Json rules, Json run);

}  // namespace assay::sarif
