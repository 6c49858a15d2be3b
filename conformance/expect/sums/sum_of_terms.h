#pragma once

#include <array>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The exact sum of the terms of an element (Op::terms), which have no scales,
/// of a float type, or of the real or the imaginary part of a complex one: what
/// results of a backend are judged against.
class SumOfTerms {
 public:
  /// Which operands are converted to the type before they are multiplied.
  using Reading = std::array<bool, 2>;
  static constexpr Reading kConverted = {true, true};

  SumOfTerms(Operands operands, ElementType type, bool imaginary,
             const Reading& reading = kConverted)
      : operands_(operands),
        type_(type),
        imaginary_(imaginary),
        reading_(reading) {
    sum_.add(0.0);
  }

  void add(const hlo::Term& term);

  const numeric::ExactSum& sum() const { return sum_; }

  int64_t count() const { return count_; }

  /// Whether conversion made more of an element of that operand than a rounding
  /// does, so that its other reading gives another sum.
  bool is_far(size_t operand) const { return is_far_.at(operand); }

 private:
  Scalar factor(size_t operand, const Index& element);

  Operands operands_;
  ElementType type_;
  bool imaginary_;
  Reading reading_;
  numeric::ExactSum sum_;
  int64_t count_ = 0;
  std::array<bool, 2> is_far_{};
};

}  // namespace hlo::conformance
