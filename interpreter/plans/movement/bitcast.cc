#include "interpreter/model/buffer_layout.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

bool is_row_major(const Shape& shape) {
  return !shape.layout || *shape.layout == default_layout(shape.rank());
}

bool is_dense(ElementType type) { return bits(type) % 8 == 0; }

/// Whether elements of one type in a literal are elements of the other; the
/// unused bits of narrow ones depend on the type.
bool are_alike(ElementType a, ElementType b) {
  return a == b ||
         (is_dense(a) && is_dense(b) && storage_bytes(a) == storage_bytes(b));
}

/// Elements that lie in memory as they do in a literal stay where they are.
std::optional<Literal> value(const Instruction& bitcast, Operands operands,
                             Evaluator&) {
  const Shape& from = bitcast.operand_shape(0);
  const Shape& to = bitcast.shape;
  if (to.is_tuple()) return std::nullopt;
  const bool stays = is_row_major(from) && is_row_major(to) &&
                     from.element_count() == to.element_count() &&
                     are_alike(from.element_type, to.element_type);
  if (!stays) return std::nullopt;
  return operands[0].with_shape(to);
}

}  // namespace

extern constinit const Plan plan_bitcast{.value = value};

}  // namespace hlo
