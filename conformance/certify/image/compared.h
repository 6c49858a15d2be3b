#pragma once

#include <string>

#include "conformance/sets/value_set.h"

namespace hlo::conformance {

/// What an instruction compares.
struct ComparisonRule {
  std::string direction;  // EQ, NE, LT, LE, GT, GE
  ElementType type = ElementType::kPred;
  bool total_order = false;
};

/// Whether the comparison of values out of two sets may be true (1), false (0)
/// or both.
ValueSet compared(const ValueSet& a, const ValueSet& b,
                  const ComparisonRule& comparison);
/// Whether a float of the set is finite, as a set of pred.
ValueSet finite(const ValueSet& x, ElementType type);

}  // namespace hlo::conformance
