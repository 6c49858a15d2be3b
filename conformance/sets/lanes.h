#pragma once

#include <memory>
#include <span>

#include "interpreter/evaluate.h"
#include "interpreter/plans/region/region.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// An element-wise instruction as a region on scalars of its operands' types,
/// whatever the shapes of the arrays that it stands among.
class Lanes {
 public:
  explicit Lanes(const Instruction& instruction);

  Scalar apply(std::span<const Scalar> operands);

  const Instruction& instruction() const { return *computation_->root; }

  ElementType operand_type(size_t k) const { return region_.inputs().at(k); }

  ElementType result_type() const { return region_.outputs()[0]; }

 private:
  Evaluator evaluator_{kReference};
  std::unique_ptr<Computation> computation_;
  Region region_;
  Region::Scratch scratch_;
};

}  // namespace hlo::conformance
