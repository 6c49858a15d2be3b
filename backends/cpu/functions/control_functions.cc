#include "backends/cpu/functions/control_functions.h"

#include <algorithm>
#include <cstring>

namespace hlo::cpu {
namespace {

constexpr int64_t kMaxTrips = 1'000'000;

Array from_literal(const Literal& literal) {
  Array array(literal.shape());
  array.shape.layout.reset();
  if (literal.shape().is_tuple()) {
    for (const Literal& element : literal.elements()) {
      array.elements.push_back(from_literal(element));
    }
    return array;
  }
  if (!array.bytes.empty()) {
    std::memcpy(array.bytes.data(), literal.bytes().data(), array.bytes.size());
  }
  return array;
}

Array constant(const Instruction& instruction, Operands, const Run&) {
  if (instruction.literal == nullptr) {
    throw Error(Phase::kEvaluate, "constant.elided",
                "cpu: a constant without its value");
  }
  return from_literal(*instruction.literal);
}

Array tuple(const Instruction& instruction, Operands operands, const Run&) {
  Array result(instruction.shape);
  for (const Array* operand : operands) result.elements.push_back(*operand);
  return result;
}

Array get_tuple_element(const Instruction& instruction, Operands operands,
                        const Run&) {
  const auto index = static_cast<size_t>(instruction.get<int64_t>("index"));
  return operands[0]->elements.at(index);
}

Array call(const Instruction& instruction, Operands operands, const Run& run) {
  return run(*instruction.get<Computation*>("to_apply"), operands);
}

Array fusion(const Instruction& instruction, Operands operands,
             const Run& run) {
  return run(*instruction.get<Computation*>("calls"), operands);
}

bool truth(const Array& pred) { return pred.bytes.at(0) != std::byte{0}; }

Array repeat(const Instruction& instruction, Operands operands,
             const Run& run) {
  const Computation& condition = *instruction.get<Computation*>("condition");
  const Computation& body = *instruction.get<Computation*>("body");
  Array state = *operands[0];
  for (int64_t trip = 0; trip <= kMaxTrips; ++trip) {
    const Array* const argument[] = {&state};
    if (!truth(run(condition, argument))) return state;
    state = run(body, argument);
  }
  throw Unsupported("cpu: a loop of more than a million trips");
}

Array conditional(const Instruction& instruction, Operands operands,
                  const Run& run) {
  const bool two_way = operands[0]->shape.element_type == ElementType::kPred;
  Computations branches;
  if (const AttributeValue* list = instruction.find("branch_computations")) {
    branches = std::get<Computations>(*list);
  } else {
    branches = {instruction.get<Computation*>("true_computation"),
                instruction.get<Computation*>("false_computation")};
  }
  const auto last = static_cast<int64_t>(branches.size()) - 1;
  int64_t chosen =
      two_way ? (truth(*operands[0]) ? 0 : 1) : integer(*operands[0], 0);
  if (chosen < 0 || chosen > last) chosen = last;
  const Array* const argument[] = {operands[static_cast<size_t>(chosen) + 1]};
  return run(*branches[static_cast<size_t>(chosen)], argument);
}

Array custom_call(const Instruction& instruction, Operands operands,
                  const Run&) {
  const auto& target = instruction.get<std::string>("custom_call_target");
  const bool marker =
      target == "Sharding" || target == "SPMDFullToShardShape" ||
      target == "SPMDShardToFullShape" || target.starts_with("xla.sdy.") ||
      target == "annotate_device_placement" || target == "interpreter.probe";
  if (target == "interpreter.run_parallel") {
    throw Unsupported("cpu: several devices");
  }
  if (target.starts_with("chlo.") || target.starts_with("mhlo.") ||
      target.starts_with("stablehlo.")) {
    throw Unsupported("cpu: the function " + target);
  }
  // A check says something of its operands to whoever runs the program.
  if (target.starts_with("check.expect_")) return Array(instruction.shape);
  if (target == "check.eq") throw Unsupported("cpu: the target " + target);
  const bool same = operands.size() == 1 &&
                    compatible(instruction.shape, instruction.operand_shape(0));
  if (!marker || !same) {
    throw Error(Phase::kEvaluate, "custom-call.target",
                "cpu: does not run the custom call " + target);
  }
  return *operands[0];
}

/// after-all: the order of the text is an order of all effects.
Array token(const Instruction& instruction, Operands, const Run&) {
  return Array(instruction.shape);
}

/// What only says something about its operand.
Array same(const Instruction&, Operands operands, const Run&) {
  return *operands[0];
}

}  // namespace

Callers control_functions() {
  return {{"constant", constant},
          {"tuple", tuple},
          {"get-tuple-element", get_tuple_element},
          {"call", call},
          {"fusion", fusion},
          {"while", repeat},
          {"conditional", conditional},
          {"custom-call", custom_call},
          {"after-all", token},
          {"add-dependency", same},
          {"domain", same},
          {"opt-barrier", same}};
}

}  // namespace hlo::cpu
