#include "interpreter/rules/plan_set.h"

#include <algorithm>
#include <array>

namespace hlo {
namespace {

constexpr std::array<std::string_view, kPlanFamilies> kNames = {
    "elementwise", "movement", "fold",    "contraction", "region",
    "sort",        "updates",  "fourier", "linear",      "random"};

std::optional<PlanFamily> family_of(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<PlanFamily>(found - kNames.begin());
}

}  // namespace

std::string_view name_of(PlanFamily family) {
  return kNames.at(static_cast<size_t>(family));
}

PlanSet PlanSet::all() {
  PlanSet set;
  set.families_.set();
  return set;
}

PlanSet PlanSet::none() { return {}; }

std::string PlanSet::names() {
  std::string all;
  for (const std::string_view name : kNames) {
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  return all;
}

std::optional<PlanSet> PlanSet::parse(std::string_view text) {
  if (text == "all") return all();
  if (text == "none") return none();
  const bool leaves_out = text.starts_with('-');
  PlanSet set = leaves_out ? all() : none();
  while (true) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view name = text.substr(0, comma);
    if (name.starts_with('-') != leaves_out) return std::nullopt;
    if (leaves_out) name.remove_prefix(1);
    const auto family = family_of(name);
    if (!family) return std::nullopt;
    leaves_out ? set.erase(*family) : set.insert(*family);
    if (comma == text.size()) return set;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace hlo
