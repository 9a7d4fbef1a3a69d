#include "contracts/fkc/yaml_lines.h"

#include <algorithm>
#include <array>

namespace assay::fkc {

namespace {

constexpr std::array<std::string_view, 6> kSectionKeys = {
    "accept:", "return:", "caps:", "cost:", "precision:", "provider:"};

bool is_marker(std::string_view line, std::string_view marker) {
  return line.substr(0, marker.size()) == marker &&
         (line.size() == marker.size() || line[marker.size()] == ' ' ||
          line[marker.size()] == '\t');
}

/// The blanks and list dashes that a line begins with.
std::string_view indentation(std::string_view line) {
  std::size_t i = 0;
  while (i < line.size()) {
    const bool dash =
        line[i] == '-' && i + 1 < line.size() && (line[i + 1] == ' ' || line[i + 1] == '\t');
    if (line[i] != ' ' && line[i] != '\t' && !dash) break;
    ++i;
  }
  return line.substr(0, i);
}

std::string_view line_at(const Lines& lines, int number) {
  return lines[static_cast<std::size_t>(number) - 1];
}

}  // namespace

void check_yaml_lines(const Lines& lines, Chunk chunk, Reporter& reporter) {
  for (int number = chunk.first; number < chunk.end; ++number) {
    const std::string_view line = line_at(lines, number);
    if (trim(line).empty()) continue;
    const std::size_t tab = indentation(line).find('\t');
    if (tab != std::string_view::npos) {
      reporter.error("TabIndentation", {number, static_cast<int>(tab) + 1}, "a tab in indentation",
                     "indent with spaces");
    }
    if (is_marker(line, "---") || is_marker(line, "...")) {
      reporter.error("Yaml", {number, 1}, "a document marker inside a block",
                     "a block holds one YAML document, without \"---\" and \"...\"");
    }
    if (line[0] == '%') {
      reporter.error("Yaml", {number, 1}, "a YAML directive", "remove the line");
    }
  }
}

std::size_t end_of_quoted(std::string_view text, std::size_t open) {
  const char quote = text[open];
  for (std::size_t i = open + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      // '' inside single quotes is one quote character.
      if (quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'') {
        ++i;
      } else {
        return i + 1;
      }
    }
  }
  return std::string_view::npos;
}

std::size_t comment_start(std::string_view line) {
  return OpenEnds().read(line);
}

std::size_t OpenEnds::read(std::string_view line) {
  const auto is_blank = [&](std::size_t i) {
    return i >= line.size() || line[i] == ' ' || line[i] == '\t';
  };
  if (brackets_ == 0) plain_ = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote_ != '\0') {
      if (quote_ == '"' && c == '\\') {
        ++i;
      } else if (c == quote_ && c == '\'' && i + 1 < line.size() && line[i + 1] == '\'') {
        ++i;  // '' inside single quotes is one quote character
      } else if (c == quote_) {
        quote_ = '\0';
      }
      continue;
    }
    if (is_blank(i)) continue;
    if (c == '#' && (i == 0 || is_blank(i - 1))) {
      plain_ = false;
      return i;
    }
    // In brackets, nothing has to stand behind the colon of a key in quotes, or of a null.
    const bool ends_key =
        is_blank(i + 1) || (brackets_ > 0 && (!plain_ || line[i + 1] == ',' || line[i + 1] == ']' ||
                                              line[i + 1] == '}'));
    if (c == ':' && ends_key) {
      plain_ = false;
    } else if (brackets_ > 0 && c == ',') {
      plain_ = false;
    } else if (brackets_ > 0 && (c == ']' || c == '}')) {
      --brackets_;
      plain_ = false;
    } else if ((c == '[' || c == '{') && (!plain_ || brackets_ > 0)) {
      ++brackets_;
      plain_ = false;
    } else if ((c == '"' || c == '\'') && !plain_) {
      quote_ = c;
    } else if (!((c == '-' || c == '?') && is_blank(i + 1))) {
      plain_ = true;  // in plain text quotes and brackets open nothing
    }
  }
  return std::string_view::npos;
}

bool opens_block_scalar(std::string_view value) {
  if (value.empty() || (value[0] != '>' && value[0] != '|')) return false;
  const std::size_t rest = value.find_first_not_of("+-0123456789", 1);
  if (rest == std::string_view::npos) return true;
  value = trim(value.substr(rest));
  return value.empty() || value[0] == '#';
}

std::optional<Place> unclosed_quote(const Lines& lines, Chunk chunk, int last_line) {
  for (int number = chunk.first; number < chunk.end && number <= last_line; ++number) {
    const std::string_view line = line_at(lines, number);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool after_blank = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
      if (line[i] == '#' && after_blank) break;
      if (line[i] != '"' && line[i] != '\'') continue;
      // An apostrophe within a plain text opens nothing; a quote opens only where a value begins.
      const std::size_t before =
          i == 0 ? std::string_view::npos : line.find_last_not_of(" \t", i - 1);
      const bool value = before == std::string_view::npos ||
                         std::string_view(":-,[{").find(line[before]) != std::string_view::npos;
      if (!value) continue;
      const std::size_t end = end_of_quoted(line, i);
      if (end == std::string_view::npos) return Place{number, static_cast<int>(i) + 1};
      i = end - 1;
    }
  }
  return std::nullopt;
}

std::optional<Place> stripped_section(const Lines& lines, Chunk chunk) {
  std::optional<std::size_t> first_indent;
  std::optional<Place> lone_key;
  for (int number = chunk.first; number < chunk.end; ++number) {
    const std::string_view line = line_at(lines, number);
    const std::string_view content = trim(line);
    if (content.empty() || content[0] == '#') continue;
    const std::size_t indent = line.find_first_not_of(" \t");
    if (!first_indent) first_indent = indent;
    if (indent > *first_indent) return std::nullopt;
    for (const std::string_view key : kSectionKeys) {
      if (content.substr(0, key.size()) != key) continue;
      const std::string_view rest = trim(content.substr(key.size()));
      if (!lone_key && (rest.empty() || rest[0] == '#')) {
        lone_key = Place{number, static_cast<int>(indent) + 1};
      }
    }
  }
  return lone_key;
}

}  // namespace assay::fkc
