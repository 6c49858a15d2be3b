#pragma once

// Special functions in long double, for rivals of the reference: with an error
// below 2^-47 of the value, or NaN where they do not know.
namespace hlo::conformance {

double approximate_erf_inv(double x);
double approximate_lgamma(double x);
double approximate_digamma(double x);
/// exp(-|x|) I_1(x)
double approximate_bessel_i1e(double x);

}  // namespace hlo::conformance
