#include "interpreter/definition/numbers/element_conversion.h"

#include <algorithm>

#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {
namespace {

/// Towards zero; what lies beyond the type's ends is its end, NaN is 0.
uint64_t to_integer(const Real& x, ElementType type) {
  const int width = bits(type);
  if (isnan(x)) return 0;
  const Integer least =
      is_signed(type) ? -(Integer(1) << (width - 1)) : Integer(0);
  const Integer most = least + (Integer(1) << width) - 1;
  if (isinf(x)) return wrap(signbit(x) ? least : most, width);
  return wrap(std::clamp(integer_part(x), least, most), width);
}

uint64_t from_integer(const Integer& n, ElementType type) {
  if (type == ElementType::kPred) return n == 0 ? 0 : 1;
  if (is_float(type)) return encode(Real(n), type);
  return wrap(n, bits(type));
}

uint64_t from_real(const Real& x, ElementType type) {
  if (type == ElementType::kPred) return x == 0 ? 0 : 1;
  return is_float(type) ? encode(x, type) : to_integer(x, type);
}

/// One part of a number.
uint64_t part(uint64_t code, ElementType from, ElementType to) {
  if (is_float(from)) return from_real(decode(code, from), to);
  return from_integer(decode_integer(code, bits(from), is_signed(from)), to);
}

}  // namespace

Scalar convert(const Scalar& x, ElementType type) {
  if (x.type == type) return x;
  const ElementType from = component_type(x.type);
  const ElementType to = component_type(type);
  Scalar result{type, {part(x.bits[0], from, to), 0}};
  if (is_complex(type)) result.bits[1] = part(x.bits[1], from, to);
  if (is_complex(type) && !is_complex(x.type)) {
    result.bits[1] = encode(Real(0), to);
  }
  return result;
}

Scalar convert(const Real& x, ElementType type) {
  return {type, {from_real(x, type), 0}};
}

}  // namespace hlo::definition
