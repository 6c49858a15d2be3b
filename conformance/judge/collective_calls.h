#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/expect/collective_call.h"
#include "conformance/judge/judge.h"
#include "conformance/levels/profile.h"
#include "interpreter/run/network.h"

namespace hlo::conformance {

/// Puts the groups together that run a collective for the same time: each
/// group has a Meeting of its own.
class CollectiveCalls {
 public:
  /// Takes what a group brought; a call whose devices have all come, or the
  /// oldest of too many that still wait for some.
  std::optional<CollectiveCall> add(const Meeting& meeting);
  /// The next of those that still wait, once the program has ended.
  std::optional<CollectiveCall> next();

 private:
  std::map<std::pair<const Instruction*, std::vector<int64_t>>, int64_t>
      visits_;  // by collective and group
  std::deque<std::pair<int64_t, CollectiveCall>> waiting_;  // with the visit
};

/// Judges what a backend made of the call's module (module_of), on the devices
/// that came.
Judgement judge_call(const CollectiveCall& call, const Module& module,
                     const Observation& observation, const Profile& profile);

}  // namespace hlo::conformance
