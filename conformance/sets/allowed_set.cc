#include "conformance/element_set.h"

namespace hlo::conformance {
namespace {

ElementSet set_of(const AllowedSet& set, int64_t i) {
  const auto found = set.elements.find(i);
  return found == set.elements.end() ? ElementSet::of(set.value.at(i))
                                     : found->second;
}

}  // namespace

Membership contains(const AllowedSet& set, int64_t i, const Scalar& actual) {
  Membership membership;
  membership.inside = set_of(set, i).contains(actual);
  membership.ulps = ulp_distance(set.value.at(i), actual);
  return membership;
}

std::string describe(const AllowedSet& set, int64_t i) {
  return describe(set_of(set, i), set.value.type());
}

}  // namespace hlo::conformance
