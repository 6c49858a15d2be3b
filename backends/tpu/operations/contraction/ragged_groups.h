#pragma once

#include <cstdint>
#include <optional>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/tiled_array.h"

namespace hlo::tpu {

/// Indices of the ragged dimension from `begin` to before `end`.
struct IndexRange {
  int64_t begin;
  int64_t end;

  int64_t size() const { return end - begin; }
};

/// The groups that the indices of a ragged dimension fall into. The first group
/// that covers an index has it; each begins where the one before it ends, so
/// that the groups up to any one cover all indices below some number, however
/// many sizes are negative. These numbers are an array of the machine.
class RaggedGroups {
 public:
  /// `sizes` has a list of them for each combination of the outer dimensions,
  /// or one for all; `length` is the size of the ragged dimension.
  RaggedGroups(Machine& machine, const TiledArray& sizes, int64_t length);

  /// How many groups each list has.
  int64_t count() const { return count_; }

  /// The indices that a group has; those of group count() are in none.
  IndexRange indices_of(int64_t list, int64_t group) const;
  /// The group of an index; count() for none.
  int64_t group_of(int64_t list, int64_t index) const;

 private:
  void add_list(const TiledArray& sizes, int64_t list);
  int64_t covered(int64_t list, int64_t groups) const;

  Machine& machine_;
  int64_t length_;
  int64_t count_;
  bool has_one_list_;
  std::optional<TiledArray> covered_;  // by the groups up to each one
};

}  // namespace hlo::tpu
