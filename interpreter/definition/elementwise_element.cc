#include "interpreter/definition/elementwise_element.h"

#include "interpreter/definition/functions/elementary_complex.h"
#include "interpreter/definition/functions/real_functions.h"
#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {
namespace {

ComplexCode code_of(const Scalar& z) { return {z.bits[0], z.bits[1]}; }

Scalar as_scalar(ComplexCode z, ElementType type) {
  return {type, {z.re, z.im}};
}

}  // namespace

Real real_of(const Scalar& x) { return decode(x.bits[0], x.type); }

Integer integer_of(const Scalar& x, bool is_signed) {
  return decode_integer(x.bits[0], bits(x.type), is_signed);
}

Scalar as_scalar(const Integer& x, ElementType type) {
  return {type, {wrap(x, bits(type)), 0}};
}

Scalar as_scalar(const Real& x, ElementType type) {
  return {type, {encode(isnan(x) ? Real::nan() : x, type), 0}};
}

Scalar round_element(numeric::Function function, const Scalar& x,
                     ElementType type) {
  return {type, {round_function(function, x.bits[0], type), 0}};
}

Scalar round_element(numeric::Function2 function, const Scalar& x,
                     const Scalar& y, ElementType type) {
  return as_scalar(rounded_to_odd(function, real_of(x), real_of(y)), type);
}

Scalar round_element(numeric::ComplexFunction function, const Scalar& z,
                     ElementType type) {
  return as_scalar(round_function(function, code_of(z), type), type);
}

Scalar round_element(numeric::ComplexFunction2 function, const Scalar& z,
                     const Scalar& w, ElementType type) {
  return as_scalar(round_function2(function, code_of(z), code_of(w), type),
                   type);
}

Scalar modulus(const Scalar& z, ElementType type) {
  return {type, {round_magnitude(code_of(z), z.type), 0}};
}

Scalar part_of(const Scalar& z, size_t part) {
  return {component_type(z.type), {z.bits[part], 0}};
}

Scalar join_parts(const Scalar& re, const Scalar& im, ElementType type) {
  return {type, {re.bits[0], im.bits[0]}};
}

}  // namespace hlo::definition
