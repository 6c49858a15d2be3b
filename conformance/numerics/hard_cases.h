#pragma once

#include <cstdint>
#include <optional>

#include "conformance/numerics/rival.h"

namespace hlo::conformance {

/// Doubles whose f(x) is hard to round: within 2^-16 of a unit in the last
/// place from a double, or from the middle between two.
struct HardCases {
  int64_t tried = 0;
  int64_t found = 0;
  std::optional<double> wrong;  // the first whose result is not MPFR's
};

/// Searches until `count` are found among numbers drawn from `seed` on the
/// function's useful domain, and compares the reference with MPFR at 2,000
/// bits. Functions without a fast path have none that could be searched.
HardCases check_hard_cases(const Rival& rival, int64_t count, uint64_t seed);

}  // namespace hlo::conformance
