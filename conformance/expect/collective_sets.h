#pragma once

#include <map>
#include <utility>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/run/network.h"

namespace hlo::conformance {

/// What is known of a run of several devices: whether anything may differ from
/// machine to machine, and the sets of what collectives combined.
class CollectiveSets {
 public:
  explicit CollectiveSets(const Profile& profile) : profile_(profile) {}

  bool any_free = false;

  /// Takes the sets of a collective that applies a computation; others have no
  /// sets of their own.
  void see(const Meeting& meeting);
  /// The sets of what the device got from the collective, or null.
  const std::vector<Expectation>* find(const Instruction& collective,
                                       int64_t device) const;

 private:
  const Profile& profile_;
  std::map<std::pair<const Instruction*, int64_t>, std::vector<Expectation>>
      sets_;
};

}  // namespace hlo::conformance
