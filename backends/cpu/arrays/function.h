#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/cpu/arrays/array.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

using Operands = std::span<const Array* const>;

/// Runs one instruction.
using Function = Array (*)(const Instruction&, Operands);
/// Mnemonics and what runs them.
using Functions = std::vector<std::pair<std::string_view, Function>>;
/// Runs one instruction, by whatever engine. Throws what that throws.
using RunOne = std::function<Array(const Instruction&, Operands)>;

/// The result of a computation. Throws Unsupported.
using Run = std::function<Array(const Computation&, Operands)>;
/// Runs one instruction that may run computations.
using Caller = Array (*)(const Instruction&, Operands, const Run&);
/// Mnemonics of instructions that may run computations, and what runs them.
using Callers = std::vector<std::pair<std::string_view, Caller>>;

}  // namespace hlo::cpu
