// spec/ops/copy_start.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/async_rules.h"
#include "interpreter/rules/devices/async_state.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"cross_program_prefetch_index", AttributeKind::kInt},
};

bool is_wrapped(const Instruction& start) {
  return start.has_shape && wraps_copy(start.shape, start.operand_shape(0));
}

Shape infer(const Instruction& start) {
  if (is_wrapped(start)) return start.shape;
  const Shape& operand = start.operand_shape(0);
  return Shape::tuple({operand, operand, Shape::scalar(ElementType::kU32)});
}

Future communicate(const Instruction& start, Operands operands, Evaluator&) {
  std::vector<Literal> state{operands[0], operands[0]};
  if (is_wrapped(start)) state[0] = Literal::tuple({operands[0]});
  for (size_t i = 2; i < start.shape.tuple_shapes.size(); ++i) {
    state.emplace_back(start.shape.tuple_shapes[i]);
  }
  return at_once(Literal::tuple(std::move(state)));
}

}  // namespace

extern constinit const Op op_copy_start{.name = "copy-start",
                                        .min_operands = 1,
                                        .max_operands = 1,
                                        .attributes = kAttributes,
                                        .infer = infer,
                                        .communicate = communicate,
                                        .accuracy = {.moves_data = true},
                                        .check = check_started};

}  // namespace hlo
