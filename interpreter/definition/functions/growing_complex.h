#pragma once

#include <boost/multiprecision/mpc.hpp>

#include "interpreter/definition/numbers/complex_number.h"
#include "interpreter/definition/numbers/growing_precision.h"

namespace hlo::definition {

template <typename F>
struct ComplexFloatOf;

template <unsigned decimals>
struct ComplexFloatOf<Float<decimals>> {
  using type = boost::multiprecision::number<
      boost::multiprecision::mpc_complex_backend<decimals>,
      boost::multiprecision::et_off>;
};

/// A complex number whose parts are of the type F. Each part of an operation's
/// result is rounded to nearest, so that the error is below unit<F>() times the
/// result's modulus.
template <typename F>
using ComplexFloat = typename ComplexFloatOf<F>::type;

/// The finite number x, zeros with their signs, rounded to nearest.
template <typename F>
F to_float(const Real& x) {
  F result;
  assign(result.backend().data(), x);
  return result;
}

/// The finite number z, its parts rounded to nearest.
template <typename F>
ComplexFloat<F> to_float(const Complex& z) {
  return {to_float<F>(z.re), to_float<F>(z.im)};
}

/// log z, off by less than two units and one of its modulus.
template <typename F>
ComplexFloat<F> logarithm(const ComplexFloat<F>& z) {
  const F x = real(z);
  const F y = imag(z);
  return {log(F(x * x + y * y)) / 2, F(atan2(y, x))};
}

/// A complex number whose parts lie within `error` of those of `value`.
template <typename F>
struct Disc {
  ComplexFloat<F> value;
  F error;
};

/// What lies within that many units of the value's modulus.
template <typename F>
Disc<F> disc(const ComplexFloat<F>& value, const F& units) {
  return {value, abs(value) * unit<F>() * units};
}

/// exp(t) for a t that is known up to three units of its modulus, and `more`.
template <typename F>
Disc<F> exponential_disc(const ComplexFloat<F>& t, const F& more) {
  return disc<F>(exp(t), 4 * (abs(t) + more) + 2);
}

/// The real part of the number around which `make(F())` is a Disc<F>, rounded
/// to odd.
template <typename MakeDisc>
Real refine_real(const MakeDisc& make) {
  return refine([&](auto f) {
    const auto around = make(f);
    return Ball<decltype(f)>{real(around.value), around.error};
  });
}

/// The imaginary part of the number around which `make(F())` is a Disc<F>,
/// rounded to odd.
template <typename MakeDisc>
Real refine_imag(const MakeDisc& make) {
  return refine([&](auto f) {
    const auto around = make(f);
    return Ball<decltype(f)>{imag(around.value), around.error};
  });
}

/// Both parts of the number around which `make(F())` is a Disc<F>, rounded to
/// odd.
template <typename MakeDisc>
Complex refine_parts(const MakeDisc& make) {
  return {refine_real(make), refine_imag(make)};
}

}  // namespace hlo::definition
