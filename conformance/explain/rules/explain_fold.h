#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Tells of an element of a fold: the elements that the reducer joins.
void explain_fold(Story& story);

}  // namespace hlo::conformance
