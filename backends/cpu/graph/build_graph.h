#pragma once

#include <optional>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// The graph of a computation; nullopt where sizes are known at run time only,
/// or where calls make it longer than 100,000 instructions.
std::optional<Graph> make_graph(const Computation& computation);

}  // namespace hlo::cpu
