#include "conformance/expect/linear/expect_normwise.h"

#include <cmath>

#include "conformance/levels/level.h"
#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/foreign/targets.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

/// The codes within `error` of the component; itself where it is not finite.
ComponentRange around(uint64_t value, double error, const FloatFormat& format) {
  const double center = numeric::decode(value, format);
  if (!std::isfinite(center) || !std::isfinite(error)) {
    return {.value = value, .low = value, .high = value, .nan = false};
  }
  return range_around(value, error, format);
}

/// unit |element|, which does not overflow where |element| would.
double share_of_modulus(double unit, const Scalar& element,
                        const FloatFormat& format) {
  return std::hypot(unit * numeric::decode(element.bits[0], format),
                    unit * numeric::decode(element.bits[1], format));
}

/// The distance that a result of the function has to keep by default.
const Bound& gate(const Op& op, ElementType type) {
  return bounds(find_level("tight"), function_name(op), type,
                /*is_real_function=*/true)
      .front();
}

}  // namespace

Expectation expect_normwise(double units, const Literal& reference,
                            const Literal* observed) {
  ArraySet set = ArraySet::computed(reference);
  const FloatFormat& format = numeric::format(component_type(reference.type()));
  const double unit = std::ldexp(units, -format.precision());
  const double smallest =
      std::ldexp(1.0, format.min_exponent() - format.mantissa_bits);
  for_each_difference(reference, observed, [&](int64_t i) {
    const Scalar element = reference.at(i);
    const double error =
        share_of_modulus(unit, element, format) * (1 + 0x1p-20) + smallest;
    for (int part = 0; part < components(reference.type()); ++part) {
      put(set, i, part,
          around(element.bits[static_cast<size_t>(part)], error, format));
    }
  });
  return set;
}

Expectation expect_complex_function(const Op& op, const Literal& reference,
                                    const Literal* observed) {
  const Bound& bound = gate(op, component_type(reference.type()));
  return expect_normwise(2.0 * bound.steps + 1, reference, observed);
}

}  // namespace hlo::conformance
