// spec/ops/reduce.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/plans/fold/fold.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, true},
    {"to_apply", AttributeKind::kComputation, true},
};

constexpr ReducerRules kRules = {.operands = "reduce.C1",
                                 .inputs = "reduce.C2",
                                 .inits = "reduce.C3",
                                 .parameters = "reduce.C6",
                                 .result = "reduce.C7",
                                 .types = "reduce.C8"};

bool is_reduced(const Instruction& reduce, int64_t d) {
  return std::ranges::count(reduce.get<Ints>("dimensions"), d) > 0;
}

Shape infer(const Instruction& reduce) {
  const auto& reducer = *reduce.get<Computation*>("to_apply");
  check_reduction(reduce, reducer, kRules);
  const Shape& input = reduce.operand_shape(0);
  for (const int64_t d : reduce.get<Ints>("dimensions")) {
    require(d >= 0 && d < input.rank(), "reduce.C4",
            {"dimension ", d, " is reduced of ", input},
            "it must be one of the inputs' dimensions");
    require(std::ranges::count(reduce.get<Ints>("dimensions"), d) == 1,
            "reduce.C5", {"dimensions is ", reduce.get<Ints>("dimensions")},
            "no dimension may be reduced twice");
  }
  Shape kept = Shape::array(input.element_type, {});
  for (int64_t d = 0; d < input.rank(); ++d) {
    if (!is_reduced(reduce, d)) append_dimension(kept, input, d);
  }
  return reduction_shape(reducer, kept);
}

Fold fold(const Instruction& reduce) {
  const Shape& input = reduce.operand_shape(0);
  const auto strides = row_major_strides(input.dims);
  const auto kept = row_major_strides(leaves(reduce.shape)[0]->dims);
  Fold result{static_cast<int64_t>(reduce.operands.size() / 2),
              {},
              reduce.get<Computation*>("to_apply")};
  size_t next = 0;
  for (int64_t d = 0; d < input.rank(); ++d) {
    const int64_t size = input.dims[static_cast<size_t>(d)];
    FoldAxis axis{.operand_size = size,
                  .operand_stride = strides[static_cast<size_t>(d)]};
    if (is_reduced(reduce, d)) {
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

extern constinit const Op op_reduce{
    .name = "reduce",
    .min_operands = 2,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .fold = fold,
    .accuracy = {.kind = Accuracy::Kind::kInherit}};

}  // namespace hlo
