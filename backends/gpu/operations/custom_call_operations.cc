#include "backends/gpu/operations/custom_call_operations.h"

#include <algorithm>
#include <array>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/program/tape.h"

namespace hlo::gpu {
namespace {

constexpr std::array<std::string_view, 5> kMarkers = {
    "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
    "annotate_device_placement", "interpreter.probe"};

const std::string& target_of(const Instruction& custom_call) {
  return custom_call.get<std::string>("custom_call_target");
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
  throw Unsupported("does not run the custom call " + target_of(instruction));
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
