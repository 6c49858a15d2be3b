#pragma once

#include <string>
#include <string_view>

namespace hlo::conformance {

/// Whether the text is a day of the calendar, as in 2027-01-31. Days are in
/// the order of their texts.
bool is_day(std::string_view text);
/// The day that the clock of the system has, in UTC.
std::string today();

}  // namespace hlo::conformance
