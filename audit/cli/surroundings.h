// What results depend on besides contracts, kernels and options: the processor, the program with
// all that is loaded into it, and what libraries read from the environment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::cli {

/// A list of short texts, each about one thing, that can be compared with another one.
using Items = std::vector<std::string>;

/// Of the processors, each kind once: model, stepping and features, as Linux tells them; and the
/// instruction sets that kernels are built for and that run here.
Items processor_items();

/// "NAME=value" of each variable that the loading of libraries, or what well-known libraries of
/// numeric kernels do, depends on. In the order of their names.
Items environment_items();

/// The program's file and each library that is loaded into it, "NAME: digest". Throws
/// std::runtime_error where one cannot be read.
Items program_items();

/// A digest of a file, as such items say it.
std::string digest_text(std::uint64_t sum);

/// What `items` has and `others` has not, in a few words; "nothing" where that is so.
std::string only_in(const Items& items, const Items& others);

}  // namespace assay::cli
