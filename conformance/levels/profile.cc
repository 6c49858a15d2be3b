#include "conformance/levels/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/nearest.h"
#include "interpreter/shortened.h"

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

constexpr std::string_view kFreedom[] = {"defined", "any"};

constexpr std::array<Axis, 10> kAxes = {{
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
    {"integer-division", kFreedom, get<&Profile::integer_division>,
     set<&Profile::integer_division>},
    {"conversions", kFreedom, get<&Profile::conversions>,
     set<&Profile::conversions>},
    {"random-bits", kFreedom, get<&Profile::random_bits>,
     set<&Profile::random_bits>},
    {"scatter-windows", kFreedom, get<&Profile::scatter_windows>,
     set<&Profile::scatter_windows>},
}};

const Axis& find_axis(std::string_view name) {
  const auto* found = std::ranges::find(kAxes, name, &Axis::name);
  if (found != kAxes.end()) return *found;
  std::vector<std::string> names;
  names.reserve(kAxes.size());
  for (const Axis& axis : kAxes) names.emplace_back(axis.name);
  throw Error(Phase::kParse, "usage.profile",
              fmt::format("there is no axis \"{}\"{}, but it must be one of {}",
                          shortened(name), suggestion(name, names),
                          fmt::join(names, ", ")));
}

}  // namespace

void set_axis(Profile& profile, std::string_view axis,
              std::string_view choice) {
  const Axis& row = find_axis(axis);
  const auto found = std::ranges::find(row.choices, choice);
  if (found == row.choices.end()) {
    throw Error(Phase::kParse, "usage.profile",
                fmt::format("{} is \"{}\", but it must be one of {}", axis,
                            shortened(choice), fmt::join(row.choices, ", ")));
  }
  row.set(profile, static_cast<uint8_t>(found - row.choices.begin()));
}

std::vector<AxisChoice> choices(const Profile& profile) {
  std::vector<AxisChoice> all;
  for (const Axis& axis : kAxes) {
    all.push_back({axis.name, axis.choices[axis.get(profile)]});
  }
  return all;
}

}  // namespace hlo::conformance
