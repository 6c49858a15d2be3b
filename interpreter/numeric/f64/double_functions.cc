#include "interpreter/numeric/f64/double_functions.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

#include "interpreter/numeric/f64/double_angle.h"
#include "interpreter/numeric/f64/double_circle.h"
#include "interpreter/numeric/f64/double_error.h"
#include "interpreter/numeric/f64/double_exponential.h"
#include "interpreter/numeric/f64/double_hyperbolic.h"
#include "interpreter/numeric/f64/double_logarithm.h"
#include "interpreter/numeric/f64/double_power.h"
#include "interpreter/numeric/f64/double_roots.h"
#include "interpreter/numeric/format/instruction_sets.h"
#include "interpreter/numeric/format/rounding.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

// Where |x| is below `below`, f(x) differs from x by less than 2^-54 |x|: less
// than half of the way to any neighbour, also of powers of two and of subnormal
// numbers, so that f(x) rounds to x.
struct NearIdentity {
  double below = 0;
  int side = 0;  // of f(x), seen from x > 0
  bool odd = true;
};

constexpr NearIdentity near_identity(Function function) {
  switch (function) {
    case Function::kExponentialMinusOne:  // x + x^2/2 + ...
      return {0x1p-54, 1, false};
    case Function::kLogPlusOne:  // x - x^2/2 + ...
      return {0x1p-54, -1, false};
    case Function::kSine:   // x - x^3/6 + ...
    case Function::kAsinh:  // the same
      return {0x1p-26, -1};
    case Function::kTanh:  // x - x^3/3 + ...
    case Function::kAtan:
      return {0x1p-27, -1};
    case Function::kSinh:  // x + x^3/6 + ...
    case Function::kAsin:
      return {0x1p-26, 1};
    case Function::kTan:  // x + x^3/3 + ...
    case Function::kAtanh:
      return {0x1p-27, 1};
    case Function::kSqrt:  // only 0
    case Function::kCbrt:
    case Function::kErf:
      return {0x1p-1074, 0};
    default:
      return {};
  }
}

// The functions of angles and the hyperbolic ones. Those without a case are
// left to MPFR.
template <Function kFunction, Product P>
Approximation approximation_of_angle(double x) {
  switch (kFunction) {
    case Function::kSine:
      return approximate_sine<P>(x);
    case Function::kCosine:
      return approximate_cosine<P>(x);
    case Function::kTan:
      return approximate_tan<P>(x);
    case Function::kAsin:
      return approximate_asin<P>(x);
    case Function::kAcos:
      return approximate_acos<P>(x);
    case Function::kAtan:
      return approximate_atan<P>(x);
    case Function::kSinh:
      return approximate_sinh<P>(x);
    case Function::kCosh:
      return approximate_cosh<P>(x);
    case Function::kTanh:
      return approximate_tanh<P>(x);
    case Function::kAsinh:
      return approximate_asinh<P>(x);
    case Function::kAcosh:
      return approximate_acosh<P>(x);
    case Function::kAtanh:
      return approximate_atanh<P>(x);
    default:
      return undecided();
  }
}

template <Function kFunction, Product P>
Approximation approximation(double x) {
  switch (kFunction) {
    case Function::kExponential:
      return approximate_exponential<P>(x);
    case Function::kExponential2:
      return approximate_exponential2<P>(x);
    case Function::kExponentialMinusOne:
      return approximate_exponential_minus_one<P>(x);
    case Function::kLogistic:
      return approximate_logistic<P>(x);
    case Function::kLog:
      return approximate_log<P>(x);
    case Function::kLog2:
      return approximate_log2<P>(x);
    case Function::kLog10:
      return approximate_log10<P>(x);
    case Function::kLogPlusOne:
      return approximate_log_plus_one<P>(x);
    case Function::kSqrt:
      return approximate_sqrt<P>(x);
    case Function::kRsqrt:
      return approximate_rsqrt<P>(x);
    case Function::kCbrt:
      return approximate_cbrt<P>(x);
    case Function::kErf:
      return approximate_erf<P>(x);
    default:
      return approximation_of_angle<kFunction, P>(x);
  }
}

[[gnu::noinline]] double round_slowly(Function function, double x) {
  const FloatFormat& f64 = format(ElementType::kF64);
  if (std::isnan(x)) return decode(nan_code(std::signbit(x), f64), f64);
  return decode(evaluate(function, x, f64).bits, f64);
}

template <Function kFunction, Product P>
inline void each(const double* x, double* result, int64_t n) {
  constexpr double kBelow = near_identity(kFunction).below;
  for (int64_t i = 0; i < n; ++i) {
    if (std::abs(x[i]) < kBelow) {
      result[i] = x[i];
      continue;
    }
    const double nearest = decide(approximation<kFunction, P>(x[i]));
    result[i] = std::isnan(nearest) ? round_slowly(kFunction, x[i]) : nearest;
  }
}

template <Function kFunction>
[[gnu::flatten]] void each_split(const double* x, double* result, int64_t n) {
  each<kFunction, Product::kSplit>(x, result, n);
}

// All of a function that is to be flattened is inlined, so that its fused
// products become instructions: by g++ of itself, by clang under the limit that
// CMake sets for this file. What is left out calls the library's fma, which
// gives the same bits.
#if defined(__x86_64__)
template <Function kFunction>
[[gnu::flatten, gnu::target("fma")]] void each_fused(const double* x,
                                                     double* result,
                                                     int64_t n) {
  each<kFunction, Product::kFused>(x, result, n);
}
#else
template <Function kFunction>
void each_fused(const double* x, double* result, int64_t n) {
  each_split<kFunction>(x, result, n);
}
#endif

using Loop = void (*)(const double*, double*, int64_t);

struct Row {
  Approximation (*approximate)(double);
  Loop split;
  Loop fused;
  NearIdentity near;
};

template <size_t... kIndices>
constexpr auto make_rows(std::index_sequence<kIndices...>) {
  return std::array<Row, sizeof...(kIndices)>{
      Row{approximation<static_cast<Function>(kIndices), Product::kSplit>,
          each_split<static_cast<Function>(kIndices)>,
          each_fused<static_cast<Function>(kIndices)>,
          near_identity(static_cast<Function>(kIndices))}...};
}

constexpr auto kRows = make_rows(
    std::make_index_sequence<static_cast<size_t>(kLastFunction) + 1>());

const Row& row_of(Function function) {
  return kRows[static_cast<size_t>(function)];
}

}  // namespace

Approximation approximate(Function function, double x) {
  return row_of(function).approximate(x);
}

std::optional<Rounded> round_double(Function function, double x) {
  const NearIdentity& near = row_of(function).near;
  if (std::abs(x) < near.below) {
    const bool turned = near.odd && std::signbit(x);
    const int side = x == 0 ? 0 : (turned ? -near.side : near.side);
    return Rounded{std::bit_cast<uint64_t>(x), side};
  }
  return decide_with_side(approximate(function, x));
}

void round_double_array(Function function, const double* x, double* result,
                        int64_t n) {
  const bool fused = instruction_set() != InstructionSet::kBaseline;
  const Row& row = row_of(function);
  (fused ? row.fused : row.split)(x, result, n);
}

}  // namespace hlo::numeric
