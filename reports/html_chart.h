// Pictures as inline SVG, each with its data as a table. Colours come from the page's style sheet.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay {

struct ChartBar {
  std::string label;   ///< of the table's row, and what a pointer over the bar shows
  double breadth = 1;  ///< share of the axis, relative to the other bars; above 0
  std::vector<std::optional<double>> values;  ///< one per series, at least 0; none: not known
};

struct Chart {
  std::string title;
  std::string axis;     ///< what bars stand for
  std::string measure;  ///< what their heights are
  std::vector<std::string> series;
  std::vector<ChartBar> bars;
  /// Heights by the logarithm, for counts from one to billions: a bar of 0 has none.
  bool logarithmic = false;
  bool whole_numbers = false;
  std::string note;  ///< under the title; empty: none
};

/// A <figure>: title, picture, table of the data. All texts are escaped here. Nothing for a chart
/// without bars.
std::string html_chart(const Chart& chart);

}  // namespace assay
