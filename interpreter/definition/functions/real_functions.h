#pragma once

#include <cstdint>

#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/model/element_type.h"
#include "interpreter/numeric/rounded.h"

namespace hlo::definition {

using numeric::Function;
using numeric::Function2;

/// f(x), rounded to odd (rounded_to_odd.h), for a number x of finitely many
/// bits, but for functions that MPFR does not have the value of a code. A NaN
/// has the sign +.
Real rounded_to_odd(Function function, const Real& x);

/// The square root, rounded to odd, for the value x of a code.
inline Real sqrt(const Real& x) { return rounded_to_odd(Function::kSqrt, x); }

/// f(x, y), rounded to odd, for the values x and y of codes.
Real rounded_to_odd(Function2 function, const Real& x, const Real& y);

/// f(x) for the value x of the code, rounded once to the same type; special
/// values are those of spec/numerics.md. A NaN keeps its sign.
uint64_t round_function(Function function, uint64_t code, ElementType type);
/// f(x, y) for x and y given by their codes, rounded once to the same type. A
/// NaN has the sign +.
uint64_t round_function2(Function2 function, uint64_t x, uint64_t y,
                         ElementType type);

}  // namespace hlo::definition
