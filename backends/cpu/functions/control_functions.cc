#include "backends/cpu/functions/control_functions.h"

#include <algorithm>

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/arrays/literals.h"
#include "backends/cpu/arrays/run_region.h"
#include "backends/cpu/functions/special/custom_functions.h"
#include "interpreter/rules/callee.h"

namespace hlo::cpu {
namespace {

Array constant(const Instruction& instruction, Operands, const Run&) {
  if (instruction.literal == nullptr) {
    throw Error(Phase::kEvaluate, "constant.elided",
                "a constant without its value");
  }
  return array_of(*instruction.literal);
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
  while (true) {
    const Array* const argument[] = {&state};
    if (!truth(run(condition, argument))) return state;
    state = run(body, argument);
  }
}

Array conditional(const Instruction& instruction, Operands operands,
                  const Run& run) {
  const bool two_way = operands[0]->shape.element_type == ElementType::kPred;
  const Computations branches = branches_of(instruction);
  const auto last = static_cast<int64_t>(branches.size()) - 1;
  int64_t chosen =
      two_way ? (truth(*operands[0]) ? 0 : 1) : integer(*operands[0], 0);
  if (chosen < 0 || chosen > last) chosen = last;
  const Array* const argument[] = {operands[static_cast<size_t>(chosen) + 1]};
  return run(*branches[static_cast<size_t>(chosen)], argument);
}

/// Whether all elements are equal as numbers, or NaNs of the same bits; arrays
/// of other sizes at run time are not.
Array equal(const Instruction& instruction, Operands operands) {
  const Array& a = *operands[0];
  const Array& b = *operands[1];
  bool is_equal = a.sizes == b.sizes;
  const Ints& sizes = a.sizes.empty() ? a.shape.dims : a.sizes;
  with_host_type(a.shape.element_type, [&](auto tag) {
    const auto x = load<decltype(tag)>(a);
    const auto y = load<decltype(tag)>(b);
    for (size_t i = 0; i < x.size() && is_equal; ++i) {
      const Index at = delinearize(static_cast<int64_t>(i), a.shape.dims);
      const bool exists = std::ranges::equal(at, sizes, std::less{});
      const auto begin = static_cast<std::ptrdiff_t>(i * a.width());
      is_equal = !exists || x[i] == y[i] ||
                 std::equal(a.bytes.begin() + begin,
                            a.bytes.begin() + begin +
                                static_cast<std::ptrdiff_t>(a.width()),
                            b.bytes.begin() + begin);
    }
  });
  const std::vector<uint64_t> result = {is_equal ? 1U : 0U};
  return store<uint64_t>(instruction.shape, result);
}

Array custom_call(const Instruction& instruction, Operands operands,
                  const Run&) {
  const auto& target = instruction.get<std::string>("custom_call_target");
  const bool marker =
      target == "Sharding" || target == "SPMDFullToShardShape" ||
      target == "SPMDShardToFullShape" || target.starts_with("xla.sdy.") ||
      target == "annotate_device_placement" || target == "interpreter.probe";
  if (is_custom_function(target)) return custom_function(instruction, operands);
  // A check says something of its operands to whoever runs the program.
  if (target.starts_with("check.expect_")) return Array(instruction.shape);
  if (target == "check.eq") return equal(instruction, operands);
  const bool same = operands.size() == 1 &&
                    compatible(instruction.shape, instruction.operand_shape(0),
                               /*ignore_dynamic=*/true);
  if (!marker || !same) {
    throw Error(Phase::kEvaluate, "custom-call.target",
                "does not run the custom call " + target);
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

/// The operands' elements are those of the region's parameters, whatever type
/// the result has.
Array map(const Instruction& instruction, Operands operands, const Run& run) {
  const Computation& region = *instruction.get<Computation*>("to_apply");
  std::vector<Array> own;
  for (size_t k = 0; k < operands.size(); ++k) {
    own.push_back(
        converted(*operands[k], region.parameters[k]->shape.element_type));
  }
  Array result(instruction.shape);
  for (int64_t i = 0; i < result.count(); ++i) {
    std::vector<Array> arguments;
    for (const Array& operand : own) arguments.push_back(element(operand, i));
    set_element(result, i, run_region(run, region, arguments).at(0));
  }
  return result;
}

}  // namespace

Callers control_functions() {
  return {{"constant", constant},
          {"tuple", tuple},
          {"get-tuple-element", get_tuple_element},
          {"call", call},
          {"map", map},
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
