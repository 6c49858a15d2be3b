#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

/// Whether random / 2^bits is less than the fraction, to as many bits.
bool rounds_up(uint64_t random, double fraction, int bits) {
  return random < static_cast<uint64_t>(std::ldexp(fraction, bits));
}

/// The differences and the scaling below are exact: each is of two numbers of
/// which one is at most twice the other, or one is 0.
int64_t to_integer(double x, uint64_t random, int bits, int result_bits) {
  const double most = std::ldexp(1.0, result_bits - 1);  // 1 more than the most
  if (std::isnan(x)) return 0;
  if (x >= most)
    return static_cast<int64_t>((uint64_t{1} << (result_bits - 1)) - 1);
  if (x <= -most)
    return std::numeric_limits<int64_t>::min() >> (64 - result_bits);
  const double whole = std::trunc(std::fabs(x));
  const bool up = rounds_up(random, std::fabs(x) - whole, bits);
  const auto magnitude = static_cast<uint64_t>(whole) + (up ? 1U : 0U);
  const uint64_t limit = (uint64_t{1} << (result_bits - 1)) - (x < 0 ? 0U : 1U);
  const uint64_t kept = std::min(magnitude, limit);
  return static_cast<int64_t>(x < 0 ? -kept : kept);
}

/// x cut to the precision of the format, or the next number from 0: the
/// fraction of their distance is what is cut off. Normal numbers only that have
/// a finite neighbour.
double cut_or_next(double x, uint64_t random, int bits, int precision) {
  const int cut = 53 - precision;
  const auto code = std::bit_cast<uint64_t>(x);
  const uint64_t rest = code & ((uint64_t{1} << cut) - 1);
  const uint64_t fraction =
      cut > bits ? rest >> (cut - bits) : rest << (bits - cut);
  const uint64_t low = code - rest;
  return std::bit_cast<double>(random < fraction ? low + (uint64_t{1} << cut)
                                                 : low);
}

/// One of the two neighbours of x in the format; what has no neighbour on one
/// side is converted.
double to_float(double x, uint64_t random, int bits,
                const FloatFormat& format) {
  const double magnitude = std::fabs(x);
  if (format.specials != numeric::Specials::kE8M0 &&
      magnitude >= std::ldexp(1.0, format.min_exponent()) &&
      magnitude < std::ldexp(1.0, format.max_exponent()) && bits < 64) {
    return cut_or_next(x, random, bits, format.precision());
  }
  const uint64_t code = numeric::encode(x, format);
  const double nearest = numeric::decode(code, format);
  if (nearest == x || !std::isfinite(nearest) || !std::isfinite(x)) return x;
  const int64_t away = x < 0 ? -1 : 1;
  const int64_t step = std::fabs(nearest) > std::fabs(x) ? -away : away;
  const auto other =
      numeric::from_ordinal(numeric::ordinal(code, format) + step, format);
  if (!other) return x;
  const double neighbour = numeric::decode(*other, format);
  if (!std::isfinite(neighbour)) return x;
  const double low = step == away ? nearest : neighbour;
  const double high = step == away ? neighbour : nearest;
  const bool up = rounds_up(random, (x - low) / (high - low), bits);
  return std::copysign(up ? high : low, x);  // there is no order of -0 and 0
}

void block(const KernelArguments& a) {
  const int width = bits(a.instruction->operand_shape(0).element_type);
  const ElementType type = a.instruction->shape.element_type;
  const auto* x = reinterpret_cast<const double*>(a.operands[0]);
  const auto* random = reinterpret_cast<const uint64_t*>(a.operands[1]);
  const FloatFormat* format = is_float(type) ? &numeric::format(type) : nullptr;
  for (int64_t i = 0; i < a.n; ++i) {
    if (format != nullptr) {
      reinterpret_cast<double*>(a.result)[i] =
          to_float(x[i], random[i], width, *format);
    } else {
      reinterpret_cast<int64_t*>(a.result)[i] =
          to_integer(x[i], random[i], width, bits(type));
    }
  }
}

Kernel kernel(const Instruction& /*convert*/) { return loops::staged<block>; }

}  // namespace

extern constinit const Plan plan_stochastic_convert{.kernel = kernel};

}  // namespace hlo
