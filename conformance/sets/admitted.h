#pragma once

#include <optional>

#include "conformance/levels/level.h"
#include "conformance/sets/exact_value.h"
#include "conformance/sets/value_set.h"
#include "interpreter/rules/element_facts.h"

namespace hlo::conformance {

/// What no result of a function crosses: codes of the format, rounded outward.
struct Limits {
  std::optional<Place> least;
  std::optional<Place> greatest;
};

/// Those of a function whose real results lie in the range.
Limits limits(const ResultRange& range, ElementType type);

/// How a result may lie around exact values.
struct Allowance {
  Bound bound = kCorrectlyRounded;
  double x = 0;  // magnitude of the operand, for ulps_per_x
  Limits limits = {};
  bool ftz = false;  // subnormal results may be zero
  /// The ends of a range of exact values in several binades: units in the last
  /// place count twice, so that the ends hold for every value between them.
  bool spans_binades = false;
};

/// The codes that a result may have whose exact value is r: within the bound,
/// of the sign of r, with infinity as the next binade after the largest finite
/// number. In formats without infinity NaN takes its place, or nothing does
/// where there is no NaN (spec/conformance.md, Levels).
ValueSet admitted(const ExactValue& r, const Allowance& allowance,
                  const numeric::FloatFormat& format);

/// The code itself and what axes add to it: zero for a subnormal number.
ValueSet exactly(uint64_t code, bool ftz, const numeric::FloatFormat& format);

/// The zeros of the signs of subnormal numbers that are in the set of a float.
void add_zeros_of_subnormals(ValueSet& set, ElementType type);

bool is_subnormal(uint64_t code, const numeric::FloatFormat& format);

}  // namespace hlo::conformance
