#pragma once

#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// What each array leaf of the results may be (certify_devices()); where
/// nothing is certified, an UnspecifiedSet with the reference's value. `leaves`
/// are those of the arguments.
std::vector<Expectation> certified_sets(const Module& module,
                                        const std::vector<Literal>& leaves,
                                        const Profile& profile = {});

}  // namespace hlo::conformance
