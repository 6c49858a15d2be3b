#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

// Operations of whole arrays whose elements are exact values rounded once: the
// relation that the element fulfils, with the elements that it names, and the
// exact value as far as f64 tells it.

void explain_normalized(Story& story);
void explain_cholesky(Story& story);
void explain_triangular_solve(Story& story);
void explain_fft(Story& story);

/// Says what the operation gives for operands and results in f64 or c128, and
/// how that is rounded; nothing of results that are as wide.
void explain_in_doubles(Story& story);

}  // namespace hlo::conformance
