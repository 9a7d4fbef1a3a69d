// Reads the pages' HTML strictly: what a browser would repair is a fault here.
#pragma once

#include <string>
#include <vector>

namespace assay::testing {

struct HtmlAttribute {
  std::string name;
  std::string value;  ///< as written, entities and all
};

struct HtmlElement {
  std::string name;
  std::vector<HtmlAttribute> attributes;
  std::string text;  ///< of the element itself up to its first child
};

struct HtmlPage {
  std::vector<HtmlElement> elements;  ///< in the order of their start tags
  std::vector<std::string> faults;    ///< unbalanced tags, unquoted attributes, stray `<` or `&`
};

HtmlPage read_html(const std::string& page);

/// The value of the element's attribute, or an empty text.
std::string attribute(const HtmlElement& element, const std::string& name);

}  // namespace assay::testing
