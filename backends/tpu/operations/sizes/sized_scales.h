#pragma once

#include <memory>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// A scaled-dot whose scales have an element for each of their operands: at the
/// sizes of run time its blocks no longer are of one size.
struct SizedScales {
  SizedScales(Machine& machine, const Instruction& dot, const Values& given);

  Instruction instruction;
  std::vector<std::unique_ptr<Instruction>> parameters;
  std::vector<Value> scales;
  Values operands;
};

}  // namespace hlo::tpu
