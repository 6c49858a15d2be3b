#pragma once

#include <vector>

#include "conformance/case/case.h"
#include "conformance/levels/profile.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// The sets of a case that states the reference's values only (examples of
/// pages), or nothing; or of a certified one by another profile. Where a stated
/// value is not the reference's, it is the only one, so that the reference
/// itself is found to differ.
std::vector<Expectation> derived_sets(const Case& c, const Module& module,
                                      const std::vector<Literal>& observed,
                                      const Profile& profile = {});

}  // namespace hlo::conformance
