#pragma once

#include <functional>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::definition {

/// An element of each of several arrays.
using Scalars = std::vector<Scalar>;

using VisitScalars = std::function<void(const Scalars&)>;
/// Calls the visitor with each term of a fold, in order.
using EachScalars = std::function<void(const VisitScalars&)>;

/// What a region that takes twice as many scalars as it returns makes of
/// `first` and each of the terms t0, t1, ...: region(region(first, t0), t1) and
/// so on, all in the types of its parameters. Floats that the region just adds
/// or multiplies give the exact sum or product, rounded once.
Scalars fold_terms(const Computation& region, Scalars first,
                   const EachScalars& terms, Evaluator& evaluator);

}  // namespace hlo::definition
