#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/format/rounded_value.h"
#include "interpreter/numeric/special/function_names.h"

// The functions of one double in pairs of doubles: the rounding test decides
// nearly all arguments.
namespace hlo::numeric {

/// What is known of f(x) without MPFR, by split products; x is not NaN, and not
/// so small that f(x) rounds to x.
Approximation approximate(Function function, double x);
/// f(x) rounded to double, where that is certain; x is not NaN.
std::optional<Rounded> round_double(Function function, double x);
/// f(x) for arrays of doubles, by MPFR where it has to be; by fused products
/// where the machine has them.
void round_double_array(Function function, const double* x, double* result,
                        int64_t n);

}  // namespace hlo::numeric
