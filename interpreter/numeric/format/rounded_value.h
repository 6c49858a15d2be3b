#pragma once

#include <cstdint>

namespace hlo::numeric {

/// A correctly rounded result and where the exact real value lies:
/// side < 0: below the rounded value, 0: equal, > 0: above. Where the format
/// has no code for the value (NaN, an overflow that becomes NaN), side is 0.
struct Rounded {
  uint64_t bits = 0;
  int side = 0;
};

}  // namespace hlo::numeric
