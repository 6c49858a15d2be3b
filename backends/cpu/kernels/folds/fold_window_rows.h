#pragma once

#include <cstddef>
#include <span>

#include "backends/cpu/kernels/combined.h"
#include "backends/cpu/kernels/windows.h"

namespace hlo::cpu {

/// The numbers that a thread keeps of rows for that.
int64_t window_row_numbers(std::span<const WindowLine> lines);

/// Combines init and what a window covers at each place of a dense array, whose
/// dimensions are the lines, at least one, row by row of the last; false of
/// types that with_element has not. `init` is one number. Complex numbers are
/// added only, and none is kSecond: padding has to change nothing.
bool fold_window_rows(Combine how, ElementType type,
                      std::span<const WindowLine> lines, const std::byte* from,
                      const std::byte* init, std::byte* to);

}  // namespace hlo::cpu
