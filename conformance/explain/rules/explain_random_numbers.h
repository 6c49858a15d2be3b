#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// A number of rng: the state, the block of the generator, and how the
/// distribution makes the number of its bits.
void explain_rng(Story& story);
/// The state of rng-get-and-update-state: what moved it on.
void explain_random_state(Story& story);
/// Which words of the generator an element of rng-bit-generator is made of.
void explain_random_bits(Story& story);

}  // namespace hlo::conformance
