// spec/ops/set_dimension_size.md
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, true},
};

Shape infer(const Instruction& set) {
  Shape result = set.operand_shape(0);
  require(result.is_array(), "set-dimension-size.C1",
          "the operand is an array");
  const int64_t d = only_dimension(set, result.rank(), "set-dimension-size.C2");
  require(compatible(set.operand_shape(1), Shape::scalar(ElementType::kS32)),
          "set-dimension-size.C3", "the size is an s32 scalar");
  result.set_dynamic(d, true);
  return result;
}

}  // namespace

extern constinit const Op op_set_dimension_size{
    .name = "set-dimension-size",
    .min_operands = 2,
    .max_operands = 2,
    .attributes = kAttributes,
    .infer = infer,
    .accuracy = {.moves_data = true}};

}  // namespace hlo
