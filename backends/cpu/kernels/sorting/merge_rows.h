#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace hlo::cpu {

/// Says of n pairs of rows whether a[i] comes before b[i].
using RowsBefore = std::function<void(const uint32_t* a, const uint32_t* b,
                                      size_t n, uint8_t* before)>;

/// Most pairs that a comparison is asked for at a time.
inline constexpr size_t kMostPairs = 1024;

/// Writes which row comes 0th, 1st, ... to `order`, stable, by merging many
/// parts at a time, so that comparisons come by the hundred. A permutation
/// whatever the comparison says, and always the same; the work is shared by
/// threads, each with a comparison of its own that `make` makes.
void merge_rows(std::span<uint32_t> order,
                const std::function<RowsBefore()>& make);

}  // namespace hlo::cpu
