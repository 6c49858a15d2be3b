#pragma once

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The exact sum of the terms of an element (Op::terms) of a float type, or of
/// the real or the imaginary part of a complex one: what results of a backend
/// are judged against.
class SumOfTerms {
 public:
  SumOfTerms(Operands operands, ElementType type, bool imaginary)
      : operands_(operands), type_(type), imaginary_(imaginary) {
    sum_.add(0.0);
  }

  void add(const hlo::Term& term);

  const numeric::ExactSum& sum() const { return sum_; }

  int64_t count() const { return count_; }

 private:
  Operands operands_;
  ElementType type_;
  bool imaginary_;
  numeric::ExactSum sum_;
  int64_t count_ = 0;
};

}  // namespace hlo::conformance
