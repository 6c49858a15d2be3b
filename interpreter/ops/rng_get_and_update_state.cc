// spec/ops/rng_get_and_update_state.md
#include "interpreter/numeric/random/random.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"delta", AttributeKind::kInt, true},
};

Shape infer(const Instruction& /*state*/) {
  return Shape::array(ElementType::kU64, {2});
}

Literal eval(const Instruction& instruction, Operands /*operands*/,
             Evaluator& evaluator) {
  std::array<uint64_t, 2>& state = evaluator.random_state();
  Literal result(instruction.shape);
  result.mutable_data<uint64_t>()[0] = state[0];
  result.mutable_data<uint64_t>()[1] = state[1];
  const auto delta = instruction.get<int64_t>("delta");
  state = numeric::advance(state, static_cast<uint64_t>(delta));
  if (delta < 0) --state[1];  // the sign's copies in the high word
  return result;
}

/// What the state is at first, a backend decides.
bool is_determined(const Instruction& /*instruction*/) { return false; }

}  // namespace

extern constinit const Op op_rng_get_and_update_state{
    .name = "rng-get-and-update-state",
    .attributes = kAttributes,
    .infer = infer,
    .eval = eval,
    .is_determined = is_determined};

}  // namespace hlo
