#pragma once

#include <cstdint>
#include <span>

#include "interpreter/numeric/format/float_format.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// So many units are one unit in the last place of the exact value.
inline constexpr int64_t kUnitsPerUlp = 1024;
/// More are not told apart.
inline constexpr int64_t kMostUnits = int64_t{1} << 30;

/// floor(1024 |y - r| / ulp(r)), at most kMostUnits, where y is the number of
/// the code `actual`, r the exact result of the operation at the operands and
/// ulp(r) = 2^(max(floor(log2 |r|), emin) - p + 1). Exact: decided by a double
/// that is known to be r rounded correctly, and the side on which r lies of it,
/// where 1024 borders in each unit are doubles, and else by MPFR with so many
/// bits that no border lies between r and what is known of it. `reference` is r
/// rounded to the format; r is its number where the operation has no real
/// function or arithmetic. Both are finite; where r is not, kMostUnits.
int64_t error_units(const Op& op, std::span<const double> operands,
                    uint64_t reference, uint64_t actual,
                    const numeric::FloatFormat& format);

}  // namespace hlo::conformance
