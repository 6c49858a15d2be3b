#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/model/module.h"
#include "interpreter/plans/region/region.h"

namespace hlo::conformance {

/// An element of each operand, or of each result, of a region.
using Row = std::vector<Scalar>;
using Rows = std::vector<Row>;

/// A region that makes one row of two.
class RowRegion {
 public:
  explicit RowRegion(const Computation& region)
      : region_(region, evaluator_), scratch_(region_, 1) {}

  const Computation& computation() const { return region_.computation(); }

  Row join(const Row& a, const Row& b) const;

 private:
  Evaluator evaluator_{kReference};
  Region region_;
  mutable Region::Scratch scratch_;
};

/// Every result that a region can come to when it joins rows in an order that
/// is free: by trying them all.
class AnyOrder {
 public:
  explicit AnyOrder(const RowRegion& region) : region_(region) {}

  /// What any tree over the rows in any order gives; nothing where there are
  /// more than kMaxJoined rows, or the work is too much.
  std::optional<Rows> joined(const Rows& rows);
  /// What the updates give that are applied to `initial` one after another in
  /// any order; nothing where there are more than kMaxUpdates, or the work is
  /// too much.
  std::optional<Rows> updated(const Row& initial, const Rows& updates);

  static constexpr size_t kMaxJoined = 8;
  static constexpr size_t kMaxUpdates = 12;

 private:
  static constexpr size_t kMaxResults = 4096;  // of one set of rows
  static constexpr int64_t kMaxRuns = 1'000'000;

  /// Adds region(a, b) for all a and b; false where that is too much.
  bool add_joins(const Rows& a, const Rows& b, Rows& results);

  const RowRegion& region_;
  int64_t runs_ = 0;
};

}  // namespace hlo::conformance
