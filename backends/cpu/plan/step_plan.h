#pragma once

#include <vector>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// One pass over memory.
struct Step {
  size_t node = 0;             // of a pass over tiles the last of its nodes
  std::vector<size_t> fused;   // the nodes of such a pass, in order
  TileProgram program;         // of such a pass
  int64_t fold = -1;           // the node that folds what such a pass computes
  std::vector<size_t> reads;   // values; of such a pass its inputs' in order,
                               // then what the fold begins with
  std::vector<size_t> writes;  // values; that of the fold last

  /// Whether it is a pass over tiles whose own result is an array in memory.
  bool writes_tiles() const {
    return !fused.empty() && (fold < 0 || writes.size() == 2);
  }
};

/// Steps over one block of memory, and where each value lies in it.
struct StepPlan {
  Graph graph;
  std::vector<Step> steps;
  std::vector<int64_t> offsets;  // of values in the block; -1: not there
  size_t block_bytes = 0;
};

}  // namespace hlo::cpu
