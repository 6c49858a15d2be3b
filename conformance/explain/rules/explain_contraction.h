#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Tells of an element of a sum of products which elements are multiplied, and
/// what their sum is.
void explain_contraction(Story& story);

}  // namespace hlo::conformance
