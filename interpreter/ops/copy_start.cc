// spec/ops/copy_start.md
#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"cross_program_prefetch_index", AttributeKind::kInt},
};

Shape infer(const Instruction& start) {
  const Shape& operand = start.operand_shape(0);
  return Shape::tuple({operand, operand, Shape::scalar(ElementType::kU32)});
}

}  // namespace

extern constinit const Op op_copy_start{.name = "copy-start",
                                        .min_operands = 1,
                                        .max_operands = 1,
                                        .attributes = kAttributes,
                                        .infer = infer,
                                        .accuracy = {.moves_data = true}};

}  // namespace hlo
