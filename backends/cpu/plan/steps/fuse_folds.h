#pragma once

#include <cstdint>
#include <vector>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// The fold of the lines that an element-wise node computes, which can be done
/// while they are in the cache, of each node; -1 without. What else reads the
/// lines reads them from memory.
std::vector<int64_t> folds_of_nodes(const Graph& graph);

/// How many operands of nodes, and results, each value is.
std::vector<size_t> uses_of_values(const Graph& graph);

}  // namespace hlo::cpu
