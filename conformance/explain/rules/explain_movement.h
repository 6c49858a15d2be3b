#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Tells of an element of an operation that moves data: the element that it
/// is a copy of.
void explain_movement(Story& story);

}  // namespace hlo::conformance
