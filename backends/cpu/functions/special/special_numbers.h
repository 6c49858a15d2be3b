#pragma once

// Special functions of real numbers (spec/numerics.md, Special functions), each
// within a few units of a double's last place.

namespace hlo::cpu {

double error_complement(double x);
double inverse_error(double x);
double log_gamma(double x);
double digamma(double x);
/// The derivative of order n of digamma; NaN where n is no order.
double polygamma(double n, double x);
/// The sum of (q + k)^-s over k = 0, 1, 2, ...
double hurwitz_zeta(double s, double q);
/// exp(-|x|) I_1(x)
double bessel_i1e(double x);

}  // namespace hlo::cpu
