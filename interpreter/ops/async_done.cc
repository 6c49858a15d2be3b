// spec/ops/async_done.md
#include <algorithm>
#include <utility>

#include "interpreter/devices/asynchronous.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/async_rules.h"
#include "interpreter/rules/devices/async_state.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/run/evaluator.h"

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
          "text.async", {"the operand is ", state},
          "it must be the state of an asynchronous operation");
  const Computation* wrapped = wrapped_computation(done);
  if (wrapped == nullptr) {
    const Shape& known = state.tuple_shapes[1];
    const Shape& result = done.has_shape ? done.shape : known;
    require(is_prefix(known, result), "async-done.C2",
            {"element 1 of the state is ", known, " and the result ", result},
            "the element must be that, or the first elements of it");
    return result;
  }
  require(
      state.tuple_shapes[0].tuple_shapes.size() == wrapped->parameters.size(),
      "async-done.C1",
      {Count{std::ssize(state.tuple_shapes[0].tuple_shapes), "operand"}, " of ",
       Count{std::ssize(wrapped->parameters), "parameter"}, " were given"},
      "all must be bound before the done");
  return wrapped->root->shape;
}

/// The value of what has begun, of which the done may know no more than the
/// first elements.
Future checked(Future begun, const Instruction& done) {
  const auto poll = [poll = std::move(begun.poll), &done] {
    const Literal* value = poll();
    require_evaluable(value == nullptr ||
                          is_same_but_for_precision(value->shape(), done.shape),
                      "async-done.C2",
                      {"what ran has given ",
                       [&] { return to_string(value->shape(), false); },
                       " and the result is ", done.shape},
                      "they must have the same shapes");
    return value;
  };
  return {.poll = poll, .awaited = std::move(begun.awaited)};
}

/// What was begun where its operands were bound; where nobody knows it any
/// more, it begins only here.
Future communicate(const Instruction& done, Operands operands,
                   Evaluator& evaluator) {
  if (auto begun = begun_before(done, operands[0], evaluator)) {
    return checked(*std::move(begun), done);
  }
  const Computation* wrapped = wrapped_computation(done);
  require_evaluable(
      wrapped != nullptr, "async.calls",
      {"the state comes out of a tuple or a loop and has no context"},
      "calls= must name the computation");
  return checked(
      evaluator.run_beside(*wrapped, operands[0].elements().at(0).elements()),
      done);
}

void check(const Surroundings& around) {
  check_continued(around);
  check_thread(around.instruction);
}

}  // namespace

extern constinit const Op op_async_done{.name = "async-done",
                                        .form = Form::kAsync,
                                        .min_operands = 1,
                                        .max_operands = 1,
                                        .attributes = kAttributes,
                                        .infer = infer,
                                        .communicate = communicate,
                                        .accuracy = {Accuracy::Kind::kInherit},
                                        .check = check,
                                        .holds_buffers = true};

}  // namespace hlo
