#pragma once

#include <memory>
#include <span>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// An element-wise instruction that is applied to any number of scalars of its
/// operands' types, whatever the shapes of the arrays that it stands among.
class Lanes {
 public:
  explicit Lanes(Instruction instruction);

  /// The results for operands of n elements each.
  Literal apply(std::span<const Literal> operands, int64_t n);
  Scalar apply(std::span<const Scalar> operands);

  const Instruction& instruction() const { return instruction_; }

  ElementType operand_type(size_t k) const {
    return parameters_.at(k)->shape.element_type;
  }

  ElementType result_type() const { return instruction_.shape.element_type; }

 private:
  void set_length(int64_t n);

  Instruction instruction_;
  std::vector<std::unique_ptr<Instruction>> parameters_;
  Evaluator evaluator_{kReference};
};

}  // namespace hlo::conformance
