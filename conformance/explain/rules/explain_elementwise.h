#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Tells of an element of an element-wise operation: its formula, with the
/// exact value and its rounding.
void explain_elementwise(Story& story);

}  // namespace hlo::conformance
