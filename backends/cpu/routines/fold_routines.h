#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// Whether operands, results and the region's parameters of a reduce or
/// reduce-window have the types of the arrays.
bool folds_in_one_type(const Instruction& reduce, const Computation& region);

/// The dimensions of so many that stay, and behind them those that are folded.
Ints folded_last(size_t rank, const Ints& folded);

/// A reduce, of a turned copy where its dimensions lie apart: by one operation,
/// by argmax or argmin as JAX writes them, or by a region of f32, s32 and pred,
/// which is applied in the order of the specification, to many results at a
/// time.
std::optional<Routine> reduce_routine(const Instruction& reduce);

/// A reduce-window by one operation whose window covers, at each place, all of
/// a line up to it or from it on.
std::optional<Routine> scan_routine(const Instruction& reduce_window);

}  // namespace hlo::cpu
