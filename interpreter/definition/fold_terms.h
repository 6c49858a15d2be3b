#pragma once

#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::definition {

/// An element of each of several arrays.
using Scalars = std::vector<Scalar>;

/// What a region that takes twice as many scalars as it returns makes of
/// `first` and each of the terms, in order: region(region(first, terms[0]),
/// terms[1]) ..., all in the types of its parameters. Floats that the region
/// just adds or multiplies give the exact sum or product, rounded once.
Scalars fold_terms(const Computation& region, Scalars first,
                   const std::vector<Scalars>& terms, Evaluator& evaluator);

}  // namespace hlo::definition
