#pragma once

#include "interpreter/definition/numbers/complex_number.h"

// Functions of complex numbers by MPC, each part rounded to odd
// (rounded_to_odd.h); special values are those of spec/numerics.md. The signs
// of NaN mean nothing. Numbers may have any number of bits.
namespace hlo::definition {

Complex sqrt(const Complex& z);
Complex exp(const Complex& z);
Complex log(const Complex& z);
Complex log10(const Complex& z);
Complex sinh(const Complex& z);
Complex cosh(const Complex& z);
Complex tanh(const Complex& z);
Complex acos(const Complex& z);
Complex acosh(const Complex& z);
Complex asinh(const Complex& z);
Complex atanh(const Complex& z);
Complex sin(const Complex& z);
Complex cos(const Complex& z);
Complex tan(const Complex& z);
Complex asin(const Complex& z);
Complex atan(const Complex& z);

/// exp(w log z) for finite numbers, z not 0, where that is between exp(-5000)
/// and exp(5000); the signs of zeros mean nothing.
Complex moderate_power(const Complex& z, const Complex& w);

}  // namespace hlo::definition
