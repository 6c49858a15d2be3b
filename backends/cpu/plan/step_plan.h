#pragma once

#include <vector>

#include "backends/cpu/plan/graph.h"

namespace hlo::cpu {

/// One pass over memory.
struct Step {
  size_t node = 0;             // of a pass over tiles the last of its nodes
  std::vector<size_t> fused;   // the nodes of such a pass, in order
  TileProgram program;         // of such a pass
  std::vector<size_t> reads;   // values; of such a pass its inputs' in order
  std::vector<size_t> writes;  // values
};

/// Steps over one block of memory, and where each value lies in it.
struct StepPlan {
  Graph graph;
  std::vector<Step> steps;
  std::vector<int64_t> offsets;  // of values in the block; -1: not there
  size_t block_bytes = 0;
};

}  // namespace hlo::cpu
