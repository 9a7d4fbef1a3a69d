#include "contracts/fkc/markdown.h"

#include <fmt/format.h>

#include <array>

#include "contracts/fkc/document.h"

namespace assay::fkc {

namespace {

/// Longer runs are no fences: nobody quotes that deep, and every length may cost a pass.
constexpr std::size_t kMaxFence = 16;

/// An opening fence: a run of at least three backticks or tildes with an info string behind.
struct Fence {
  char mark = '`';
  std::size_t length = 3;
  std::string_view info;

  bool is_fkc() const { return mark == '`' && length == 3 && info == "fkc"; }

  /// Meant as one, to all appearances: "~~~fkc", "````fkc", "```FKC", "```fkc title".
  bool is_almost_fkc() const {
    const auto is = [&](std::size_t i, char lower) {
      return info[i] == lower || info[i] == lower - 'a' + 'A';
    };
    const bool named = info.size() >= 3 && is(0, 'f') && is(1, 'k') && is(2, 'c');
    return !is_fkc() && named && (info.size() == 3 || info[3] == ' ' || info[3] == '\t');
  }
};

std::optional<Fence> opening_fence(std::string_view line) {
  line = trim(line);
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return std::nullopt;
  Fence fence;
  fence.mark = line[0];
  const std::size_t end = line.find_first_not_of(fence.mark);
  fence.length = end == std::string_view::npos ? line.size() : end;
  if (fence.length < 3 || fence.length > kMaxFence) return std::nullopt;
  fence.info = trim(line.substr(fence.length));
  // CommonMark: an info string behind backticks has none itself; this is inline code.
  if (fence.mark == '`' && fence.info.find('`') != std::string_view::npos) return std::nullopt;
  return fence;
}

bool closes(std::string_view line, const Fence& fence) {
  line = trim(line);
  return line.size() >= fence.length &&
         line.find_first_not_of(fence.mark) == std::string_view::npos;
}

bool is_heading(std::string_view line) {
  return line.substr(0, 3) == "## ";
}

/// CommonMark's HTML block of the second kind. Deeper in, the line is code, or goes on with a
/// paragraph.
bool opens_comment(std::string_view line) {
  const std::size_t start = line.find_first_not_of(' ');
  return start <= 3 && line.substr(start).starts_with("<!--");
}

Place place_of(const Lines& lines, int line) {
  const std::size_t column = lines[static_cast<std::size_t>(line) - 1].find_first_not_of(" \t");
  return {line, column == std::string_view::npos ? 1 : static_cast<int>(column) + 1};
}

class Splitter {
 public:
  Splitter(const Lines& lines, Reporter& reporter)
      : lines_(lines), count_(static_cast<int>(lines.size())), reporter_(reporter) {}

  Markdown run() {
    int line = front_matter();
    while (line <= count_) {
      if (is_heading(at(line))) {
        if (result_.sections.size() >= kMaxSections) {
          reporter_.error(
              "TooManySections", {line, 1},
              fmt::format("more than {} sections; what follows is not read", kMaxSections),
              "split the document");
          break;
        }
        open_section(line);
        ++line;
      } else if (const auto fence = opening_fence(at(line))) {
        const int open = line;
        line = read_fence(*fence, open);
        end_prose(open);
        prose_from_ = line;
      } else if (opens_comment(at(line))) {
        const int open = line;
        line = read_comment(open);
        end_prose(open);
        prose_from_ = line;
      } else {
        ++line;
      }
    }
    close_section(line);
    reporter_.enter_section({});
    return std::move(result_);
  }

 private:
  std::string_view at(int line) const { return lines_[static_cast<std::size_t>(line) - 1]; }

  /// Returns the first line behind the front matter.
  int front_matter() {
    constexpr std::string_view kHint =
        "a contract begins with a line \"---\", the provider's fields, and a second line \"---\"";
    if (count_ == 0 || at(1).substr(0, 3) != "---" || !trim(at(1).substr(3)).empty()) {
      reporter_.error("MalformedFrontMatter", {1, 1}, "the first line is not \"---\"",
                      std::string(kHint));
      return 1;
    }
    bool heading = false;
    for (int line = 2; line <= count_; ++line) {
      if (at(line).substr(0, 3) == "---" && trim(at(line).substr(3)).empty()) {
        result_.front_matter = Chunk{2, line};
        return line + 1;
      }
      // To YAML a heading is a comment. A block behind it tells that it is the document's body.
      heading = heading || is_heading(at(line));
      if (heading && opening_fence(at(line))) break;
    }
    reporter_.error("MalformedFrontMatter", {1, 1}, "the front matter is not closed",
                    std::string(kHint));
    return 2;
  }

  void open_section(int line) {
    close_section(line);
    prose_from_ = line + 1;
    Section section;
    section.line = line;
    section.heading = trim(at(line).substr(3));
    result_.sections.push_back(std::move(section));
    in_section_ = true;
    blocks_ = 0;
    faulty_ = false;
    reporter_.enter_section(result_.sections.back().heading);
  }

