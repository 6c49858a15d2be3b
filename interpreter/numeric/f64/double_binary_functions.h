#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/format/rounded_value.h"
#include "interpreter/numeric/special/function_names.h"

// The functions of two doubles in pairs of doubles: the rounding test decides
// nearly all arguments.
namespace hlo::numeric {

/// What is known of f(x, y) without MPFR, by split products.
Approximation approximate2(Function2 function, double x, double y);
/// f(x, y) rounded to double, where that is certain.
std::optional<Rounded> round_double2(Function2 function, double x, double y);
/// f(x, y) for arrays of doubles, by MPFR where it has to be; by fused products
/// where the machine has them.
void round_double2_array(Function2 function, const double* x, const double* y,
                         double* result, int64_t n);

}  // namespace hlo::numeric
