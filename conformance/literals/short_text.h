#pragma once

#include <cstdint>
#include <string>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// The text of an array as text::print() has it, with ... for elements in the
/// middle of its dimensions where it has more than `most`: as many at both ends
/// of each as make about a tenth of `most` in all.
std::string short_text(const Literal& array, int64_t most);

}  // namespace hlo::conformance
