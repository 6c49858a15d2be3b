#include "conformance/sets/interval_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/literals/literal_bits.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {

using numeric::ExactSum;
using numeric::FloatFormat;

IntervalSet single_values(const Literal& reference) {
  IntervalSet set;
  set.value = reference;
  set.low = reference;
  set.high = reference;
  return set;
}

void put(IntervalSet& set, int64_t i, int part, const ComponentRange& range) {
  const auto index = static_cast<size_t>(part);
  Scalar low = set.low.at(i);
  Scalar high = set.high.at(i);
  low.bits[index] = range.low;
  high.bits[index] = range.high;
  set.low.set(i, low);
  set.high.set(i, high);
  const int parts = components(set.value.type());
  const auto mark = [&](std::vector<bool>& marks) {
    marks.resize(static_cast<size_t>(set.value.element_count() * parts), false);
    marks[static_cast<size_t>(i * parts + part)] = true;
  };
  if (range.nan) mark(set.nans);
  if (range.empty) mark(set.empty_bounds);
}

int quantum(const Literal& literal) {
  const FloatFormat& format = numeric::format(component_type(literal.type()));
  int lowest = std::numeric_limits<int>::max();
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const Scalar element = literal.at(i);
    for (int part = 0; part < components(literal.type()); ++part) {
      lowest = std::min(lowest,
                        lowest_bit(numeric::decode(
                            element.bits[static_cast<size_t>(part)], format)));
    }
  }
  return lowest;
}

bool is_exact_class(const ExactSum& sum, int64_t quantum,
                    const FloatFormat& format) {
  const double magnitude = sum.magnitude();
  if (magnitude == 0) return true;
  if (!std::isfinite(magnitude)) return false;
  if (quantum < format.min_exponent() - format.mantissa_bits) return false;
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);
  const int64_t top = exponent - (fraction == 0.5 ? 1 : 0);
  return top <= quantum + format.precision() &&
         magnitude <= numeric::decode(format.max_finite(), format);
}

bool is_same(const Literal& reference, const Literal* observed) {
  return observed != nullptr &&
         std::ranges::equal(reference.bytes(), observed->bytes());
}

double conversion_error(ElementType from, ElementType to) {
  const FloatFormat& result = numeric::format(component_type(to));
  const ElementType part = component_type(from);
  const int precision =
      is_float(part) ? numeric::format(part).precision() : bits(part);
  return precision > result.precision() ? std::ldexp(1.0, -result.precision())
                                        : 0;
}

}  // namespace hlo::conformance
