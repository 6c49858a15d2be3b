#include "interpreter/numeric/f64/double_binary_functions.h"

#include <cmath>

#include "interpreter/numeric/f64/double_power.h"
#include "interpreter/numeric/f64/double_roots.h"
#include "interpreter/numeric/f64/double_zeta.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/instruction_sets.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

// Functions without a case are left to MPFR.
template <Product P>
inline Approximation approximation(Function2 function, double x, double y) {
  switch (function) {
    case Function2::kPower:
      return approximate_power<P>(x, y);
    case Function2::kAtan2:
      return approximate_atan2<P>(x, y);
    case Function2::kHypot:
      return approximate_hypot<P>(x, y);
    case Function2::kPolygamma:
      return approximate_polygamma<P>(x, y);
    case Function2::kZeta:
      return approximate_zeta<P>(x, y);
    default:
      return undecided();
  }
}

[[gnu::noinline]] double round_slowly(Function2 function, double x, double y) {
  const FloatFormat& f64 = format(ElementType::kF64);
  return decode(evaluate(function, x, y, f64).bits, f64);
}

template <Product P>
inline void each(Function2 function, const double* x, const double* y,
                 double* result, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const double nearest = decide(approximation<P>(function, x[i], y[i]));
    result[i] =
        std::isnan(nearest) ? round_slowly(function, x[i], y[i]) : nearest;
  }
}

#if defined(__x86_64__)
// As in double_functions.cc.
[[gnu::flatten, gnu::target("fma")]] void each_fused(Function2 function,
                                                     const double* x,
                                                     const double* y,
                                                     double* result,
                                                     int64_t n) {
  each<Product::kFused>(function, x, y, result, n);
}
#else
void each_fused(Function2 function, const double* x, const double* y,
                double* result, int64_t n) {
  each<Product::kSplit>(function, x, y, result, n);
}
#endif

}  // namespace

Approximation approximate2(Function2 function, double x, double y) {
  return approximation<Product::kSplit>(function, x, y);
}

std::optional<Rounded> round_double2(Function2 function, double x, double y) {
  return decide_with_side(approximate2(function, x, y));
}

void round_double2_array(Function2 function, const double* x, const double* y,
                         double* result, int64_t n) {
  const bool fused = instruction_set() != InstructionSet::kBaseline;
  if (fused) return each_fused(function, x, y, result, n);
  each<Product::kSplit>(function, x, y, result, n);
}

}  // namespace hlo::numeric
