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

/// Whether conversion takes one of the components far away.
bool is_far_from(const Scalar& x, const Scalar& converted) {
  if (x.type == converted.type) return false;
  const ElementType own = component_type(x.type);
  const ElementType type = component_type(converted.type);
  if (!is_float(own)) return false;
  for (size_t k = 0; k < (is_complex(x.type) ? 2 : 1); ++k) {
    if (conformance::is_far(part(x, k), part(converted, k),
                            numeric::format(type))) {
      return true;
    }
  }
  return false;
}

}  // namespace

/// As the reading says; doubles hold all elements of floats.
Scalar SumOfTerms::factor(size_t operand, const Index& element) {
  const Scalar x = operands_[operand].at(element);
  const Scalar converted = definition::convert(x, type_);
  if (!is_far_.at(operand)) is_far_.at(operand) = is_far_from(x, converted);
  if (reading_.at(operand) || !is_float(component_type(x.type))) {
    return converted;
  }
  return definition::convert(
      x, is_complex(type_) ? ElementType::kC128 : ElementType::kF64);
}

void SumOfTerms::add(const hlo::Term& term) {
  ++count_;
  const Scalar a = factor(0, term.lhs);
  const Scalar b = factor(1, term.rhs);
  if (is_complex(type_)) return add_complex(sum_, a, b, imaginary_);
  sum_.add_product(part(a, 0), part(b, 0));
}

}  // namespace hlo::conformance
