#pragma once

#include <span>
#include <string_view>

#include "interpreter/numeric/rounded.h"

// A second engine for functions of f32, which shares no code with the
// reference.
namespace hlo::conformance {

/// A function of the reference and how its rival gets at it.
struct Rival {
  numeric::Function function;
  std::string_view name;  // "exp", "log1p", ...
  /// The C library's function of double, or a formula over it, whose relative
  /// error is below 2^-47; a rounding test decides whether that is enough.
  double (*approximate)(double);
};

std::span<const Rival> all_rivals();
/// Null where there is none of that name.
const Rival* find_rival(std::string_view name);

/// f(x) rounded to nearest even, by the approximation or else by MPFR; every
/// NaN is the same one.
float evaluate(const Rival& rival, float x);
/// f(x) by MPFR with 2,000 bits, rounded to nearest even.
double evaluate_precisely(const Rival& rival, double x);

}  // namespace hlo::conformance
