#include "conformance/expect/sums/contraction_sums.h"

#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {

ContractionSums::ContractionSums(const Contraction& contraction,
                                 Operands operands, ElementType type)
    : is_complex_(is_complex(type)),
      lhs_(read(operands[0], type)),
      rhs_(read(operands[1], type)),
      lines_(contraction) {}

ContractionSums::Parts ContractionSums::read(const Literal& operand,
                                             ElementType type) {
  const auto& format = numeric::format(component_type(type));
  Parts parts;
  for (int64_t i = 0; i < operand.element_count(); ++i) {
    const Scalar element = definition::convert(operand.at(i), type);
    parts[0].push_back(numeric::decode(element.bits[0], format));
    if (!is_complex(type)) continue;
    parts[1].push_back(numeric::decode(element.bits[1], format));
  }
  return parts;
}

ContractionSums::Sum ContractionSums::at(int64_t position, bool imaginary) {
  Sum sum;
  sum.sum.add(0.0);
  left_.clear();
  right_.clear();
  lines_.for_each_term(position, [&](size_t left, size_t right) {
    ++sum.count;
    left_.push_back(lhs_[0][left]);
    right_.push_back(rhs_[imaginary ? 1 : 0][right]);
    if (!is_complex_) return;
    left_.push_back(imaginary ? lhs_[1][left] : -lhs_[1][left]);
    right_.push_back(rhs_[imaginary ? 0 : 1][right]);
  });
  sum.sum.add_products(left_.data(), right_.data(), std::ssize(left_));
  return sum;
}

}  // namespace hlo::conformance
