#include "conformance/expect/sums/sum_of_terms.h"

#include "conformance/sets/sum_class.h"
#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

double part(const Scalar& x, size_t k) {
  return numeric::decode(x.bits[k], numeric::format(component_type(x.type)));
}

void add_complex(numeric::ExactSum& sum, const Scalar& a, const Scalar& b,
                 bool imaginary) {
  const double sign = imaginary ? 1 : -1;
  sum.add_product(part(a, 0), part(b, imaginary ? 1 : 0));
  sum.add_product(sign * part(a, 1), part(b, imaginary ? 0 : 1));
}

/// The element as it is, in doubles: they hold all elements of floats, and of
/// integers as many digits as no type has that an integer overflows in.
Scalar unconverted(const Scalar& x, bool is_complex_sum) {
  return definition::convert(
      x, is_complex_sum ? ElementType::kC128 : ElementType::kF64);
}

/// Whether conversion takes one of the components far away.
bool is_far_from(const Scalar& x, const Scalar& converted) {
  if (x.type == converted.type) return false;
  const ElementType type = component_type(converted.type);
  const Scalar own = unconverted(x, is_complex(x.type));
  for (size_t k = 0; k < (is_complex(x.type) ? 2 : 1); ++k) {
    if (conformance::is_far(part(own, k), part(converted, k),
                            numeric::format(type))) {
      return true;
    }
  }
  return false;
}

}  // namespace

/// As the reading says.
Scalar SumOfTerms::factor(size_t operand, const Index& element) {
  const Scalar x = operands_[operand].at(element);
  const Scalar converted = definition::convert(x, type_);
  if (!is_far_.at(operand)) is_far_.at(operand) = is_far_from(x, converted);
  return reading_.at(operand) ? converted : unconverted(x, is_complex(type_));
}

void SumOfTerms::add(const hlo::Term& term) {
  ++count_;
  const Scalar a = factor(0, term.lhs);
  const Scalar b = factor(1, term.rhs);
  if (is_complex(type_)) return add_complex(sum_, a, b, imaginary_);
  sum_.add_product(part(a, 0), part(b, 0));
}

}  // namespace hlo::conformance
