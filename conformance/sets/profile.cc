#include "conformance/sets/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include "conformance/sets/level.h"

namespace hlo::conformance {
namespace {

/// An axis and its choices, in the order of its enumeration.
struct Axis {
  std::string_view name;
  std::span<const std::string_view> choices;
  uint8_t (*get)(const Profile&);
  void (*set)(Profile&, uint8_t);
};

template <auto member>
uint8_t get(const Profile& profile) {
  return static_cast<uint8_t>(profile.*member);
}

template <auto member>
void set(Profile& profile, uint8_t choice) {
  profile.*member =
      static_cast<std::decay_t<decltype(profile.*member)>>(choice);
}

constexpr std::string_view kSubnormals[] = {"ieee", "daz", "ftz", "daz+ftz"};
constexpr std::string_view kNan[] = {"any", "canonical", "payload", "free"};
constexpr std::string_view kZeroSign[] = {"strict", "lax"};
constexpr std::string_view kContraction[] = {"none", "fma"};
constexpr std::string_view kExcess[] = {"none", "allowed"};
constexpr std::string_view kAccumulation[] = {
    "wide-any", "strict-out", "f32-rn", "f32-tc", "tf32",
    "bf16x1",   "bf16x3",     "bf16x6", "bf16x9", "fp8-fast"};

constexpr std::array<Axis, 6> kAxes = {{
    {"subnormals", kSubnormals, get<&Profile::subnormals>,
     set<&Profile::subnormals>},
    {"nan", kNan, get<&Profile::nan>, set<&Profile::nan>},
    {"zero-sign", kZeroSign, get<&Profile::zero_sign>,
     set<&Profile::zero_sign>},
    {"contraction", kContraction, get<&Profile::contraction>,
     set<&Profile::contraction>},
    {"excess-precision", kExcess, get<&Profile::excess_precision>,
     set<&Profile::excess_precision>},
    {"accumulation", kAccumulation, get<&Profile::accumulation>,
     set<&Profile::accumulation>},
}};

const Axis& find_axis(std::string_view name) {
  const auto* found = std::ranges::find(kAxes, name, &Axis::name);
  if (found != kAxes.end()) return *found;
  std::array<std::string_view, kAxes.size()> names;
  std::ranges::transform(kAxes, names.begin(), &Axis::name);
  throw std::invalid_argument(fmt::format("no axis is called {}; there are {}",
                                          name, fmt::join(names, ", ")));
}

}  // namespace

void set_axis(Profile& profile, std::string_view axis,
              std::string_view choice) {
  const Axis& row = find_axis(axis);
  const auto found = std::ranges::find(row.choices, choice);
  if (found == row.choices.end()) {
    throw std::invalid_argument(fmt::format("{} is not {}, but one of {}", axis,
                                            choice,
                                            fmt::join(row.choices, ", ")));
  }
  row.set(profile, static_cast<uint8_t>(found - row.choices.begin()));
}

Profile level_profile(std::string_view level) {
  return find_level(level).profile;
}

Profile parse_profile(std::string_view text) {
  size_t comma = text.find(',');
  Profile profile = level_profile(text.substr(0, comma));
  while (comma != std::string_view::npos) {
    text.remove_prefix(comma + 1);
    comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      throw std::invalid_argument(
          fmt::format("{} is not of the form AXIS=CHOICE", part));
    }
    set_axis(profile, part.substr(0, equals), part.substr(equals + 1));
  }
  return profile;
}

std::string print(const Profile& profile) {
  std::string text = profile.level;
  const Profile plain{.level = profile.level};
  const Profile own = level_profile(profile.level);
  for (const Axis& axis : kAxes) {
    const uint8_t choice = axis.get(profile);
    if (choice == axis.get(plain) && choice == axis.get(own)) continue;
    text += fmt::format(",{}={}", axis.name, axis.choices[choice]);
  }
  return text;
}

}  // namespace hlo::conformance
