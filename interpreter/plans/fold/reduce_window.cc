#include "interpreter/plans/fold/fold.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

Fold fold(const Instruction& reduce) {
  return {static_cast<int64_t>(reduce.operands.size() / 2),
          window_axes(reduce.operand_shape(0), *leaves(reduce.shape)[0],
                      reduce.get_or("window", Window{})),
          reduce.get<Computation*>("to_apply")};
}

}  // namespace

extern constinit const Plan plan_reduce_window{.fold = fold};

}  // namespace hlo
