// Strangers' words in HTML: what a contract says can never become an element, an attribute or a
// script of the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Text on one line, for the content of an element or a quoted attribute.
std::string html_text(std::string_view text);

/// The same in a <code> element; nothing where the text is empty. Long words may break after
/// separators.
std::string html_code(std::string_view text);

/// A table in a region of its own that scrolls sideways where it is too wide, by keyboard too.
/// `caption` is text; cells and headings are HTML already. The first cell of each row is its
/// heading.
class HtmlTable {
 public:
  HtmlTable(std::string_view caption, const std::vector<std::string>& headings);

  /// `row_class` is our own word, or empty.
  void add(const std::vector<std::string>& cells, std::string_view row_class = "");
  bool empty() const { return rows_.empty(); }
  std::string html() const;

 private:
  std::string caption_;
  std::vector<std::string> headings_;
  std::string rows_;
};

/// Pairs of a term and its value, which is HTML already.
std::string html_facts(const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace assay
