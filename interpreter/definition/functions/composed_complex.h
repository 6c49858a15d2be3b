#pragma once

#include "interpreter/definition/numbers/complex_number.h"

// Functions of complex numbers that MPC does not have, each part rounded to odd
// (rounded_to_odd.h); special values are those of spec/numerics.md. The signs
// of NaN mean nothing.
namespace hlo::definition {

/// z / |z|, and 0 for 0.
Complex sign(const Complex& z);
/// 1 / sqrt(z)
Complex rsqrt(const Complex& z);
/// The principal cube root of z.
Complex cbrt(const Complex& z);
/// 2^z
Complex exp2(const Complex& z);
/// exp(z) - 1
Complex expm1(const Complex& z);
/// 1 / (1 + exp(-z))
Complex logistic(const Complex& z);
/// The logarithm of z over that of 2.
Complex log2(const Complex& z);
/// log(1 + z)
Complex log1p(const Complex& z);
/// re sqrt(1 - z^2) + i |im asin z|
Complex arc_kernel(const Complex& z);

}  // namespace hlo::definition
