#pragma once

#include <string>
#include <vector>

#include "conformance/sets/expectation.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// A value of a program as all conforming backends may have it: what the
/// reference computes, and what each element may be. Sets are written out only
/// where not each element has the value's bits. Those of complex numbers are
/// sets of their parts, from which nothing is concluded: to what follows such
/// an array is unknown. A tuple has all of it in its elements, and the empty
/// tuple as its value.
struct SetTree : ArraySet {
  std::vector<SetTree> elements = {};  // of a tuple
  /// Not empty: why nothing is certified.
  std::string unknown = {};

  static SetTree known(Literal value);
  static SetTree nothing(Literal value, std::string why);

  bool is_tuple() const { return value.shape().is_tuple(); }

  bool is_unknown() const;

  /// Whether nothing is said of its elements, not even of their parts.
  bool is_open() const { return is_unknown() && sets.empty(); }

  /// Why, of the first part that is unknown.
  const std::string& reason() const;
  /// Whether every element has the value's bits.
  bool is_known() const;
};

/// What the reference computes, tuples included.
Literal nominal_of(const SetTree& array);
/// The element at a position, as a scalar; not of complex numbers that differ.
SetTree element_of(const SetTree& array, int64_t i);
/// What may be either of two values of the same shape, with the value of the
/// first.
SetTree united(const SetTree& a, const SetTree& b);
/// The array without its sets, where each of them is the value's bits.
SetTree simplified(SetTree array);
/// The array leaves, left to right.
std::vector<const SetTree*> array_leaves_of(const SetTree& array);

}  // namespace hlo::conformance
