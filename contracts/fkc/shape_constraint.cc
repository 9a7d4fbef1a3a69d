#include "contracts/fkc/shape_constraint.h"

#include <array>
#include <limits>
#include <utility>

#include "contracts/fkc/scalar.h"
#include "contracts/fkc/split.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

namespace {

/// Non-negative and small enough for int; blanks around it are tolerated.
std::optional<int> parse_rank(std::string_view text) {
  const auto value = parse_unsigned(trim(text));
  if (!value || *value > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
    return std::nullopt;
  }
  return static_cast<int>(*value);
}

std::optional<std::int64_t> parse_axis(std::string_view text) {
  text = trim(text);
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  const auto value = parse_rank(text);
  if (!value) return std::nullopt;
  return negative ? -std::int64_t{*value} : std::int64_t{*value};
}

/// `dim[N]` at the start of `text`: N, and what follows the bracket.
struct DimHead {
  std::int64_t axis;
  std::string_view rest;
};

std::optional<DimHead> dim_head(std::string_view text) {
  if (!text.starts_with("dim[")) return std::nullopt;
  const std::size_t close = text.find(']');
  if (close == std::string_view::npos) return std::nullopt;
  const auto axis = parse_axis(text.substr(4, close - 4));
  if (!axis) return std::nullopt;
  return DimHead{*axis, trim(text.substr(close + 1))};
}

using Content = decltype(ShapeSegment::content);

/// Reads one segment; faults are places inside of it.
class SegmentReader {
 public:
  explicit SegmentReader(std::string_view text) : text_(text) {}

  Content read() const {
    if (auto content = role_segment()) return *std::move(content);
    if (text_.starts_with("rank=")) return rank();
    if (text_.starts_with("divisible(")) return divisible();
    if (text_.starts_with("capacity_ge(")) return capacity();
    const auto head = dim_head(text_);
    if (head && head->rest.starts_with("=") && !head->rest.starts_with("==")) {
      return dim(*head);
    }
    return FreeSegment{};
  }

 private:
  std::size_t index_of(std::string_view part) const {
    // Trimming leaves no place in an empty part.
    return part.empty() ? text_.size() : static_cast<std::size_t>(part.data() - text_.data());
  }
  Content fault(std::string_view where, std::string message) const {
    return FreeSegment{ParseFault{index_of(where), std::move(message)}};
  }

  std::optional<Content> role_segment() const {
    constexpr std::array<std::pair<std::string_view, RoleSegment::Kind>, 4> kPrefixes = {{
        {"same_as=", RoleSegment::Kind::kSameAs},
        {"same_rank=", RoleSegment::Kind::kSameRank},
        {"broadcast_to=", RoleSegment::Kind::kBroadcastTo},
        {"last_dim_eq=", RoleSegment::Kind::kLastDimEqual},
    }};
    for (const auto& [prefix, kind] : kPrefixes) {
      if (!text_.starts_with(prefix)) continue;
      RoleSegment segment{kind, std::string(trim(text_.substr(prefix.size()))), std::nullopt};
      const std::size_t dot = segment.role.rfind(".dim[");
      if (kind == RoleSegment::Kind::kSameAs && dot != std::string::npos) {
        const auto head = dim_head(std::string_view(segment.role).substr(dot + 1));
        if (head && head->rest.empty()) {
          segment.axis = head->axis;
          segment.role.resize(dot);
        }
      }
      return segment;
    }
    return std::nullopt;
  }

  Content rank() const {
    const std::string_view range = text_.substr(5);
    if (const auto parsed = parse_rank_range(range)) return RankSegment{*parsed};
    return fault(range, "no rank: write any, 4, 2..=4 or 2..");
  }

  Content dim(const DimHead& head) const {
    const std::string_view value = trim(head.rest.substr(1));
    auto expression = parse_expression(value);
    if (!expression) {
      return FreeSegment{
          ParseFault{index_of(value) + expression.error().at, expression.error().message}};
    }
    return DimSegment{head.axis, std::move(*expression), false};
  }

  /// The two arguments of a call that must end the segment.
  std::optional<std::pair<std::string_view, std::string_view>> arguments(
      std::string_view name) const {
    if (text_.back() != ')') return std::nullopt;
    const std::string_view inside = text_.substr(name.size() + 1, text_.size() - name.size() - 2);
    const auto pieces = split_outside_brackets(inside, ",");
    if (pieces.size() != 2) return std::nullopt;
    return std::pair(pieces[0], pieces[1]);
  }

  Content divisible() const {
    const auto both = arguments("divisible");
    if (!both) return fault(text_, "write divisible(a, b), and nothing behind it");
    auto dividend = parse_expression(both->first);
    auto divisor = parse_expression(both->second);
    if (!dividend) return fault(both->first, dividend.error().message);
    if (!divisor) return fault(both->second, divisor.error().message);
    return DivisibleSegment{std::move(*dividend), std::move(*divisor)};
  }

  Content capacity() const {
    const auto both = arguments("capacity_ge");
    const auto head = both ? dim_head(both->first) : std::nullopt;
    if (!head || !head->rest.empty()) {
      return fault(text_, "write capacity_ge(dim[0], name), and nothing behind it");
    }
    auto value = parse_expression(both->second);
    if (!value) return fault(both->second, value.error().message);
    return DimSegment{head->axis, std::move(*value), true};
  }

  std::string_view text_;
};

}  // namespace

std::optional<RankRange> parse_rank_range(std::string_view text) {
  text = trim(text);
  if (text == "any") return RankRange{};
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const auto rank = parse_rank(text);
    if (!rank) return std::nullopt;
    return RankRange{*rank, *rank};
  }
  const auto lower = parse_rank(text.substr(0, dots));
  if (!lower) return std::nullopt;
  const std::string_view rest = text.substr(dots + 2);
  if (trim(rest).empty()) return RankRange{*lower, std::nullopt};
  if (rest[0] != '=') return std::nullopt;
  const auto upper = parse_rank(rest.substr(1));
  if (!upper || *upper < *lower) return std::nullopt;
  return RankRange{*lower, *upper};
}

std::vector<ShapeSegment> parse_shape_constraint(std::string_view text) {
  std::vector<ShapeSegment> segments;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(';', start), text.size());
    const std::string_view piece = trim(text.substr(start, end - start));
    if (!piece.empty()) {
      segments.push_back({std::string(piece), static_cast<std::size_t>(piece.data() - text.data()),
                          SegmentReader(piece).read()});
    }
    start = end + 1;
  }
  return segments;
}

}  // namespace assay::fkc
