#include "interpreter/model/buffer_layout.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

bool is_row_major(const Shape& shape) {
  return !shape.layout || *shape.layout == default_layout(shape.rank());
}

/// Elements that lie in memory as they do in a literal stay where they are.
std::optional<Literal> value(const Instruction& bitcast, Operands operands,
                             Evaluator&) {
  const Shape& from = bitcast.operand_shape(0);
  const Shape& to = bitcast.shape;
  const bool stays =
      is_row_major(from) && is_row_major(to) &&
      from.element_count() == to.element_count() &&
      storage_bytes(from.element_type) == storage_bytes(to.element_type);
  if (!stays) return std::nullopt;
  return operands[0].with_shape(to);
}

}  // namespace

extern constinit const Plan plan_bitcast{.value = value};

}  // namespace hlo
