#pragma once

#include "conformance/explain/story/seat.h"
#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Which pair of a collective-permute gives the element, and of which slice.
void explain_permuted(Story& story, const Seat& seat);

}  // namespace hlo::conformance
