// Strangers' words in Markdown (GitHub's dialect): what a contract says can never become
// structure, a link, an image or HTML of the page, nor a command to mdBook.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Running text on one line, for a paragraph, a heading or a table cell.
std::string md_text(std::string_view text);

/// A code span on one line, for the same places. An empty text gives an empty one.
std::string md_code(std::string_view text);

/// A fenced block of one command line, ended by a blank line. The fence is longer than any run of
/// backticks within. A line with "{{", which mdBook would obey in a block too, is set as md_code.
std::string md_shell_block(std::string_view command);

/// A table row of cells that are Markdown already: "| a | b |\n".
std::string md_row(const std::vector<std::string>& cells);

/// The heading row and the rule under it.
std::string md_head(const std::vector<std::string>& headings);

}  // namespace assay
