#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <cstdint>
#include <utility>

// What Real and Integer hold, and are made of. Boost's headers are slow: rules
// of operations do without them.
namespace hlo::definition {

// Without expression templates, so that `auto` and `?:` hold numbers.
using Whole = boost::multiprecision::number<boost::multiprecision::gmp_int,
                                            boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                  boost::multiprecision::et_off>;

/// What a Real holds.
struct RationalValue {
  // cppcheck-suppress noExplicitConstructor
  RationalValue(Rational x) : number(std::move(x)) {}

  Rational number;
};

/// What an Integer holds.
struct WholeValue {
  // cppcheck-suppress noExplicitConstructor
  WholeValue(Whole x) : number(std::move(x)) {}

  Whole number;
};

/// The number that is the Real x; 0 for infinities and NaN.
template <typename R>
const Rational& rational(const R& x) {
  return x.value().number;
}

/// The number that is the Integer x.
template <typename I>
const Whole& whole(const I& x) {
  return x.value().number;
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
