#include "backends/cpu/functions/random/stochastic_conversion.h"

#include <cmath>
#include <limits>

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/arrays/float_steps.h"
#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/arrays/wide_numbers.h"

namespace hlo::cpu {
namespace {

/// Whether the random bits, `width` of them, are below a fraction in [0, 1).
bool goes_on(double fraction, uint64_t random, int width) {
  return random < static_cast<uint64_t>(std::ldexp(fraction, width));
}

/// Truncated, or one step further from zero; saturated.
int64_t to_integer(double x, uint64_t random, int width, ElementType type) {
  const int64_t highest =
      std::numeric_limits<int64_t>::max() >> (64 - bits(type));
  const int64_t lowest = -highest - 1;
  if (std::isnan(x)) return 0;
  const double whole = std::trunc(x);
  const double limit = std::ldexp(1.0, bits(type) - 1);
  if (whole >= limit) return highest;
  if (whole <= -limit) return lowest;
  const auto number = static_cast<int64_t>(whole);
  if (!goes_on(std::fabs(x - whole), random, width)) return number;
  if (std::signbit(x)) return number - 1;
  return number == highest ? highest : number + 1;
}

/// The neighbour towards zero, or the one behind it; x itself where the type
/// has it, and where one of them is no finite number: that is converted.
double to_float(double x, uint64_t random, int width, ElementType type) {
  if (!std::isfinite(x) || type == ElementType::kF64) return quiet(x);
  const double nearest = nearest_of(x, type);
  if (nearest == x || std::isnan(nearest)) return x;
  const bool is_beyond = std::fabs(nearest) > std::fabs(x);
  const auto low = !is_beyond            ? std::optional(nearest)
                   : std::isinf(nearest) ? std::nullopt
                                         : next_towards_zero(nearest, type);
  const auto high = is_beyond ? std::optional(nearest)
                              : next_away(std::copysign(nearest, x), type);
  if (!low || !high || !std::isfinite(*high)) return x;
  const double share = (x - *low) / (*high - *low);
  return std::copysign(goes_on(share, random, width) ? *high : *low, x);
}

}  // namespace

Array stochastic_conversion(const Instruction& instruction, Operands operands) {
  const ElementType type = instruction.shape.element_type;
  const std::vector<double> x = wide_reals(*operands[0]);
  const std::vector<uint64_t> random = load<uint64_t>(*operands[1]);
  const int width = bits(operands[0]->shape.element_type);
  if (is_signed(type)) {
    std::vector<int64_t> numbers(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      numbers[i] = to_integer(x[i], random[i], width, type);
    }
    return store<int64_t>(instruction.shape, numbers);
  }
  std::vector<double> numbers(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    numbers[i] = to_float(x[i], random[i], width, type);
  }
  return rounded(instruction.shape, numbers);
}

}  // namespace hlo::cpu
