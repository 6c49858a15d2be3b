#pragma once

#include "conformance/case/case.h"

namespace hlo::conformance {

/// Whether a test that goes through the cases of all files takes this one: by
/// day one of eight, which its id decides, by night (ASSAY_CASES=all) each.
bool takes_case(const Case& c);

}  // namespace hlo::conformance
