#include "interpreter/devices/asynchronous.h"

#include <utility>

#include "interpreter/rules/devices/async_state.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

uint32_t number_in(const Literal& state) {
  const auto context = context_of(state.shape());
  if (!context) return 0;
  return static_cast<uint32_t>(state.elements()[*context].integer(0));
}

std::optional<Future> begin_if_bound(const Instruction& instruction,
                                     const std::vector<Literal>& bound,
                                     Evaluator& evaluator) {
  const Computation* wrapped = wrapped_computation(instruction);
  if (wrapped == nullptr || wrapped->parameters.size() != bound.size()) {
    return std::nullopt;
  }
  return evaluator.run_beside(*wrapped, bound);
}

}  // namespace

std::optional<Future> begun_before(const Instruction& done,
                                   const Literal& state, Evaluator& evaluator) {
  if (const uint32_t number = number_in(state); number != 0) {
    return evaluator.network().redeem(number);
  }
  return evaluator.deferred(*done.operands[0]);
}

Literal bind_operands(const Instruction& instruction,
                      std::vector<Literal> bound, const Literal* before,
                      Evaluator& evaluator) {
  std::optional<Future> begun;
  if (before != nullptr) begun = begun_before(instruction, *before, evaluator);
  if (!begun) begun = begin_if_bound(instruction, bound, evaluator);
  // The result is not known yet; only a done gives it.
  std::vector<Literal> state{Literal::tuple(std::move(bound))};
  const Shape& shape = instruction.shape;
  for (size_t i = 1; i < shape.tuple_shapes.size(); ++i) {
    state.emplace_back(shape.tuple_shapes[i]);
  }
  if (!begun) return Literal::tuple(std::move(state));
  if (const auto context = context_of(shape)) {
    const uint64_t number = evaluator.network().keep(*std::move(begun));
    state[*context].set(0, {state[*context].type(), {number, 0}});
  } else {
    evaluator.defer(*std::move(begun));
  }
  return Literal::tuple(std::move(state));
}

}  // namespace hlo
