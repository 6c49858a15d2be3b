#pragma once

#include <vector>

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The element at a position, as a scalar.
Array element(const Array& array, int64_t position);
/// Replaces the element at a position by a scalar, converted to its type.
void set_element(Array& array, int64_t position, const Array& scalar);

/// The results of a region, one for each leaf.
std::vector<Array> run_region(const Run& run, const Computation& region,
                              const std::vector<Array>& arguments);
/// The truth value that a region returns.
bool holds(const Run& run, const Computation& region,
           const std::vector<Array>& arguments);

/// The mnemonic of a region that is one operation of its two parameters, in
/// their order where that matters; empty of others.
std::string_view simple_region(const Computation& region);

/// The value of an instruction with these leaves: a tuple, or the only one.
Array joined(const Shape& shape, std::vector<Array> values);

/// Position of a window's cell in the operand, or -1 outside of it.
int64_t window_cell(const Shape& operand, const Window& window,
                    const Index& place, const Index& tap);
/// The sizes of a window.
std::vector<int64_t> window_sizes(const Window& window);

}  // namespace hlo::cpu
