#pragma once

#include <string>
#include <vector>

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// One of the elements that a region joins.
struct Term {
  std::string text;  // "%x[2] = 1.5 (3fc00000)"
  Scalar value;
};

/// Lists the first terms and counts the others.
void list_terms(Story& story, const std::vector<std::string>& terms);

/// Tells how a region with two parameters joins the terms in their order to the
/// result: sums and products are exact and rounded once, the smallest and the
/// largest are one of the terms, and anything else goes step by step.
void explain_joined(Story& story, const Computation& region,
                    const std::vector<Term>& terms);

/// The values of the region's results for these scalars.
std::vector<Scalar> apply_region(const Computation& region,
                                 const std::vector<Scalar>& arguments);

}  // namespace hlo::conformance
