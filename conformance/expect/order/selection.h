#pragma once

#include <cstdint>
#include <optional>

#include "conformance/expect/order/any_order.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// When two rows count as one.
enum class RowEquality : uint8_t {
  kBits,
  kNumbers,  // zeros of both signs are one, and so are all NaNs
};

bool are_equal(const Row& a, const Row& b, RowEquality equality);

/// Which special values are among the floats of rows.
struct Specials {
  bool nan = false;
  bool minus_zero = false;
};

Specials specials_in(Operands operands);

/// A region that returns the greater of two rows, by a weak order of them: any
/// tree over any rows then returns one of the greatest. Rows that are equally
/// great may be told apart by their places only.
class Selection {
 public:
  /// Nothing where the region is not shown to be one, of rows that have no
  /// other special values.
  static std::optional<Selection> of(const RowRegion& region,
                                     const Specials& specials);

  RowEquality equality() const { return equality_; }

  /// Whether `row` is as great as `greatest`, which is at least as great.
  bool are_tied(const Row& row, const Row& greatest) const;

 private:
  Selection(const RowRegion& region, RowEquality equality)
      : region_(region), equality_(equality) {}

  const RowRegion& region_;
  RowEquality equality_;
};

}  // namespace hlo::conformance
