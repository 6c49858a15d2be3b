#pragma once

#include <map>
#include <utility>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/run/network.h"

namespace hlo::conformance {

/// What is known of a run of several devices: whether anything may differ from
/// machine to machine, what collectives got, and the sets of what they
/// combined.
class CollectiveSets {
 public:
  explicit CollectiveSets(const Profile& profile) : profile_(profile) {}

  bool any_free = false;

  /// Takes the sets of a collective that applies a computation; others have no
  /// sets of their own. `is_known`: no operand of a member may differ.
  void see(const Meeting& meeting, bool is_known);
  /// Whether the device met others there who all brought what is known.
  bool is_known(const Instruction& collective, int64_t device) const;
  /// The sets of what the device got from the collective, or null.
  const std::vector<Expectation>* find(const Instruction& collective,
                                       int64_t device) const;

 private:
  using Place = std::pair<const Instruction*, int64_t>;

  const Profile& profile_;
  std::map<Place, bool> known_;
  std::map<Place, std::vector<Expectation>> sets_;
};

}  // namespace hlo::conformance
