#pragma once

#include <cstdint>
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

/// What a region that just does this to floats gives exactly, rounded once.
enum class ExactFolds : uint8_t { kSums, kSumsAndProducts };

/// What a region that takes twice as many scalars as it returns makes of
/// `first` and each of the terms t0, t1, ...: region(region(first, t0), t1) and
/// so on, all in the types of its parameters, but for exact folds.
Scalars fold_terms(const Computation& region, Scalars first,
                   const EachScalars& terms, ExactFolds exact,
                   Evaluator& evaluator);

}  // namespace hlo::definition
