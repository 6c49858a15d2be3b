#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hlo {

/// The one of the names that a person meant who wrote `text`: the first that
/// begins with it, or else the one that the fewest letters put in, left out,
/// changed or swapped with a neighbour make of it, where these are at most a
/// third of it. Empty where there is none.
std::string nearest(std::string_view text, std::span<const std::string> names);

/// " (did you mean ...?)" with the nearest one; empty where there is none.
std::string suggestion(std::string_view text,
                       std::span<const std::string> names);

}  // namespace hlo
