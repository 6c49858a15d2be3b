// spec/ops/rng_get_and_update_state.md
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using definition::Integer;

constexpr AttributeSpec kAttributes[] = {
    {"delta", AttributeKind::kInt, true},
};

Shape infer(const Instruction& /*state*/) {
  return Shape::array(ElementType::kU64, {2});
}

Literal value(const Instruction& instruction, Operands /*operands*/,
              Evaluator& evaluator) {
  std::array<uint64_t, 2>& state = evaluator.random_state();
  Literal result(instruction.shape);
  result.set(0, {ElementType::kU64, {state[0], 0}});
  result.set(1, {ElementType::kU64, {state[1], 0}});
  const Integer after =
      state[0] + (Integer(state[1]) << 64) + instruction.get<int64_t>("delta");
  state = {definition::wrap(after, 64), definition::wrap(after >> 64, 64)};
  return result;
}

/// What the state is at first, a backend decides.
bool is_determined(const Instruction& /*instruction*/) { return false; }

}  // namespace

extern constinit const Op op_rng_get_and_update_state{
    .name = "rng-get-and-update-state",
    .attributes = kAttributes,
    .infer = infer,
    .value = value,
    .randomness = Randomness::kState,
    .is_determined = is_determined};

}  // namespace hlo
