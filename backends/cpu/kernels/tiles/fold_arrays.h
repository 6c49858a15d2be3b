#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/cpu/kernels/fold.h"
#include "backends/cpu/kernels/tiles/tile_program.h"
#include "backends/cpu/kernels/windows.h"

namespace hlo::cpu {

/// Folds the middle one of three dimensions of a dense array: `outer` times
/// `inner` results.
struct FoldSizes {
  int64_t outer = 1;
  int64_t folded = 1;
  int64_t inner = 1;
};

void fold_middle(Fold fold, const FoldSizes& sizes, const float* from,
                 float init, float* to);

/// Folds what a window covers at each place: lines of n numbers, a result line
/// for each place.
void fold_windows(Fold fold, const Windows& windows, const float* from,
                  float init, float* to, int64_t n);

}  // namespace hlo::cpu
