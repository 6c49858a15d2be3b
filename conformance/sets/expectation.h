#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "conformance/sets/value_set.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// Each element has these bits. Where the value is NaN and the operation
/// computes it, any quiet NaN will do; where data only moves, the same bits.
struct BitsSet {
  Literal value;
  bool any_nan = true;
};

/// Each element is a real function: the correctly rounded bits and on which
/// side of them the exact value lies (-1, 0, 1; per component, empty where not
/// known). `steps` is the largest distance from the rounded value; 0 with
/// faithful: either neighbour of the exact value.
struct RoundedSet {
  Literal value;
  std::vector<int8_t> sides;
  int64_t steps = 0;
  bool faithful = false;
  std::optional<Scalar> least;  // no result lies below, or above `greatest`
  std::optional<Scalar> greatest;
};

/// Each element is a sum: any order, any tree, fused or not. [low, high] holds
/// every admissible code; `value` is the exact sum rounded once.
struct IntervalSet {
  Literal value;
  Literal low;
  Literal high;
  std::vector<int64_t> terms;     // per element; empty where not known
  std::vector<double> magnitude;  // sum of |term|, rounded up; may be empty
  std::vector<bool> nans;  // per component: NaN is admitted; empty: nowhere
  std::vector<bool> empty_bounds;  // per component: the bound says nothing
};

/// Each element is in a set of its own, by the rules of a profile that was
/// chosen; those that are not listed have the value's bits.
struct AllowedSet {
  Literal value;
  std::unordered_map<int64_t, ElementSet> elements;  // by row-major position
};

/// The program must be refused with this rule.
struct RejectedSet {
  std::string rule;
};

/// Nothing is asked; why.
struct UnspecifiedSet {
  std::string reason;
};

/// What one leaf of a result may be.
using Expectation = std::variant<BitsSet, RoundedSet, IntervalSet, AllowedSet,
                                 RejectedSet, UnspecifiedSet>;

/// Whether the set has one value at every element (NaNs count as one).
bool is_single(const Expectation& set);

}  // namespace hlo::conformance
