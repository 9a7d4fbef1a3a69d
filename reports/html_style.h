// The one style sheet of the pages: light and dark, narrow and wide, screen and paper.
#pragma once

#include <string_view>

namespace assay {

/// CSS for a <style> element.
std::string_view html_style();

}  // namespace assay
