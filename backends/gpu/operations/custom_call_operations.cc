#include "backends/gpu/operations/custom_call_operations.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/map_launch.h"
#include "backends/gpu/program/tape.h"

namespace hlo::gpu {
namespace {

constexpr std::array<std::string_view, 5> kMarkers = {
    "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
    "annotate_device_placement", "interpreter.probe"};

const std::string& target_of(const Instruction& custom_call) {
  return custom_call.get<std::string>("custom_call_target");
}

/// Whether all elements are equal as numbers, or NaNs of the same bits: no pair
/// of them is a term of a sum of pred, which is their disjunction.
Value equality(Memory& memory, const Instruction& instruction,
               const Values& operands) {
  const Shape& shape = operands[0]->shape;
  Value differ = new_array(memory, Shape::scalar(ElementType::kPred));
  Value pairs = new_array(memory, Shape::array(ElementType::kPred, shape.dims));
  Value result = new_array(memory, instruction.shape);
  TapeWriter writer(2);
  const int64_t reg = writer.differ(0, 1, shape.element_type);
  launch(memory, {shape.dims,
                  {view_of(*operands[0]), view_of(*operands[1])},
                  {{view_of(pairs), reg}},
                  writer.tape()});
  Ints all(shape.dims.size());
  std::iota(all.begin(), all.end(), int64_t{0});
  launch_sums(memory, walk_of_reduce(pairs.shape, all), pairs, nullptr,
              {0, {}, Ints(all.size(), 0)}, {}, differ);
  TapeWriter turn(1);
  const int64_t turned = turn.negate_truth(0);
  launch(memory,
         {{}, {view_of(differ)}, {{view_of(result), turned}}, turn.tape()});
  return result;
}

Value custom_call(Memory& memory, const Instruction& instruction,
                  const Values& operands) {
  if (is_elementwise(instruction)) {
    return elementwise(memory, instruction, operands);
  }
  if (is_marker(instruction)) {
    return with_shape(*operands[0], instruction.shape);
  }
  // A check says something of its operands to whoever runs the program.
  if (target_of(instruction).starts_with("check.expect_")) {
    return {instruction.shape, nullptr, {}};
  }
  if (target_of(instruction) == "check.eq") {
    return equality(memory, instruction, operands);
  }
  refuse(Phase::kEvaluate, "custom-call.target",
         {"there is no function \"", target_of(instruction),
          "\" for these shapes"},
         "the target must be known");
}

}  // namespace

bool is_marker(const Instruction& custom_call) {
  const std::string& target = target_of(custom_call);
  const bool marks = target.starts_with("xla.sdy.") ||
                     std::ranges::find(kMarkers, target) != kMarkers.end();
  return marks && custom_call.operands.size() == 1 &&
         compatible(custom_call.operand_shape(0), custom_call.shape,
                    /*ignore_dynamic=*/true);
}

Functions custom_call_functions() { return {{"custom-call", custom_call}}; }

}  // namespace hlo::gpu
