#pragma once

#include <cstdint>

#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/model/element_type.h"

namespace hlo::definition {

/// x + iy for exact numbers x and y. Products and quotients are the exact ones;
/// infinities and NaN follow Annex G of C, as spec/numerics.md has it.
struct Complex {
  Real re;
  Real im;

  friend bool operator==(const Complex&, const Complex&) = default;

  friend Complex operator-(const Complex& z) { return {-z.re, -z.im}; }

  friend Complex operator+(const Complex& z, const Complex& w) {
    return {z.re + w.re, z.im + w.im};
  }

  friend Complex operator-(const Complex& z, const Complex& w) {
    return {z.re - w.re, z.im - w.im};
  }

  friend Complex operator*(const Complex& z, const Complex& w);
  friend Complex operator/(const Complex& z, const Complex& w);

  friend Real real(const Complex& z) { return z.re; }

  friend Real imag(const Complex& z) { return z.im; }

  friend Complex conj(const Complex& z) { return {z.re, -z.im}; }
};

/// |z|^2
inline Real norm(const Complex& z) { return z.re * z.re + z.im * z.im; }

inline bool isfinite(const Complex& z) {
  return isfinite(z.re) && isfinite(z.im);
}

/// Whether a part is infinite; the other one may be NaN.
inline bool isinf(const Complex& z) { return isinf(z.re) || isinf(z.im); }

/// Whether z is 0, whatever the signs of its parts.
inline bool is_zero(const Complex& z) { return is_zero(z.re) && is_zero(z.im); }

/// The codes of both parts.
struct ComplexCode {
  uint64_t re;
  uint64_t im;

  friend bool operator==(const ComplexCode&, const ComplexCode&) = default;
};

/// The number of a code of c64 or c128.
Complex decode(ComplexCode code, ElementType type);
/// The code of c64 or c128 whose parts are the nearest ones.
ComplexCode encode(const Complex& z, ElementType type);

}  // namespace hlo::definition
