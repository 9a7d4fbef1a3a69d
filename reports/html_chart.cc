#include "reports/html_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html_text.h"
#include "reports/text.h"

namespace assay {

namespace {

// In units of the picture, which is scaled to the room there is.
constexpr double kWidth = 640;
constexpr double kHeight = 230;
constexpr double kLeft = 74;
constexpr double kRight = 12;
constexpr double kTop = 14;
constexpr double kBottom = 44;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kPlotHeight = kHeight - kTop - kBottom;
constexpr double kBase = kTop + kPlotHeight;

/// What is drawn: values that are not finite are drawn as the tallest.
class Picture {
 public:
  explicit Picture(const Chart& chart) : chart_(chart) {
    for (const ChartBar& bar : chart.bars) {
      breadth_ += bar.breadth;
      for (const std::optional<double>& value : bar.values) {
        if (value && std::isfinite(*value)) largest_ = std::max(largest_, *value);
      }
    }
    // A full decade, or a little room above the tallest bar.
    if (chart.logarithmic) {
      top_ = std::pow(10, std::max(1.0, std::ceil(std::log10(std::max(largest_, 1.0)))));
    } else {
      top_ = largest_ > 0 ? nice(largest_) : 1;
    }
  }

  std::string svg() const {
    return fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n",
                       kWidth, kHeight,
                       html_text(fmt::format("{}: {} over {}; largest {}", chart_.title,
                                             chart_.measure, chart_.axis, value_text(largest_)))) +
           grid() + bars() + labels() + "</svg>\n";
  }

  std::string value_text(double value) const {
    if (!std::isfinite(value)) return number_text(value);
    // Counts are not negative, but for those of a stranger's report.
    if (chart_.whole_numbers && value >= 0 && value < 9e15) {
      return with_thousands(static_cast<std::uint64_t>(value));
    }
    return value == 0 ? "0" : fmt::format("{:.6g}", value);
  }

 private:
  /// The least of 1, 2, 2.5, 5 times a power of ten that is not below `value`.
  static double nice(double value) {
    const double decade = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 2.5, 5.0}) {
      if (step * decade >= value) return step * decade;
    }
    return 10 * decade;
  }

  double height(double value) const {
    if (!std::isfinite(value)) return kPlotHeight;
    if (!chart_.logarithmic) return kPlotHeight * std::min(value / top_, 1.0);
    if (value < 1) return 0;
    // One stands a little above the line, so that a single one among billions is seen.
    return kPlotHeight * (0.04 + 0.96 * std::log10(value) / std::log10(top_));
  }

  std::string grid() const {
    std::string out;
    const auto line = [&](double value) {
      const double y = kBase - height(value);
      out += fmt::format(
          "<line class=\"grid\" x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
          "<text x=\"{3:.0f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
          kLeft, kWidth - kRight, y, kLeft - 6, y + 4, tick_text(value));
    };
    if (chart_.logarithmic) {
      const int decades = static_cast<int>(std::round(std::log10(top_)));
      const int step = std::max(1, (decades + 4) / 5);
      for (int decade = 0; decade <= decades; decade += step) line(std::pow(10, decade));
    } else {
      for (int quarter = 0; quarter <= 4; ++quarter) line(top_ * quarter / 4);
    }
    return out + fmt::format(
                     "<line class=\"axis\" x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.0f}\" "
                     "y2=\"{2:.0f}\"/>\n",
                     kLeft, kWidth - kRight, kBase);
  }

  std::string tick_text(double value) const {
    if (value >= 1e4) return fmt::format("{:.3g}", value);
    return fmt::format("{:.4g}", value);
  }

  std::string bars() const {
    std::string out;
    double x = kLeft;
    for (const ChartBar& bar : chart_.bars) {
      const double room = kPlotWidth * bar.breadth / breadth_;
      const double gap = room > 6 ? 1.5 : 0;
      const double width =
          (room - gap) / static_cast<double>(std::max<std::size_t>(1, bar.values.size()));
      for (std::size_t s = 0; s < bar.values.size(); ++s) {
        if (!bar.values[s]) continue;
        const double tall = height(*bar.values[s]);
        if (tall <= 0) continue;
        out += fmt::format(
            "<rect class=\"s{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\">"
            "<title>{}: {}</title></rect>\n",
            s % 2, x + width * static_cast<double>(s), kBase - tall, std::max(width, 0.4), tall,
            html_text(bar.label), value_text(*bar.values[s]));
      }
      x += room;
    }
    return out;
  }

  /// The labels of some bars, as far apart as their lengths ask for, and the axis's name.
  std::string labels() const {
    std::string out;
    double x = kLeft;
    double free_from = 0;
    for (const ChartBar& bar : chart_.bars) {
      const double room = kPlotWidth * bar.breadth / breadth_;
      const double half = 3.4 * static_cast<double>(std::min<std::size_t>(bar.label.size(), 24));
      const double middle = std::clamp(x + room / 2, half, kWidth - half);
      x += room;
      if (middle - half < free_from || bar.label.size() > 24) continue;
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n",
                         middle, kBase + 16, html_text(bar.label));
      free_from = middle + half + 8;
    }
    return out + fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n",
                             kLeft + kPlotWidth / 2, kHeight - 8, html_text(chart_.axis));
  }

  const Chart& chart_;
  double breadth_ = 0;
  double largest_ = 0;
  double top_ = 1;
};

std::string data_table(const Chart& chart, const Picture& picture) {
  std::vector<std::string> headings = {html_text(chart.axis)};
  for (const std::string& series : chart.series) {
    headings.push_back(
        html_text(chart.series.size() == 1 ? chart.measure : chart.measure + ", " + series));
  }
  HtmlTable table(chart.title + ": data", headings);
  for (const ChartBar& bar : chart.bars) {
    std::vector<std::string> cells = {html_text(bar.label)};
    for (const std::optional<double>& value : bar.values) {
      cells.push_back(value ? picture.value_text(*value) : "not known");
    }
    table.add(cells);
  }
  return table.html();
}

}  // namespace

std::string html_chart(const Chart& chart) {
  if (chart.bars.empty()) return "";
  const Picture picture(chart);
  std::string caption = html_text(chart.title);
  if (chart.series.size() > 1) {
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      caption +=
          fmt::format(" <span class=\"key s{}\"></span>{}", s % 2, html_text(chart.series[s]));
    }
  }
  if (!chart.note.empty()) {
    caption += fmt::format("<br><span class=\"soft\">{}</span>", html_text(chart.note));
  }
  return fmt::format(
      "<figure>\n<figcaption>{}</figcaption>\n{}<details><summary>The data of this "
      "picture</summary>\n{}</details></figure>\n",
      caption, picture.svg(), data_table(chart, picture));
}

}  // namespace assay
