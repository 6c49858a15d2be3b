#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Tells of an element of an operation without a rule of a kind: its own
/// story, or what it is made of.
void explain_eval(Story& story);

}  // namespace hlo::conformance
