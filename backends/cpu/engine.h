#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/cpu/array.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

using Operands = std::span<const Array* const>;
/// Runs one instruction.
using Function = Array (*)(const Instruction&, Operands);
/// Mnemonics and what runs them.
using Functions = std::vector<std::pair<std::string_view, Function>>;

Functions unary_functions();
Functions binary_functions();
Functions math_functions();
Functions bit_functions();
Functions conversion_functions();
Functions comparison_functions();
Functions reinterpretation_functions();
Functions movement_functions();
Functions indexed_functions();
Functions scatter_functions();
Functions fold_functions();
Functions dot_functions();
Functions convolution_functions();
Functions control_functions();

/// The array in another element type, rounded to nearest even.
Array converted(const Array& array, ElementType type);

/// Offsets of all indices over some dimensions of an array of that shape, the
/// last dimension fastest.
std::vector<int64_t> offsets(const Shape& shape, const Ints& dimensions);

/// Numbers in the order of the elements: the total order of floats.
std::vector<int64_t> order_keys(const Array& array);

/// The result of the computation. Throws Unsupported.
Array run(const Computation& computation, Operands arguments);

}  // namespace hlo::cpu
