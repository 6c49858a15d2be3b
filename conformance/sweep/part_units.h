#pragma once

#include <cstdint>

#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::conformance {

/// floor(1024 |y - r| / ulp(r)), at most kMostUnits (error_units.h), where y is
/// the number of the finite code `actual`. `exact` is the number r, or r
/// rounded to odd at 80 bits or more: no border between two counts lies between
/// those.
int64_t part_units(const definition::Real& exact, uint64_t actual,
                   const numeric::FloatFormat& format);

}  // namespace hlo::conformance
