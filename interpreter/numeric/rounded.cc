#include "interpreter/numeric/rounded.h"

#include "interpreter/numeric/f32/narrow_array.h"
#include "interpreter/numeric/f32/round_narrow.h"
#include "interpreter/numeric/f64/double_binary_functions.h"
#include "interpreter/numeric/f64/double_functions.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

bool is_double(const FloatFormat& format) {
  return format.type == ElementType::kF64;
}

}  // namespace

Rounded round_function(Function function, uint64_t x,
                       const FloatFormat& format) {
  if (!is_double(format)) return round_narrow(function, x, format);
  if (is_nan(x, format)) return {nan_code(sign_bit(x, format), format), 0};
  const double value = decode(x, format);
  const auto rounded = round_double(function, value);
  return rounded ? *rounded : evaluate(function, value, format);
}

Rounded round_function2(Function2 function, uint64_t x, uint64_t y,
                        const FloatFormat& format) {
  if (!is_double(format)) return round_narrow2(function, x, y, format);
  const double first = decode(x, format);
  const double second = decode(y, format);
  const auto rounded = round_double2(function, first, second);
  return rounded ? *rounded : evaluate(function, first, second, format);
}

void round_function_array(Function function, const void* x, void* result,
                          int64_t n, const FloatFormat& format) {
  if (!is_double(format)) {
    return round_narrow_array(function, x, result, n, format);
  }
  round_double_array(function, static_cast<const double*>(x),
                     static_cast<double*>(result), n);
}

void round_function2_array(Function2 function, const void* x, const void* y,
                           void* result, int64_t n, const FloatFormat& format) {
  if (!is_double(format)) {
    return round_narrow2_array(function, x, y, result, n, format);
  }
  round_double2_array(function, static_cast<const double*>(x),
                      static_cast<const double*>(y),
                      static_cast<double*>(result), n);
}

}  // namespace hlo::numeric
