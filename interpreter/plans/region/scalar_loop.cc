#include "interpreter/plans/region/scalar_loop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/plans/region/program.h"
#include "interpreter/run/evaluator.h"
#include "interpreter/run/steps.h"

namespace hlo {
namespace {

bool is_made_of_scalars(const Shape& shape) {
  return shape.is_tuple()
             ? std::ranges::all_of(shape.tuple_shapes, is_made_of_scalars)
             : shape.is_scalar();
}

/// The leaves of the state, each of which is written in place.
class State {
 public:
  explicit State(const Literal& state) : shape_(state.shape()) {
    for (const Literal* leaf : leaves(state)) leaves_.push_back(*leaf);
    for (Literal& leaf : leaves_) {
      targets_.push_back(leaf.mutable_bytes().data());
    }
    sources_.assign(targets_.begin(), targets_.end());
  }

  const std::byte* const* sources() const { return sources_.data(); }

  std::byte* const* targets() const { return targets_.data(); }

  /// The value, once.
  Literal take() {
    auto leaf = leaves_.begin();
    return build(shape_, leaf);
  }

 private:
  static Literal build(const Shape& shape,
                       std::vector<Literal>::iterator& leaf) {
    if (!shape.is_tuple()) return std::move(*leaf++);
    std::vector<Literal> elements;
    for (const Shape& element : shape.tuple_shapes) {
      elements.push_back(build(element, leaf));
    }
    return Literal::tuple(std::move(elements));
  }

  const Shape& shape_;
  std::vector<Literal> leaves_;
  std::vector<std::byte*> targets_;
  std::vector<const std::byte*> sources_;
};

}  // namespace

std::optional<Literal> run_scalar_loop(const Instruction& loop,
                                       Operands operands,
                                       Evaluator& evaluator) {
  if (loop.op->name != "while" || !is_made_of_scalars(loop.shape))
    return std::nullopt;
  const auto& condition = *loop.get<Computation*>("condition");
  const auto& body = *loop.get<Computation*>("body");
  const auto asks = Program::compile(condition);
  const auto turns = Program::compile(body);
  if (!asks || !turns || asks->has_loops() || turns->has_loops()) {
    return std::nullopt;
  }
  const int64_t max_steps = evaluator.options().max_steps;
  Program::Scratch asking(*asks, 1, max_steps);
  Program::Scratch turning(*turns, 1, max_steps);
  State values(operands[0]);
  while (true) {
    evaluator.spend(std::ssize(condition.instructions));
    std::byte answer{};
    std::byte* const to = &answer;
    asks->run(asking, 1, values.sources(), &to);
    if (answer == std::byte{0}) return values.take();
    evaluator.spend(std::ssize(body.instructions));
    require_steps(evaluator.steps(), max_steps);
    turns->run(turning, 1, values.sources(), values.targets());
  }
}

}  // namespace hlo
