#pragma once

#include "interpreter/definition/numbers/extended_real.h"

namespace hlo::definition {

/// c + a / sqrt(v), or a number that every format rounds to the same code where
/// the root is irrational. The root of +0 and of an infinity is itself, that of
/// less than 0 is NaN.
Real over_root(const Real& a, const Real& v, const Real& c);

}  // namespace hlo::definition
