// Explanations of casts for people and for programs.
#pragma once

#include <string>

#include "audit/explain/cast.h"

namespace assay {

/// Lines of text; variants that give the same stand together.
std::string to_text(const CastExplanation& explanation);

/// A JSON document, `assay-explain/1`.
std::string to_json(const CastExplanation& explanation);

}  // namespace assay
