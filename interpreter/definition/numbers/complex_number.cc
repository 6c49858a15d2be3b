#include "interpreter/definition/numbers/complex_number.h"

#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {
namespace {

bool all_nan(const Complex& z) { return isnan(z.re) && isnan(z.im); }

Complex plain_product(const Complex& z, const Complex& w) {
  return {z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}

// Both parts multiplied or divided for themselves.
Complex scaled(const Complex& z, const Real& factor) {
  return {z.re * factor, z.im * factor};
}

Complex shrunk(const Complex& z, const Real& divisor) {
  return {z.re / divisor, z.im / divisor};
}

template <typename Rule>
Complex both(const Complex& z, const Rule& rule) {
  return {rule(z.re), rule(z.im)};
}

// The direction of an infinity: that of its infinite parts.
Complex direction(const Complex& z) {
  return both(z, [](const Real& x) { return copysign(isinf(x) ? 1 : 0, x); });
}

Complex zeros_for_nans(const Complex& z) {
  return both(z, [](const Real& x) { return isnan(x) ? copysign(0, x) : x; });
}

Complex recovering(const Complex& z) {
  return isinf(z) ? direction(z) : zeros_for_nans(z);
}

}  // namespace

Complex operator*(const Complex& z, const Complex& w) {
  Complex product = plain_product(z, w);
  if (!all_nan(product) || (!isinf(z) && !isinf(w))) return product;
  return scaled(plain_product(recovering(z), recovering(w)),
                Real::infinity(false));
}

Complex operator/(const Complex& z, const Complex& w) {
  Complex quotient = shrunk(plain_product(z, conj(w)), norm(w));
  if (!all_nan(quotient)) return quotient;
  const Real infinity = Real::infinity(false);
  if (is_zero(w) && !all_nan(z)) return scaled(z, copysign(infinity, w.re));
  if (isinf(z) && isfinite(w)) {
    return scaled(plain_product(direction(z), conj(w)), infinity);
  }
  if (isfinite(z) && isinf(w)) {
    return shrunk(plain_product(z, conj(direction(w))), infinity);
  }
  return quotient;
}

Complex decode(ComplexCode code, ElementType type) {
  const ElementType part = component_type(type);
  return {decode(code.re, part), decode(code.im, part)};
}

ComplexCode encode(const Complex& z, ElementType type) {
  const ElementType part = component_type(type);
  return {encode(z.re, part), encode(z.im, part)};
}

}  // namespace hlo::definition
