#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

struct StepPlan;

/// What a loop runs. Both work in the memory of the loop's last value.
struct LoopPlan {
  std::shared_ptr<const StepPlan> condition;
  std::shared_ptr<const StepPlan> body;
};

/// One pass over memory, or a loop of such.
struct Step {
  size_t node = 0;             // of a pass over tiles the last of its nodes
  std::vector<size_t> fused;   // the nodes of such a pass, in order
  TileProgram program;         // of such a pass
  int64_t fold = -1;           // the node that folds what such a pass computes
  std::vector<size_t> reads;   // values; of such a pass its inputs' in order,
                               // then what the fold begins with
  std::vector<size_t> writes;  // values; that of the fold last
  LoopPlan loop;               // of a loop

  /// Whether it is a pass over tiles whose own result is an array in memory.
  bool writes_tiles() const {
    return !fused.empty() && (fold < 0 || writes.size() == 2);
  }
};

/// Steps one after the other that are run for some lines at a time: each
/// computes a line of its results from that line of what the others write.
struct Band {
  size_t first = 0;  // of the steps
  size_t count = 0;
  int64_t lines = 0;
  std::vector<size_t> inner;  // values of longer lines that only these read
};

/// Steps one after the other that are run part by part, so that what they hand
/// on stays in the caches: each computes a part of its results, of so many,
/// from that part of what the others write. A band lies in one or in none.
struct Division {
  size_t first = 0;  // of the steps
  size_t count = 0;
  int64_t parts = 0;
  std::vector<size_t> inner;  // values that only its own steps read
};

/// Steps over one block of memory, and where each value lies in it.
struct StepPlan {
  Graph graph;
  std::vector<Step> steps;
  std::vector<Band> bands;          // in order, none with a step of another
  std::vector<Division> divisions;  // in order, none with a step of another
  std::vector<int64_t> offsets;     // of values in the block; -1: not there
  std::vector<int64_t> over;    // of values: the argument that each is written
                                // over, in the body of a loop; -1: none
  std::vector<int64_t> before;  // of values: the value of a step that each is
                                // written over in the block; -1: none
  size_t block_bytes = 0;
};

/// The band or division, of those in order, that has the step; null without.
template <class Run>
const Run* run_of(const std::vector<Run>& runs, size_t step) {
  const auto next = std::ranges::upper_bound(runs, step, {}, &Run::first);
  if (next == runs.begin()) return nullptr;
  const Run& run = *std::prev(next);
  return step < run.first + run.count ? &run : nullptr;
}

/// Whether the step, by itself, may write its first result where what it reads
/// as i-th lies: it reads that element for element, and no other way.
bool may_write_over(const StepPlan& plan, const Step& step, size_t i);

}  // namespace hlo::cpu
