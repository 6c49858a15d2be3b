#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

void block(const KernelArguments& a) {
  convert_elements(loops::operand_type(a), a.operands[0], a.n,
                   a.instruction->shape.element_type, a.result);
}

Kernel kernel(const Instruction&) { return loops::native<block>; }

}  // namespace

extern constinit const Plan plan_convert{.kernel = kernel};

}  // namespace hlo
