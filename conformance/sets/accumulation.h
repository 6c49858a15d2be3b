#pragma once

#include "conformance/levels/profile.h"
#include "interpreter/model/element_type.h"

namespace hlo::conformance {

/// What is summed, and how.
struct Summation {
  double terms = 0;      // those that are not zero
  double magnitude = 0;  // the sum of their magnitudes, in units of 2^unit
  int unit = 0;
  double sum = 0;       // the magnitude of their exact sum, rounded upward
  double of_terms = 0;  // relative error of the terms themselves
  bool products = false;
  ElementType operand = ElementType::kF32;  // of the terms, or of the factors
  ElementType result = ElementType::kF32;
};

/// How far a sum that is accumulated so may lie from the exact one, its last
/// rounding to the type of the result included; in units of 2^unit, rounded
/// upward. Of every profile but wide-any (spec/conformance.md, Accumulation).
double accumulated_error(Accumulation accumulation, const Summation& summation);

/// The factor by which partial sums may exceed those of exact arithmetic.
double accumulated_growth(Accumulation accumulation,
                          const Summation& summation);

}  // namespace hlo::conformance
