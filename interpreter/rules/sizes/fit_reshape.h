#pragma once

#include "interpreter/rules/op.h"

namespace hlo {

/// The given shape of a reshape gets the sizes of its result: in each part of
/// the dimensions that has all its elements its bounds; where a part has fewer,
/// the one dimension that the result leaves open is shorter. Evaluate error
/// "evaluate.sizes".
void fit_reshape(const Fitting& on);

}  // namespace hlo
