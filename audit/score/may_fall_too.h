// Which claims fall with which: a wrong number is a wrong rounding too.
#pragma once

#include <string>

namespace assay::score {

/// Whether a fault that is planted against `made_for` may refute the claim `id` as well. What a
/// fault in calls brings down besides depends on which calls it shows in: any.
bool may_fall_too(const std::string& made_for, const std::string& id);

}  // namespace assay::score
