#pragma once

#include <cstdint>
#include <string>

#include "conformance/certify/array/set_tree.h"

namespace hlo::conformance {

/// How much of a leaf is certain.
struct Width {
  int64_t elements = 0;
  int64_t single = 0;         // have one value
  int64_t bounded = 0;        // lie between two finite numbers
  int64_t vacuous = 0;        // may be infinite, or NaN beside numbers
  double worst_relative = 0;  // (high - low) / max(|low|, |high|) of bounded
};

Width width(const SetTree& leaf);
/// "4 elements: 1 of one value, 3 bounded (at most 2.1e-07 wide), 0 open".
std::string describe(const Width& width);
/// The width of one element's set as a number; infinite where it is open.
double spread(const ValueSet& set, ElementType type);

/// The least or the greatest value of each element, of complex numbers that of
/// each part; NaN where the set has nothing but NaN.
Literal ends(const SetTree& leaf, bool high);

}  // namespace hlo::conformance
