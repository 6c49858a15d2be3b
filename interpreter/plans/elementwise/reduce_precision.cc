#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

/// `value` rounded to a multiple of 2^quantum, ties to even.
double round_to(double value, int quantum) {
  constexpr int kAllBits = 53;
  const int lowest = std::ilogb(value) - (kAllBits - 1);
  if (quantum <= lowest) return value;
  if (quantum > lowest + kAllBits + 1) return std::copysign(0.0, value);
  return std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
}

/// What a type's values are reduced to.
struct Target {
  const FloatFormat& format;
  int64_t exponent_bits;
  int64_t mantissa_bits;

  double reduce(double x) const {
    if (x == 0 || !std::isfinite(x)) return x;
    const double rounded = round_mantissa(x);
    if (rounded == 0 || exponent_bits >= format.exponent_bits) return rounded;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = std::ilogb(rounded);
    const double infinity = std::numeric_limits<double>::infinity();
    if (exponent > bias) return std::copysign(infinity, x);
    return exponent <= -bias ? std::copysign(0.0, x) : rounded;
  }

  double round_mantissa(double x) const {
    if (mantissa_bits >= format.mantissa_bits) return x;
    const int exponent = std::max(std::ilogb(x), format.min_exponent());
    return round_to(x, exponent - static_cast<int>(mantissa_bits));
  }
};

// Staged.
void block(const KernelArguments& a) {
  const Target target{numeric::format(loops::operand_type(a)),
                      a.instruction->get<int64_t>("exponent_bits"),
                      a.instruction->get<int64_t>("mantissa_bits")};
  loops::over<1, double, double>(
      a, [&](double x) { return loops::canonical(target.reduce(x)); });
}

Kernel kernel(const Instruction&) { return loops::staged<block>; }

}  // namespace

extern constinit const Plan plan_reduce_precision{.kernel = kernel};

}  // namespace hlo
