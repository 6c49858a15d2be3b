#pragma once

#include <string_view>
#include <unordered_map>

#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// The value of an instruction that runs no computation on arrays, on the
/// device. Throws Unsupported and DeviceError.
using Function = Value (*)(Memory&, const Instruction&, const Values&);
using Functions = std::unordered_map<std::string_view, Function>;

Functions elementwise_functions();
Functions movement_functions();
Functions fold_functions();
Functions contraction_functions();
Functions order_functions();
Functions gather_functions();
Functions scatter_functions();
Functions random_functions();
Functions scaled_functions();
Functions ragged_functions();
Functions custom_call_functions();
Functions linear_functions();
Functions normalization_functions();
Functions transform_functions();

/// Whether elementwise() is how the instruction runs.
bool runs_by_elements(const Instruction& instruction);
/// The value of an instruction that a tape can hold.
Value elementwise(Memory& memory, const Instruction& instruction,
                  const Values& operands);

}  // namespace hlo::gpu
