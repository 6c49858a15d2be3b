#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "conformance/expect/sums/contraction_lines.h"
#include "interpreter/numeric/exact/exact_sum.h"

namespace hlo::conformance {

/// The exact sums of the products of a contraction, of a float type or of the
/// parts of a complex one: what SumOfTerms gives for the same element, but the
/// operands are converted once, and factors found once for each row and column.
class ContractionSums {
 public:
  /// Refers to the contraction.
  ContractionSums(const Contraction& contraction, Operands operands,
                  ElementType type);

  struct Sum {
    numeric::ExactSum sum;
    int64_t count = 0;  // of the terms
  };

  /// The real or the imaginary part of the element at a row-major position.
  Sum at(int64_t position, bool imaginary);

 private:
  /// An operand in the type of the result: its real and its imaginary parts.
  using Parts = std::array<std::vector<double>, 2>;

  static Parts read(const Literal& operand, ElementType type);

  bool is_complex_;
  Parts lhs_;
  Parts rhs_;
  ContractionLines lines_;
  std::vector<double> left_;  // the factors of one sum
  std::vector<double> right_;
};

}  // namespace hlo::conformance
