#pragma once

#include <cstdint>

#include "interpreter/definition/numbers/complex_number.h"
#include "interpreter/model/element_type.h"
#include "interpreter/numeric/complex/complex_function.h"

namespace hlo::definition {

using numeric::ComplexFunction;
using numeric::ComplexFunction2;

/// f(z) for the value z of a code: exact arithmetic, and parts of functions
/// rounded to odd (rounded_to_odd.h). Not of kNegate.
Complex evaluate(ComplexFunction function, const Complex& z);
/// f(z, w) for the values of two codes.
Complex evaluate(ComplexFunction2 function, const Complex& z, const Complex& w);

/// f(z) for the number z of a code of c64 or c128, each part rounded once;
/// special values are those of spec/numerics.md. NaN has the sign +, but for
/// kNegate.
ComplexCode round_function(ComplexFunction function, ComplexCode z,
                           ElementType type);
/// f(z, w) for the numbers of two codes of c64 or c128, each part rounded once.
/// NaN has the sign +.
ComplexCode round_function2(ComplexFunction2 function, ComplexCode z,
                            ComplexCode w, ElementType type);
/// |z| for the number z of a code of c64 or c128: the code of its parts' type
/// that is nearest.
uint64_t round_magnitude(ComplexCode z, ElementType type);

}  // namespace hlo::definition
