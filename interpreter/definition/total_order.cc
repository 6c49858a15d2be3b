#include "interpreter/definition/total_order.h"

#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::definition {

// -0 lies between 0 and the number before it; the only NaN of types that have
// none has its code, and the sign makes it the least of all.
Integer total_order(const Scalar& x) {
  const uint64_t code = x.bits[0];
  if (!is_float(x.type)) {
    return decode_integer(code, bits(x.type), is_signed(x.type));
  }
  using enum numeric::Specials;
  const numeric::Specials specials = numeric::format(x.type).specials;
  const uint64_t sign = uint64_t{1} << (bits(x.type) - 1);
  if (specials == kE8M0 || code < sign) return code;
  if (specials == kFnuz && code == sign) return -Integer(sign);
  return -Integer(code - sign) - (specials == kFnuz ? 0 : 1);
}

}  // namespace hlo::definition
