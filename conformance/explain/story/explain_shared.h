#pragma once

#include "conformance/explain/recording/recording.h"
#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Tells that the element is a copy of the one at its place in an operand of
/// the run, where the arrays share their memory: what hands an operand on, or
/// makes it a part of a tuple, copies no elements. Whether it is one.
bool explain_shared(Story& story, const Observed& run);

}  // namespace hlo::conformance
