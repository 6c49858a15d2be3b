#include <algorithm>

#include "interpreter/plans/fold/fold.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

Fold fold(const Instruction& reduce) {
  const Shape& input = reduce.operand_shape(0);
  const auto strides = row_major_strides(input.dims);
  const auto kept = row_major_strides(leaves(reduce.shape)[0]->dims);
  Fold result{static_cast<int64_t>(reduce.operands.size() / 2),
              {},
              reduce.get<Computation*>("to_apply")};
  const auto& reduced = reduce.get<Ints>("dimensions");
  size_t next = 0;
  for (int64_t d = 0; d < input.rank(); ++d) {
    const int64_t size = input.dims[static_cast<size_t>(d)];
    FoldAxis axis{.operand_size = size,
                  .operand_stride = strides[static_cast<size_t>(d)]};
    if (std::ranges::count(reduced, d) > 0) {
      axis.cells = size;
    } else {
      axis.result_size = size;
      axis.result_stride = kept[next++];
      axis.result_step = 1;
    }
    result.axes.push_back(axis);
  }
  return result;
}

}  // namespace

extern constinit const Plan plan_reduce{.fold = fold};

}  // namespace hlo
