#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "conformance/certify/array/set_tree.h"
#include "conformance/levels/profile.h"
#include "interpreter/rules/devices/collective.h"

namespace hlo::conformance {

/// A collective of one group, and what each member may have brought to it.
struct GroupCall {
  const Instruction* collective = nullptr;
  Grid grid;
  std::vector<int64_t> members;                     // in the group's order
  std::map<int64_t, std::vector<SetTree>> brought;  // by member
};

/// What each member may get from it. Evaluate error "evaluate.undefined" where
/// it begins what something else than its done ends.
std::map<int64_t, SetTree> certify_call(const GroupCall& call,
                                        const Profile& profile);

}  // namespace hlo::conformance
