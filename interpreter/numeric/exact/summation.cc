#include "interpreter/numeric/exact/summation.h"

#include <bit>
#include <cmath>

namespace hlo {
namespace {

/// Both ends round to the same double, which is then the nearest one.
std::optional<uint64_t> round_to_double(double hi, double lo, double bound) {
  const double slack = bound * (1 + 0x1p-20) + std::abs(lo) * 0x1p-51;
  const double low = hi + (lo - slack);
  const double high = hi + (lo + slack);
  if (std::bit_cast<uint64_t>(low) != std::bit_cast<uint64_t>(high)) {
    return std::nullopt;
  }
  return std::bit_cast<uint64_t>(low);
}

}  // namespace

std::optional<uint64_t> round_if_certain(double hi, double lo, double bound,
                                         const numeric::FloatFormat& format) {
  CompensatedSum sum{hi, 0.0, 0.0};
  if (lo != 0) sum.add(lo);  // +0 would change the sign of -0
  if (!std::isfinite(sum.hi) || !std::isfinite(bound)) return std::nullopt;
  if (bound == 0 && sum.lo == 0) return numeric::encode(sum.hi, format);
  if (format.type == ElementType::kF64) {
    return round_to_double(sum.hi, sum.lo, bound);
  }
  const double slack = bound * (1 + 0x1p-20) + std::abs(sum.hi) * 0x1p-51;
  if (!same_sign(sum.hi - slack, sum.hi + slack)) return std::nullopt;
  const uint64_t low = numeric::encode(sum.hi - slack, format);
  const uint64_t high = numeric::encode(sum.hi + slack, format);
  if (low != high) return std::nullopt;
  return low;
}

}  // namespace hlo
