#include "conformance/levels/profile_text.h"

#include <fmt/format.h>

#include "conformance/levels/level.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {

Profile parse_profile(std::string_view text) {
  size_t comma = text.find(',');
  Profile profile = find_level(text.substr(0, comma)).profile;
  while (comma != std::string_view::npos) {
    text.remove_prefix(comma + 1);
    comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      throw Error(Phase::kParse, "usage.profile",
                  fmt::format("\"{}\" stands behind the level, but it must be "
                              "AXIS=CHOICE",
                              shortened(part)));
    }
    set_axis(profile, part.substr(0, equals), part.substr(equals + 1));
  }
  return profile;
}

std::string print(const Profile& profile) {
  const std::vector<AxisChoice> chosen = choices(profile);
  const std::vector<AxisChoice> plain = choices({.level = profile.level});
  const std::vector<AxisChoice> own =
      choices(find_level(profile.level).profile);
  std::string text = profile.level;
  for (size_t k = 0; k < chosen.size(); ++k) {
    if (chosen[k] == plain[k] && chosen[k] == own[k]) continue;
    text += fmt::format(",{}={}", chosen[k].axis, chosen[k].choice);
  }
  return text;
}

}  // namespace hlo::conformance
