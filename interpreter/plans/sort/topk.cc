// spec/ops/topk.md
#include "interpreter/model/array_memory.h"
#include "interpreter/plans/sort/sorting.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

std::optional<Literal> value(const Instruction& topk, Operands operands,
                             Evaluator& evaluator) {
  const Literal& operand = operands[0];
  const Lines lines = lines_along(operand.shape(), operand.shape().rank() - 1);
  const auto k = topk.get<int64_t>("k");
  const ScratchMemory scratch(bytes_of_sorting(lines, evaluator));
  const auto order = sort_total_order(
      lines, operand, topk.get_or("largest", true), k, evaluator);
  Literal values(topk.shape.tuple_shapes[0]);
  Literal indices(topk.shape.tuple_shapes[1]);
  for (int64_t i = 0; i < values.element_count(); ++i) {
    const int64_t line = i / k;
    const int64_t place = order[static_cast<size_t>(line * lines.size + i % k)];
    values.set(i, operand.at(line * lines.size + place));
    indices.mutable_data<int32_t>()[static_cast<size_t>(i)] =
        static_cast<int32_t>(place);
  }
  return Literal::tuple({std::move(values), std::move(indices)});
}

}  // namespace

extern constinit const Plan plan_topk{.value = value};

}  // namespace hlo
