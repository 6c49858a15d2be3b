// spec/ops/collective_permute_start.md
#include "interpreter/devices/communication.h"
#include "interpreter/devices/permute.h"
#include "interpreter/rules/devices/async_rules.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/group_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& start) {
  const Shape result = permuted(start);
  const Shape source = is_in_place(start) ? start.operand_shape(0) : result;
  Shape pair = Shape::tuple({source, result});
  if (!start.has_shape || !start.shape.is_tuple()) return pair;
  // Scratch words may follow; the text says how many.
  const std::vector<Shape>& given = start.shape.tuple_shapes;
  for (size_t i = 2; i < given.size(); ++i) {
    require(given[i].element_type == ElementType::kU32,
            "collective-permute-start.C1",
            {"element ", i, " of the result is ", given[i]},
            "what follows source and target must be u32");
    pair.tuple_shapes.push_back(given[i]);
  }
  return pair;
}

Future communicate(const Instruction& start, Operands operands,
                   Evaluator& evaluator) {
  return begin(start, permute_arrays(start, operands, evaluator), evaluator);
}

void check(const Surroundings& around) {
  check_pairs(around);
  check_started(around);
}

}  // namespace

extern constinit const Op op_collective_permute_start{
    .name = "collective-permute-start",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kPermuteAttributes,
    .infer = infer,
    .communicate = communicate,
    .accuracy = {.moves_data = true},
    .check = check};

}  // namespace hlo
