#include "conformance/certify/rules/application.h"

#include <algorithm>
#include <string>

#include "conformance/sets/element_rule.h"
#include "conformance/sets/open_results.h"

namespace hlo::conformance {

SetTree unruled(const Application& a) {
  return SetTree::nothing(
      a.nominal, "there is no rule for " + std::string(a.instruction.op->name) +
                     " of values that may differ (" + a.instruction.name + ")");
}

ValueSet widened(ValueSet set, const Profile& profile, ElementType type) {
  if (set.has_nan() && profile.nan == NanRule::kFree) {
    ValueSet all = ValueSet::everything(type);
    all.add(set.nans());  // those that only moved may signal
    set = all;
  }
  add_axes(set, profile, type);
  const bool excess =
      is_float(type) && profile.excess_precision == ExcessPrecision::kAllowed;
  if (!excess || !set.has_numbers()) return set;
  set.add(Places{std::max(set.low() - 1, least_place(type)),
                 std::min(set.high() + 1, greatest_place(type))});
  return set;
}

SetTree widened(SetTree array, const Profile& profile) {
  for (ValueSet& set : array.sets) {
    set = widened(set, profile, array.value.type());
  }
  return simplified(std::move(array));
}

}  // namespace hlo::conformance
