#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/cpu/kernels/sorting/merge_rows.h"
#include "backends/cpu/kernels/sorting/sort_key.h"

namespace hlo::cpu {

/// Most rows of a line that is sorted by keys.
inline constexpr int64_t kMostRows = int64_t{1} << 31;

/// Elements by which the rows of a line are sorted: one each, beside each
/// other.
struct SortColumn {
  SortKey key;
  const std::byte* from = nullptr;
};

/// Whether an element is a NaN that a key by value has no place for.
bool has_unordered(const SortColumn& column, int64_t count);

/// The comparison of rows by columns, NaNs by value too.
RowsBefore before_by(std::span<const SortColumn> columns);

/// Writes which row comes 0th, 1st, ... to `order`: by the first column, then
/// by the second ..., then by their places.
void order_rows(std::span<const SortColumn> columns, std::span<uint32_t> order);

/// Puts `count` elements in their order; equal ones stay in theirs.
void sort_elements(const SortKey& key, std::byte* elements, int64_t count);

}  // namespace hlo::cpu
