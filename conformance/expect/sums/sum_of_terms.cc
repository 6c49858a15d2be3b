#include "conformance/expect/sums/sum_of_terms.h"

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

/// Exact in double: factors with scales are of narrower types.
void add_scaled(numeric::ExactSum& sum, const hlo::Term& term,
                Operands operands) {
  double a = part(operands[0].at(term.lhs), 0);
  double b = part(operands[1].at(term.rhs), 0);
  for (const auto& [operand, index] : term.scales) {
    (operand == 2 ? a : b) *=
        part(operands[static_cast<size_t>(operand)].at(index), 0);
  }
  sum.add_product(a, b);
}

}  // namespace

void SumOfTerms::add(const hlo::Term& term) {
  ++count_;
  if (!term.scales.empty()) return add_scaled(sum_, term, operands_);
  const Scalar a = definition::convert(operands_[0].at(term.lhs), type_);
  const Scalar b = definition::convert(operands_[1].at(term.rhs), type_);
  if (is_complex(type_)) return add_complex(sum_, a, b, imaginary_);
  sum_.add_product(part(a, 0), part(b, 0));
}

}  // namespace hlo::conformance
