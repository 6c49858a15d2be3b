#pragma once

#include <string>
#include <vector>

#include "conformance/case/case.h"

namespace hlo::conformance {

/// How two lists of cases differ: a line for each case that only one has, in
/// which a field differs, and for each leaf of its results whose value's bits,
/// or sets, do, with the first element. In the order of the ids.
std::vector<std::string> golden_differences(const std::vector<Case>& before,
                                            const std::vector<Case>& after);

}  // namespace hlo::conformance
