#include "conformance/sets/expectation.h"

#include <algorithm>

namespace hlo::conformance {
namespace {

bool is_single(const IntervalSet& set) {
  return set.nans.empty() &&
         std::ranges::equal(set.low.bytes(), set.high.bytes());
}

bool is_single(const RoundedSet& set) {
  return set.faithful ? std::ranges::count(set.sides, 0) ==
                            static_cast<int64_t>(set.sides.size())
                      : set.steps == 0;
}

}  // namespace

bool is_single(const Expectation& set) {
  if (std::holds_alternative<BitsSet>(set)) return true;
  if (const auto* rounded = std::get_if<RoundedSet>(&set)) {
    return is_single(*rounded);
  }
  if (const auto* allowed = std::get_if<AllowedSet>(&set)) {
    const ElementType type = allowed->value.type();
    return std::ranges::all_of(allowed->elements, [&](const auto& element) {
      const ElementSet& one = element.second;
      return one.is_single(type) || !one.parts[0].has_numbers();
    });
  }
  const auto* interval = std::get_if<IntervalSet>(&set);
  return interval != nullptr && is_single(*interval);
}

}  // namespace hlo::conformance
