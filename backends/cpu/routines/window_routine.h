#pragma once

#include <optional>
#include <vector>

#include "backends/cpu/kernels/routine.h"
#include "backends/cpu/kernels/windows.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// The dimensions of a dense array along which a window moves to places of a
/// result; nullopt where it is reversed, there are none, or sizes or dilations
/// are too large to be multiplied.
std::optional<std::vector<WindowLine>> window_lines(const Window& window,
                                                    const Shape& operand,
                                                    const Shape& result);

/// A reduce-window of one array by a region that combines two numbers.
std::optional<Routine> window_routine(const Instruction& reduce_window);

}  // namespace hlo::cpu
