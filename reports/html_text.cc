#include "reports/html_text.h"

#include <fmt/format.h>

#include <utility>

#include "contracts/unicode.h"
#include "reports/xml_text.h"

namespace assay {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    const std::string_view entity = c == '\'' ? "&#39;" : markup_entity(c);
    if (entity.empty()) {
      out += c;
    } else {
      out += entity;
    }
  }
  return out;
}

std::string html_code(std::string_view text) {
  const std::string escaped = html_text(text);
  if (escaped.empty()) return "";
  std::string out;
  for (const char c : escaped) {
    out += c;
    if (c == '_' || c == '/' || c == '.') out += "<wbr>";
  }
  return fmt::format("<code>{}</code>", out);
}

HtmlTable::HtmlTable(std::string_view caption, const std::vector<std::string>& headings)
    : caption_(html_text(caption)), headings_(headings) {}

void HtmlTable::add(const std::vector<std::string>& cells, std::string_view row_class) {
  rows_ += row_class.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", row_class);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    rows_ += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", cells[i])
                    : fmt::format("<td>{}</td>", cells[i]);
  }
  rows_ += "</tr>\n";
}

std::string HtmlTable::html() const {
  std::string head;
  for (const std::string& heading : headings_) {
    head += heading.empty() ? "<td></td>" : fmt::format("<th scope=\"col\">{}</th>", heading);
  }
  return fmt::format(
      "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"{}\"><table>\n"
      "<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
      caption_, caption_, head, rows_);
}

std::string html_facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string out = "<dl class=\"facts\">\n";
  for (const auto& [term, value] : facts) {
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(term), value);
  }
  return out + "</dl>\n";
}

}  // namespace assay
