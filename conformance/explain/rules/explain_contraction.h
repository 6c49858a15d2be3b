#pragma once

#include "conformance/explain/story/story.h"
#include "interpreter/plans/contraction/contraction.h"

namespace hlo::conformance {

/// Tells of an element of a sum of products: the products.
void explain_contraction(Story& story);
/// Tells which products of elements of lhs and rhs are summed to the result.
/// Their positions are those of operands 0 and 1; the elements are converted to
/// the result's type, or are numbers of `lhs` and `rhs` where these are f64.
void explain_products(Story& story, const Contraction& contraction,
                      const Literal& lhs, const Literal& rhs);

}  // namespace hlo::conformance
