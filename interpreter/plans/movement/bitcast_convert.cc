#include <algorithm>

#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

/// Whether the elements lie in a literal without unused bits, all of them
/// values of the type.
bool is_dense(ElementType type) { return bits(type) % 8 == 0; }

std::optional<Literal> value(const Instruction& convert, Operands operands,
                             Evaluator&) {
  const bool from_pred = operands[0].type() == ElementType::kPred;
  if (!is_dense(convert.shape.element_type) ||
      !(is_dense(operands[0].type()) || from_pred)) {
    return std::nullopt;
  }
  Literal result(convert.shape);
  std::ranges::copy(operands[0].bytes(), result.mutable_bytes().begin());
  return result;
}

}  // namespace

extern constinit const Plan plan_bitcast_convert{.value = value};

}  // namespace hlo
