#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/sets/expectation.h"

namespace hlo::conformance {

/// How one element stands to its set.
struct Membership {
  bool inside = true;
  /// Codes between the element and the reference's (of the worse component);
  /// nothing where there are none between: NaN against numbers.
  std::optional<int64_t> ulps;
  /// Which share of the way from the reference's number to the end of the set
  /// it went, where both are finite.
  std::optional<double> headroom = {};
  bool bound_is_empty = false;  // the set says nothing
};

/// Whether `actual` is in the set of the element at row-major position i.
Membership contains(const ArraySet& set, int64_t i, const Scalar& actual);

/// Codes from `reference` to `actual` (of the component that is further off),
/// at most INT64_MAX of either sign: of integers, and of pred, their
/// difference. Nothing where either is NaN.
std::optional<int64_t> ulp_distance(const Scalar& reference,
                                    const Scalar& actual);

}  // namespace hlo::conformance