  void end_prose(int end) {
    if (in_section_ && prose_from_ < end) {
      result_.sections.back().prose.push_back({prose_from_, end});
    }
  }

  void close_section(int end) {
    if (!in_section_) return;
    end_prose(end);
    Section& section = result_.sections.back();
    if (blocks_ == 0 && !faulty_) {
      reporter_.error("MissingFkcBlock", {section.line, 1},
                      fmt::format("section \"{}\" has no fkc block", section.heading),
                      "open one with a line \"```fkc\", or make the heading a \"### \" one");
    }
    if (blocks_ > 1) {
      reporter_.error("MultipleFkcBlocks", {section.line, 1},
                      fmt::format("section \"{}\" has {} fkc blocks (count={})", section.heading,
                                  blocks_, blocks_),
                      "give every kernel a \"## \" heading of its own");
      faulty_ = true;
    }
    if (faulty_) section.block.reset();
  }

  /// Reads the fence that opens at `open`; returns the line to go on with.
  int read_fence(const Fence& fence, int open) {
    int first_heading = 0;
    int line = open + 1;
    bool closed = false;
    Scanned& scanned = scanned_[fence.mark == '`' ? 0 : 1];
    const bool resumed = fence.length >= scanned.length && scanned.line > line;
    if (resumed) line = scanned.line;
    for (; line <= count_; ++line) {
      if (closes(at(line), fence)) {
        closed = true;
        break;
      }
      if (is_heading(at(line)) && first_heading == 0) first_heading = line;
      const auto inner = opening_fence(at(line));
      if (fence.mark == '`' && fence.length == 3 && inner && inner->is_fkc()) break;
    }
    if (!closed) {
      reporter_.error("UnterminatedFence", place_of(lines_, open), "this fence is not closed",
                      "close it with a line of " + std::string(fence.length, fence.mark));
      faulty_ = true;
      scanned = {fence.length, line};
      if (resumed) return open + 1;
      return first_heading != 0 ? first_heading : line;
    }
    if (fence.is_almost_fkc()) {
      reporter_.warning("MissingFkcBlock", place_of(lines_, open),
                        "this fence is no fkc block: it is not read",
                        "open a block with a line \"```fkc\", or name another language here");
    }
    if (fence.is_fkc()) {
      block(open, line, first_heading);
    } else if (first_heading != 0) {
      reporter_.warning("HeadingInBlock", {first_heading, 1},
                        "a \"## \" line inside a fence does not begin a section",
                        "other importers split here; indent the line");
    }
    return line + 1;
  }

  /// Reads the comment that opens at `open`: what it holds is no Markdown. Returns the line to go
  /// on with.
  int read_comment(int open) {
    if (endless_comment_) return open + 1;
    int hidden = 0;
    int line = open;
    for (; line <= count_ && at(line).find("-->") == std::string_view::npos; ++line) {
      const auto fence = opening_fence(at(line));
      if (hidden == 0 && (is_heading(at(line)) || (fence && fence->is_fkc()))) hidden = line;
    }
    const bool closed = line <= count_;
    if (closed && hidden != 0) {
      reporter_.note("HiddenByComment", place_of(lines_, hidden),
                     fmt::format("a comment hides this: lines {} to {} are not read", open, line),
                     "other importers may read it; what no longer holds is better deleted");
    } else if (hidden != 0) {
      // It would take every kernel behind it along.
      reporter_.error(
          "HiddenByComment", place_of(lines_, open),
          fmt::format("a comment that is not closed hides line {} and all behind it", hidden),
          "close it with \"-->\"");
      endless_comment_ = true;
      return open + 1;
    }
    return closed ? line + 1 : line;
  }

  void block(int open, int close, int first_heading) {
    if (!in_section_) {
      reporter_.error("OrphanFkcBlock", place_of(lines_, open),
                      "an fkc block stands before the first \"## \" heading",
                      "put a heading \"## KERNEL\" above it");
      return;
    }
    if (first_heading != 0) {
      reporter_.error("HeadingInBlock", {first_heading, 1},
                      "a \"## \" line inside an fkc block would split it for other importers",
                      "write the comment with one \"#\", or indent it");
      faulty_ = true;
    }
    ++blocks_;
    result_.sections.back().block = Chunk{open + 1, close};
  }

  /// Up to `line` no fence of this length or more is closed. It keeps documents with many lost
  /// fences from being searched anew for each.
  struct Scanned {
    std::size_t length = kMaxFence + 1;
    int line = 0;
  };

  const Lines& lines_;
  const int count_;
  Reporter& reporter_;
  Markdown result_;
  std::array<Scanned, 2> scanned_;  ///< of backticks, of tildes
  bool endless_comment_ = false;    ///< reported; what is behind it is read nevertheless
  bool in_section_ = false;
  bool faulty_ = false;
  int blocks_ = 0;
  int prose_from_ = 0;
};

}  // namespace

Markdown split_markdown(const Lines& lines, Reporter& reporter) {
  return Splitter(lines, reporter).run();
}

}  // namespace assay::fkc
