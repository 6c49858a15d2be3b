#pragma once

#include <cstdint>

#include "conformance/sweep/points/sweep_run.h"
#include "conformance/sweep/points/swept_operation.h"

// Which complex operands a sweep tries: strata of both parts' exponents, and
// what is hard for functions of complex numbers.
namespace hlo::conformance {

/// How many numbers with an imaginary part of sign + there are of one operand,
/// each of which is tried with its conjugate; how many pairs of two operands.
int64_t complex_count(const SweptOperation& operation);
/// Those from `begin` to `end`. Of one operand: every pair of 64 chosen real
/// parts and 32 imaginary ones (the ends of all classes, multiples of pi / 4,
/// what overflows); every sign and exponent of the real part beside every
/// exponent of the imaginary one (of c128 beside 32, half of them within 8 of
/// the real part's); 2^15 hard ones: near the unit circle, near 1, -1, i and
/// -i, near multiples of pi / 2 and the ends of the exponential in one part,
/// with parts of one size, and with hard arguments of the real function. Of two
/// operands 2^18: drawn ones, ones of like exponents, chosen ones, and ones
/// whose products or quotients cancel in a part.
SweepPoints complex_points(const SweptOperation& operation, int64_t begin,
                           int64_t end);

}  // namespace hlo::conformance
