#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Tells of an element of an array to which updates are applied: those of
/// the element.
void explain_updating(Story& story);

}  // namespace hlo::conformance
