#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/plans/region/region.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

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

/// The value of a while whose state is made of scalars, by compiled condition
/// and body; nothing where they are more than a program can be.
std::optional<Literal> value(const Instruction& loop, Operands operands,
                             Evaluator& evaluator) {
  if (!is_made_of_scalars(loop.shape)) return std::nullopt;
  const Region condition(*loop.get<Computation*>("condition"), evaluator,
                         Region::Runs::kOneByOne);
  const Region body(*loop.get<Computation*>("body"), evaluator,
                    Region::Runs::kOneByOne);
  if (!condition.is_compiled() || !body.is_compiled()) return std::nullopt;
  Region::Scratch asking(condition, 1);
  Region::Scratch turning(body, 1);
  State state(operands[0]);
  while (true) {
    std::byte answer{};
    std::byte* const to = &answer;
    condition.run(asking, 1, state.sources(), &to);
    if (answer == std::byte{0}) break;
    body.run(turning, 1, state.sources(), state.targets());
  }
  return state.take();
}

}  // namespace

extern constinit const Plan plan_while{.value = value};

}  // namespace hlo
