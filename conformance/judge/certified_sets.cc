#include "conformance/judge/certified_sets.h"

#include <algorithm>
#include <iterator>

#include "backends/backend.h"
#include "conformance/certify/certify.h"

namespace hlo::conformance {
namespace {

Expectation expectation_of(const SetTree& leaf) {
  if (leaf.is_open()) {
    return UnspecifiedSet{.reason = leaf.reason(), .value = leaf.value};
  }
  return ArraySet(leaf);
}

}  // namespace

std::vector<Expectation> certified_sets(const Module& module,
                                        const std::vector<Literal>& leaves,
                                        const Profile& profile) {
  std::vector<std::vector<SetTree>> arguments;
  for (const std::vector<Literal>& list : device_arguments(module, leaves)) {
    std::ranges::transform(list, std::back_inserter(arguments.emplace_back()),
                           SetTree::known);
  }
  std::vector<Expectation> sets;
  for (const SetTree& result :
       certify_devices(module, arguments, {.profile = profile})) {
    for (const SetTree* leaf : array_leaves_of(result)) {
      sets.push_back(expectation_of(*leaf));
    }
  }
  return sets;
}

}  // namespace hlo::conformance
