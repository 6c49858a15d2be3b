#include "backends/tpu/operations/contraction/blocking.h"

#include <algorithm>

namespace hlo::tpu {
namespace {

constexpr int64_t kMostBlocks = 8;  // of a side

int64_t blocks(int64_t size, int64_t of) { return (size + of - 1) / of; }

/// The bytes of that many rows of numbers.
int64_t bytes_of(const Scheme& scheme, int64_t rows, int64_t columns) {
  return blocks(rows, kSublanes) * parts_of_columns(columns) * kLanes *
         storage_bytes(number_type(scheme.sums));
}

int64_t bytes_of(const Scheme& scheme, const Blocking& blocking) {
  const int64_t sums = std::ssize(scheme.pairs) * parts_of(scheme.sums);
  const int64_t accumulators =
      blocking.row_blocks * blocking.column_blocks * sums *
      bytes_of(scheme, blocking.rows, blocking.columns);
  const int64_t lhs = blocking.row_blocks * scheme.lhs.count() *
                      bytes_of(scheme, blocking.rows, blocking.depth);
  const int64_t rhs = blocking.column_blocks * scheme.rhs.count() *
                      bytes_of(scheme, blocking.depth, blocking.columns);
  return accumulators + lhs + rhs;
}

/// Makes the part smaller: first fewer blocks, then smaller ones; whether it
/// can.
bool shrink(Blocking& blocking) {
  const auto larger = [](int64_t& a, int64_t& b) { return a >= b ? &a : &b; };
  int64_t* const most = larger(blocking.row_blocks, blocking.column_blocks);
  if (*most > 1) {
    *most = blocks(*most, 2);
    return true;
  }
  int64_t* const longest = larger(blocking.rows, blocking.depth);
  if (*longest == kSublanes) return false;
  *longest = std::max(kSublanes, *longest / 2 / kSublanes * kSublanes);
  return true;
}

}  // namespace

Blocking blocking_of(const Scheme& scheme,
                     const ContractionMap::Extents& extents, int64_t size,
                     int64_t room) {
  const auto within = [size](int64_t extent) {
    return std::clamp<int64_t>(blocks(extent, kSublanes) * kSublanes, kSublanes,
                               size);
  };
  const auto count = [size](int64_t extent) {
    return std::clamp<int64_t>(blocks(extent, size), 1, kMostBlocks);
  };
  Blocking blocking{.rows = within(extents.rows),
                    .depth = within(extents.depth),
                    .columns = size,
                    .row_blocks = count(extents.rows),
                    .column_blocks = count(extents.columns)};
  bool shrinks = true;
  while (shrinks && bytes_of(scheme, blocking) > room) {
    shrinks = shrink(blocking);
  }
  return blocking;
}

}  // namespace hlo::tpu
