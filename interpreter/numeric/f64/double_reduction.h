#pragma once

#include <cstddef>

#include "interpreter/numeric/exact/double_double.h"

namespace hlo::numeric {

/// x = k pi/64 + rest, where |rest| is below pi/128 or a little more and step
/// is k modulo 128.
struct ReducedAngle {
  size_t step;
  HiLo rest;
};

/// The angle for any finite |x| >= 2^-12, by integers; the rest is off by less
/// than 2^-101 of it.
ReducedAngle reduce_exactly(double x);

}  // namespace hlo::numeric
