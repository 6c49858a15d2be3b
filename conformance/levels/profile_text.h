#pragma once

#include <string>
#include <string_view>

#include "conformance/levels/profile.h"

namespace hlo::conformance {

/// The profile of "LEVEL[,AXIS=CHOICE]...": the level's own axes, then those
/// given. Throws Error "usage.profile" that lists what is known.
Profile parse_profile(std::string_view text);
/// All of it in words that parse_profile reads back: the level, and the axes
/// that differ from the first choice of each.
std::string print(const Profile& profile);

}  // namespace hlo::conformance
