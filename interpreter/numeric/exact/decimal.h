#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo::numeric {

/// The code of `format` nearest to the decimal ("-1.5e-3", "7"), rounded once,
/// ties to even; overflow as encode() does it. Exact for any number of digits;
/// exponents beyond +-1e6 are treated as infinite or zero. Nothing where the
/// text is not a decimal.
std::optional<uint64_t> from_decimal(std::string_view text,
                                     const FloatFormat& format);
/// The shortest decimal that from_decimal reads back as these (finite) bits;
/// the nearest of the shortest; of f8e8m0fnu that which f32 reads back exactly.
/// "-0.0" for minus zero.
std::string to_decimal(uint64_t bits, const FloatFormat& format);

}  // namespace hlo::numeric
