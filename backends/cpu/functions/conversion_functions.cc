#include "backends/cpu/functions/conversion_functions.h"

#include "backends/cpu/arrays/converted.h"

namespace hlo::cpu {
namespace {

Array convert(const Instruction& instruction, Operands operands) {
  Array result = converted(*operands[0], instruction.shape.element_type);
  result.shape = instruction.shape;
  return result;
}

}  // namespace

Functions conversion_functions() {
  // A copy may change the precision of floats.
  return {{"convert", convert}, {"copy", convert}};
}

}  // namespace hlo::cpu
