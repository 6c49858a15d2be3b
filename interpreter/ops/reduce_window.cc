// spec/ops/reduce_window.md
#include "interpreter/plans/fold/fold.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/rules/window.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"window", AttributeKind::kWindow},
    {"to_apply", AttributeKind::kComputation, true},
};

constexpr ReducerRules kRules = {.operands = "reduce-window.C1",
                                 .inputs = "reduce-window.C2",
                                 .inits = "reduce-window.C3",
                                 .parameters = "reduce-window.C9",
                                 .result = "reduce-window.C10",
                                 .types = "reduce-window.C11"};

constexpr WindowRules kWindowRules = {.rank = "reduce-window.C4",
                                      .size = "reduce-window.C5",
                                      .stride = "reduce-window.C6",
                                      .dilation = "reduce-window.C7",
                                      .extent = "reduce-window.C8"};

/// The text leaves the window of scalars out.
Window window_of(const Instruction& reduce) {
  return reduce.get_or("window", Window{});
}

Shape infer(const Instruction& reduce) {
  const auto& reducer = *reduce.get<Computation*>("to_apply");
  check_reduction(reduce, reducer, kRules);
  return reduction_shape(
      reducer,
      infer_window(reduce.operand_shape(0), window_of(reduce), kWindowRules));
}

Fold fold(const Instruction& reduce) {
  return {static_cast<int64_t>(reduce.operands.size() / 2),
          window_axes(reduce.operand_shape(0), *leaves(reduce.shape)[0],
                      window_of(reduce)),
          reduce.get<Computation*>("to_apply")};
}

}  // namespace

extern constinit const Op op_reduce_window{
    .name = "reduce-window",
    .min_operands = 2,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .fold = fold,
    .accuracy = {.kind = Accuracy::Kind::kInherit}};

}  // namespace hlo
