#include "reports/testing/html_reader.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace assay::testing {

namespace {

class Reader {
 public:
  explicit Reader(const std::string& page) : page_(page) {}

  HtmlPage read() {
    constexpr std::string_view kDoctype = "<!DOCTYPE html>\n";
    if (!page_.starts_with(kDoctype)) fault("no doctype");
    at_ = std::min(kDoctype.size(), page_.size());
    while (at_ < page_.size()) {
      if (page_[at_] == '<') {
        tag();
      } else {
        text();
      }
    }
    if (!open_.empty()) fault("left open: " + open_.back());
    return std::move(result_);
  }

 private:
  void fault(const std::string& what) {
    result_.faults.push_back(what + " before: " + page_.substr(at_, 60));
    if (result_.faults.size() > 20) at_ = page_.size();
  }

  void text() {
    const bool raw = !open_.empty() && open_.back() == "style";
    std::string content;
    while (at_ < page_.size() && page_[at_] != '<') {
      if (page_[at_] == '&' && !raw) entity();
      if (page_[at_] == '>' && !raw) fault("a bare >");
      content += page_[at_++];
    }
    if (!result_.elements.empty() && open_text_) result_.elements.back().text = content;
    open_text_ = false;
  }

  void entity() {
    static const std::set<std::string> known = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const std::size_t end = page_.find(';', at_);
    if (end == std::string::npos || !known.contains(page_.substr(at_, end - at_ + 1))) {
      fault("a bare &");
    }
  }

  std::string name() {
    std::string word;
    while (at_ < page_.size() &&
           (std::isalnum(static_cast<unsigned char>(page_[at_])) != 0 || page_[at_] == '-')) {
      word += page_[at_++];
    }
    return word;
  }

  void tag() {
    ++at_;
    const bool closing = at_ < page_.size() && page_[at_] == '/';
    if (closing) ++at_;
    const std::string element = name();
    if (element.empty()) fault("a bare <");
    if (closing) {
      if (open_.empty() || open_.back() != element) {
        fault("closed but not open: " + element);
      } else {
        open_.pop_back();
      }
      open_text_ = false;
    } else {
      result_.elements.push_back({element, {}, {}});
      attributes();
      static const std::set<std::string> empty = {"meta", "br", "wbr"};
      const bool closed = at_ < page_.size() && page_[at_] == '/';
      if (closed) ++at_;
      if (!closed && !empty.contains(element)) open_.push_back(element);
      open_text_ = true;
    }
    if (at_ >= page_.size() || page_[at_] != '>') fault("a tag without end: " + element);
    ++at_;
  }

  void attributes() {
    while (at_ < page_.size() && page_[at_] == ' ') {
      ++at_;
      HtmlAttribute found{name(), {}};
      if (found.name.empty()) return fault("an attribute without name");
      if (at_ < page_.size() && page_[at_] == '=') {
        ++at_;
        if (at_ >= page_.size() || page_[at_] != '"') return fault("an unquoted attribute");
        ++at_;
        while (at_ < page_.size() && page_[at_] != '"') {
          if (page_[at_] == '&') entity();
          if (page_[at_] == '<') fault("a bare < in an attribute");
          found.value += page_[at_++];
        }
        ++at_;
      }
      result_.elements.back().attributes.push_back(std::move(found));
    }
  }

  const std::string& page_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  bool open_text_ = false;
  HtmlPage result_;
};

}  // namespace

HtmlPage read_html(const std::string& page) {
  return Reader(page).read();
}

std::string attribute(const HtmlElement& element, const std::string& name) {
  const auto found = std::ranges::find(element.attributes, name, &HtmlAttribute::name);
  return found == element.attributes.end() ? std::string() : found->value;
}

}  // namespace assay::testing
