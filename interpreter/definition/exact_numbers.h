#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <cstdint>
#include <utility>

#include "interpreter/definition/extended_real.h"
#include "interpreter/definition/unbounded_integer.h"

// What Real and Integer hold. Boost's headers are slow: rules of operations do
// without them.
namespace hlo::definition {

// Without expression templates, so that `auto` and `?:` hold numbers.
using Whole = boost::multiprecision::number<boost::multiprecision::gmp_int,
                                            boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                  boost::multiprecision::et_off>;

struct Real::Value {
  Rational number;
};

struct Integer::Value {
  Whole number;
};

/// The number x; 0 for infinities and NaN.
inline const Rational& rational(const Real& x) { return x.value().number; }

/// The number as a Real; zero becomes +0.
inline Real to_real(Rational x) { return Real(Real::Value{std::move(x)}); }

/// The number that an Integer holds.
inline const Whole& whole(const Integer& x) { return x.value().number; }

/// The number as an Integer.
inline Integer to_integer(Whole x) {
  return Integer(Integer::Value{std::move(x)});
}

/// 2^exponent.
Rational power_of_two(int64_t exponent);
/// The greatest integer that is not above x.
Whole floor(const Rational& x);
/// The integer nearest to x, halves to the even one.
Whole nearest_even(const Rational& x);
/// The greatest e with 2^e <= |x|, for x other than 0.
int64_t binary_exponent(const Rational& x);

}  // namespace hlo::definition
