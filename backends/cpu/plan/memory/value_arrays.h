#pragma once

#include <cstddef>
#include <vector>

#include "backends/cpu/arrays/array.h"
#include "backends/cpu/plan/memory/value_memory.h"

namespace hlo::cpu {

/// The operand, whose elements lie one after the other, as an array of its own.
Array copied(const Shape& shape, const ValueMemory& memory,
             const Operand& leaf);

/// The value of that shape from its leaves, from `next` on, whose bytes are
/// those of the memory: to be read, and while the memory is as it is.
Array assembled(const Shape& shape, const ValueMemory& memory,
                const std::vector<Operand>& leaves, size_t& next);

/// Writes the leaves of the array to the values, from `next` on.
void store(const Array& array, const Graph& graph, const ValueMemory& memory,
           const std::vector<size_t>& values, size_t& next);

}  // namespace hlo::cpu
