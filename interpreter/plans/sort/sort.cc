// spec/ops/sort.md
#include "interpreter/model/array_memory.h"
#include "interpreter/plans/sort/sorting.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

std::optional<Literal> value(const Instruction& sort, Operands operands,
                             Evaluator& evaluator) {
  const Lines lines =
      lines_along(operands[0].shape(), sort.get<Ints>("dimensions")[0]);
  const ScratchMemory scratch(bytes_of_sorting(lines, evaluator));
  const auto order = sort_lines(lines, operands,
                                *sort.get<Computation*>("to_apply"), evaluator);
  std::vector<Literal> results;
  for (const Literal& operand : operands) {
    results.push_back(take_in_order(lines, operand, order, evaluator));
  }
  return results.size() == 1 ? results[0] : Literal::tuple(std::move(results));
}

}  // namespace

extern constinit const Plan plan_sort{.value = value};

}  // namespace hlo
