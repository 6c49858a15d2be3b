#include "interpreter/numeric/f64/double_approximation.h"

#include <bit>
#include <cmath>

namespace hlo::numeric {

std::optional<Rounded> decide_with_side(const Approximation& value) {
  const double nearest = decide(value);
  if (std::isnan(nearest)) return std::nullopt;
  const auto bits = std::bit_cast<uint64_t>(nearest);
  if (value.error == 0 && value.lo == 0) return Rounded{bits, 0};
  if (std::isinf(nearest)) return Rounded{bits, nearest > 0 ? -1 : 1};
  // The first difference is exact, the sum's error is in value.error.
  const double unscaled = value.hi + (value.lo + value.error);
  const double beyond = (value.hi - unscaled) + value.lo;
  if (beyond >= value.error) return Rounded{bits, 1};
  if (beyond <= -value.error) return Rounded{bits, -1};
  return std::nullopt;
}

}  // namespace hlo::numeric
