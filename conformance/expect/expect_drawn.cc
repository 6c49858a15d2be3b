#include "conformance/expect/expect_drawn.h"

#include <cmath>

#include "conformance/literals/differences.h"
#include "conformance/sets/value_set.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

/// Standard deviations that no normal number is away from the mean. The
/// transformation of Box and Muller is the one that goes furthest: sqrt(-2 ln
/// u) <= 38.6 for the least positive u of f64; at most three roundings with a
/// relative error of at most 1/4 make less than 76 of that.
constexpr double kMostDeviations = 128;

ValueSet normal_floats(uint64_t first, uint64_t second, ElementType type) {
  const FloatFormat& format = numeric::format(type);
  const double mean = numeric::decode(first, format);
  const double deviation = numeric::decode(second, format);
  if (!std::isfinite(mean) || !(deviation >= 0) || std::isinf(deviation)) {
    return ValueSet::everything(type);
  }
  const double most = numeric::decode(format.max_finite(), format);
  // Three roundings of the mean, too.
  const double reach = kMostDeviations * deviation +
                       std::ldexp(std::fabs(mean), 3 - format.precision());
  if (!(std::fabs(mean) + reach < most) || format.sign_mask() == 0) {
    return ValueSet::everything(type);
  }
  numeric::ExactSum sum;
  sum.add(mean);
  const Place low = place_of(sum.round_down_minus(reach, format), type);
  const Place high = place_of(sum.round_up_plus(reach, format), type);
  // Either zero is as far away as the other.
  const Place minus_zero = zero_place(true, type);
  return ValueSet::range(low == 0 ? minus_zero : low,
                         high == minus_zero ? 0 : high);
}

ValueSet range_of(const Instruction& rng, Operands operands) {
  const ElementType type = rng.shape.element_type;
  const uint64_t a = operands[0].scalar().bits[0];
  const uint64_t b = operands[1].scalar().bits[0];
  const bool is_normal = rng.get<Word>("distribution").value == "rng_normal";
  return is_float(type) && is_normal
             ? normal_floats(a, b, type)
             : drawn_uniformly(ValueSet::of(a, type), ValueSet::of(b, type),
                               type);
}

/// Whether every number of one set is below each of the other.
bool is_below(const ValueSet& a, const ValueSet& b, ElementType type) {
  if (!is_float(type)) return a.high() < b.low();
  const FloatFormat& format = numeric::format(type);
  return numeric::decode(code_at(a.high(), type), format) <
         numeric::decode(code_at(b.low(), type), format);
}

bool is_infinite(Place place, ElementType type) {
  return is_float(type) &&
         numeric::is_infinity(code_at(place, type), numeric::format(type));
}

/// The place, of a zero that of its least code.
Place with_zeros(Place place, ElementType type) {
  const bool is_zero = is_float(type) && (place == zero_place(false, type) ||
                                          place == zero_place(true, type));
  return is_zero ? zero_place(true, type) : place;
}

}  // namespace

ValueSet drawn_uniformly(const ValueSet& from, const ValueSet& to,
                         ElementType type) {
  const bool are_numbers = from.has_numbers() && to.has_numbers() &&
                           !from.has_nan() && !to.has_nan();
  if (type == ElementType::kPred || !are_numbers || !is_below(from, to, type) ||
      is_infinite(from.low(), type) || is_infinite(to.high(), type)) {
    return ValueSet::everything(type);
  }
  return ValueSet::range(with_zeros(from.low(), type),
                         with_zeros(to.high(), type) - 1);
}

Expectation expect_drawn(const Instruction& rng, Operands operands,
                         const Literal& reference, const Literal* observed) {
  ArraySet set = ArraySet::computed(reference);
  const ValueSet range = range_of(rng, operands);
  for_each_difference(reference, observed,
                      [&](int64_t i) { set.put(i, 0, range); });
  return set;
}

}  // namespace hlo::conformance
