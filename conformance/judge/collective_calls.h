#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/judge/judge.h"
#include "conformance/levels/profile.h"
#include "interpreter/model/module.h"
#include "interpreter/run/network.h"

namespace hlo::conformance {

/// An operation between devices, and what each device brought to it.
struct CollectiveCall {
  const Instruction* collective = nullptr;
  Grid grid;
  std::map<int64_t, std::vector<Literal>> operands;  // of those that came
};

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

/// The module that runs this collective alone on all devices of the grid; a
/// start with its done. Null where the program's done is out of sight.
std::shared_ptr<const Module> module_of(const CollectiveCall& call);

/// The arguments of that module on each device: one that did not come brings
/// what one of the others did.
std::vector<std::vector<Literal>> arguments_of(const CollectiveCall& call);

/// Judges what a backend made of that module, on the devices that came.
Judgement judge_call(const CollectiveCall& call, const Module& module,
                     const Observation& observation, const Profile& profile);

}  // namespace hlo::conformance
