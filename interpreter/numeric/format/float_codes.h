#pragma once

#include <cstdint>

#include "interpreter/numeric/format/float_format.h"

namespace hlo::numeric {

/// The value of the code, exactly. NaN becomes the quiet NaN of double with
/// the code's sign; every format's finite values are doubles.
double decode(uint64_t bits, const FloatFormat& format);
/// The code nearest to `value`, ties to even, as `convert` does it
/// (spec/ops/convert.md): overflow, infinity, NaN and -0 as the format's
/// specials say. Exact double in, one rounding.
uint64_t encode(double value, const FloatFormat& format);

/// The values of n codes that lie in the storage of the type.
void decode_array(const void* bits, double* values, int64_t n,
                  const FloatFormat& format);
/// The codes nearest to n doubles, written to the storage of the type.
void encode_array(const double* values, void* bits, int64_t n,
                  const FloatFormat& format);

/// The code at index i of an array in the type's storage.
uint64_t load_code(const void* bits, int64_t i, const FloatFormat& format);
/// Writes the code to index i of an array in the type's storage.
void store_code(void* bits, int64_t i, uint64_t code,
                const FloatFormat& format);

}  // namespace hlo::numeric
