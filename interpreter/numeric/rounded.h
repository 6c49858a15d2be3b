#pragma once

#include <cstdint>

#include "interpreter/numeric/float_format.h"

namespace hlo::numeric {

/// A correctly rounded result and where the exact real value lies:
/// side < 0: below the rounded value, 0: equal, > 0: above.
struct Rounded {
  uint64_t bits = 0;
  int side = 0;
};

/// The real functions that are correctly rounded. numeric/functions.cc has a
/// row for each.
enum class Function : uint8_t {
  kExponential,
  kLog,
  kTanh,
  kLogistic,
  kRsqrt,
};

/// f(x) for x given by its bits in `format`, rounded once to nearest even in
/// the same format; special values as spec/ops/<op>.md says. The result does
/// not depend on the host.
Rounded round_function(Function function, uint64_t x,
                       const FloatFormat& format);
/// The same for arrays of the type's storage.
void round_function_array(Function function, const void* x, void* result,
                          int64_t n, const FloatFormat& format);

}  // namespace hlo::numeric
