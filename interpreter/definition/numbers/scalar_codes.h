#pragma once

#include <cstdint>

#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/model/element_type.h"

namespace hlo::definition {

/// What the code of a float type says by spec/types.md. NaN has the code's
/// sign; the one NaN of a format without -0 has the sign +.
Real decode(uint64_t code, ElementType type);
/// The code of a float type that is nearest to x, ties to even; overflow, NaN
/// and -0 become what spec/numerics.md has in its table of rounding.
uint64_t encode(const Real& x, ElementType type);

/// The code of the greatest number of a float type that is not above x, which
/// lies between two finite ones.
uint64_t encode_down(const Real& x, ElementType type);
/// How many bits the significands of a float type have.
int precision(ElementType type);

/// The integer in the lowest `bits` bits of the code.
Integer decode_integer(uint64_t code, int bits, bool is_signed);
/// The lowest `bits` bits of an integer in two's complement, right-aligned.
uint64_t wrap(const Integer& x, int bits);

}  // namespace hlo::definition
