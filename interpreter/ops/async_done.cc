// spec/ops/async_done.md
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"async_execution_thread", AttributeKind::kString},
    {"async_group_id", AttributeKind::kInt},
    {"calls", AttributeKind::kComputation},
};

Shape infer(const Instruction& done) {
  const Shape& state = done.operand_shape(0);
  require(state.is_tuple() && state.tuple_shapes.size() >= 2 &&
              state.tuple_shapes[0].is_tuple(),
          "text.async",
          "the operand is the state of an asynchronous "
          "operation");
  const Computation* wrapped = wrapped_computation(done);
  if (wrapped == nullptr) {
    return done.has_shape ? done.shape : state.tuple_shapes[1];
  }
  require(
      state.tuple_shapes[0].tuple_shapes.size() == wrapped->parameters.size(),
      "async-done.C1", "all operands are bound");
  return wrapped->root->shape;
}

}  // namespace

extern constinit const Op op_async_done{.name = "async-done",
                                        .min_operands = 1,
                                        .max_operands = 1,
                                        .attributes = kAttributes,
                                        .infer = infer,
                                        .accuracy = {Accuracy::Kind::kInherit}};

}  // namespace hlo
