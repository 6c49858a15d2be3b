#include "conformance/certify/rules/application.h"

#include <algorithm>
#include <string>

#include "conformance/sets/element_rule.h"

namespace hlo::conformance {

SetTree unruled(const Application& a) {
  return SetTree::nothing(
      a.nominal, "there is no rule for " + std::string(a.instruction.op->name) +
                     " of values that may differ (" + a.instruction.name + ")");
}

SetTree widened(SetTree array, const Profile& profile) {
  const ElementType type = array.value.type();
  const bool excess =
      is_float(type) && profile.excess_precision == ExcessPrecision::kAllowed;
  for (ValueSet& set : array.sets) {
    if (set.has_nan() && profile.nan == NanRule::kFree) {
      ValueSet all = ValueSet::everything(type);
      all.add(set.nans());  // those that only moved may signal
      set = all;
    }
    add_axes(set, profile, type);
    if (!excess || !set.has_numbers()) continue;
    set.add(Places{std::max(set.low() - 1, least_place(type)),
                   std::min(set.high() + 1, greatest_place(type))});
  }
  return simplified(std::move(array));
}

}  // namespace hlo::conformance
