#pragma once

#include <cstdint>

#include "interpreter/numeric/special/function_names.h"

namespace hlo::numeric {

/// How a function is evaluated in double for formats up to f32: y[i] is within
/// a relative error `error` of f(x[i]), and a zero, an infinity or NaN only
/// where that is; or both lie beyond 2^500, or within 2^-160 of 0, on the same
/// side. x holds values of a format up to f32; x and y do not overlap.
struct FastPath {
  using Evaluate = void (*)(const double* x, double* y, int64_t n);

  Evaluate evaluate = nullptr;
  double error = 0;
};

/// How a function of two arguments is evaluated, with the bound of FastPath.
struct FastPath2 {
  using Evaluate = void (*)(const double* x, const double* y, double* result,
                            int64_t n);

  Evaluate evaluate = nullptr;
  double error = 0;
};

/// The kernel of a function; `evaluate` is null where there is none.
FastPath fast_path(Function function);
/// The kernel of a function of two arguments; `evaluate` is null where there is
/// none.
FastPath2 fast_path(Function2 function);

}  // namespace hlo::numeric
