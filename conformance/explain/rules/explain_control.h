#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Tells of an element of an operation that runs computations.
void explain_control(Story& story);

}  // namespace hlo::conformance
