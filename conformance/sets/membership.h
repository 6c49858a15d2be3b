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
  /// nothing where there are none between: integers, NaN against numbers.
  std::optional<int64_t> ulps;
  std::optional<double> headroom = {};  // share of the bound, of intervals
  bool bound_is_empty = false;          // of the interval: it says nothing
};

/// Whether `actual` is in the set of the element at row-major position i.
Membership contains(const BitsSet& set, int64_t i, const Scalar& actual);
Membership contains(const RoundedSet& set, int64_t i, const Scalar& actual);
Membership contains(const IntervalSet& set, int64_t i, const Scalar& actual);
Membership contains(const AllowedSet& set, int64_t i, const Scalar& actual);

/// The set of that element in words.
std::string describe(const BitsSet& set, int64_t i);
std::string describe(const RoundedSet& set, int64_t i);
std::string describe(const IntervalSet& set, int64_t i);
std::string describe(const AllowedSet& set, int64_t i);

/// Codes from `reference` to `actual` (of the component that is further off):
/// nothing for integers and where either is NaN.
std::optional<int64_t> ulp_distance(const Scalar& reference,
                                    const Scalar& actual);

}  // namespace hlo::conformance
