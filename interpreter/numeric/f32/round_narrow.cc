#include "interpreter/numeric/f32/round_narrow.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "interpreter/numeric/f32/fast_path.h"
#include "interpreter/numeric/f32/special_kernels.h"
#include "interpreter/numeric/f32/special_zeta_kernels.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

// A zero, an infinity or NaN from a kernel is exact.
std::optional<Rounded> exact_limit(double value, const FloatFormat& format) {
  if (std::isnan(value)) return Rounded{nan_code(false, format), 0};
  const bool negative = std::signbit(value);
  if (value == 0) return Rounded{zero_code(negative, format), 0};
  if (!std::isinf(value)) return std::nullopt;
  const Rounded rounded = overflow(negative, format);
  return Rounded{rounded.bits, format.has_infinity() ? 0 : rounded.side};
}

// What is certain of a number between the two, which is neither.
std::optional<Rounded> decide_between(double one, double other,
                                      const FloatFormat& format) {
  const uint64_t bits = encode(one, format);
  if (bits != encode(other, format)) return std::nullopt;
  if (is_infinity(bits, format)) {
    return Rounded{bits, sign_bit(bits, format) ? 1 : -1};
  }
  if (is_nan(bits, format)) return Rounded{bits, 0};
  const double value = decode(bits, format);
  if (std::min(one, other) > value) return Rounded{bits, 1};
  if (std::max(one, other) < value) return Rounded{bits, -1};
  return std::nullopt;
}

// What the kernel's value proves, if it does: f lies between the two products.
std::optional<Rounded> decide(double approximate, double error,
                              const FloatFormat& format) {
  if (const auto limit = exact_limit(approximate, format)) return limit;
  return decide_between(approximate * (1 - 2 * error),
                        approximate * (1 + 2 * error), format);
}

std::optional<Rounded> decide(Ends ends, const FloatFormat& format) {
  if (ends.low == ends.high || std::isnan(ends.low)) {
    return exact_limit(ends.low, format);
  }
  if (std::isinf(ends.low) && std::isinf(ends.high)) return std::nullopt;
  return decide_between(ends.low, ends.high, format);
}

}  // namespace

Rounded round_narrow(Function function, uint64_t x, const FloatFormat& format) {
  if (is_nan(x, format)) return {nan_code(sign_bit(x, format), format), 0};
  const double value = decode(x, format);
  const FastPath path = fast_path(function);
  if (path.evaluate != nullptr && std::isfinite(value)) {
    double approximate = 0;
    path.evaluate(&value, &approximate, 1);
    const auto rounded = decide(approximate, path.error, format);
    if (rounded) return *rounded;
  }
  if (const EndsOf ends_at = ends_of(function); ends_at != nullptr) {
    if (const auto rounded = decide(ends_at(value), format)) return *rounded;
  }
  return evaluate(function, value, format);
}

Rounded round_narrow2(Function2 function, uint64_t x, uint64_t y,
                      const FloatFormat& format) {
  const double first = decode(x, format);
  const double second = decode(y, format);
  const FastPath2 path = fast_path(function);
  const bool finite = std::isfinite(first) && std::isfinite(second);
  if (path.evaluate != nullptr && finite) {
    double approximate = 0;
    path.evaluate(&first, &second, &approximate, 1);
    const auto rounded = decide(approximate, path.error, format);
    if (rounded) return *rounded;
  }
  if (const Ends2Of ends_at = ends_of(function); ends_at != nullptr) {
    if (const auto rounded = decide(ends_at(first, second), format)) {
      return *rounded;
    }
  }
  return evaluate(function, first, second, format);
}

}  // namespace hlo::numeric
