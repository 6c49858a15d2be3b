#pragma once

#include <cstdint>
#include <optional>

#include "conformance/expect/sums/contraction_lines.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// Finds where the factors of the terms of an element lie, by a plan where
/// there is one.
class FactorFinder {
 public:
  /// Refers to all of them; the plan may be null.
  FactorFinder(const Contraction* plan, const Instruction& instruction,
               Operands operands)
      : instruction_(instruction), operands_(operands) {
    if (plan != nullptr) lines_.emplace(*plan);
  }

  /// Calls visit(left, right) with the row-major positions of the factors of
  /// each term of the element at a row-major position.
  template <typename Visit>
  void for_each_term(int64_t i, const Visit& visit) {
    if (lines_) return lines_->for_each_term(i, visit);
    const auto position = [&](size_t k, const Index& index) {
      return static_cast<size_t>(linearize(index, operands_[k].shape().dims));
    };
    instruction_.op->terms(
        instruction_, operands_, delinearize(i, instruction_.shape.dims),
        [&](const hlo::Term& term) {
          visit(position(0, term.lhs), position(1, term.rhs));
        });
  }

 private:
  const Instruction& instruction_;
  Operands operands_;
  std::optional<ContractionLines> lines_;
};

}  // namespace hlo::conformance
