#pragma once

#include <string>
#include <vector>

#include "conformance/sets/value_set.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// A value of a program as all conforming backends may have it: what the
/// reference computes, and what each element may be. A tuple has the sets in
/// its elements.
struct SetArray {
  Literal nominal;
  /// One for each element of an array of real numbers; empty where each
  /// element has the nominal bits.
  std::vector<ValueSet> sets = {};
  std::vector<SetArray> elements = {};  // of a tuple
  /// Not empty: why nothing is certified.
  std::string unknown = {};

  static SetArray known(Literal nominal);
  static SetArray nothing(Literal nominal, std::string why);

  bool is_tuple() const { return nominal.shape().is_tuple(); }

  bool is_unknown() const;
  /// Why, of the first part that is unknown.
  const std::string& reason() const;
  /// Whether every element has the nominal bits.
  bool is_known() const;
  /// The set of element `i` of an array that is not unknown.
  ValueSet at(int64_t i) const;
};

/// The literal of all nominal values, tuples included.
Literal nominal_of(const SetArray& array);
/// The element at a position, as a scalar; not of complex numbers that differ.
SetArray element_of(const SetArray& array, int64_t i);
/// What may be either of two values of the same shape; the nominal value is
/// that of the first.
SetArray united(const SetArray& a, const SetArray& b);
/// The array without its sets, where each of them is the nominal bits.
SetArray simplified(SetArray array);
/// The array leaves, left to right.
std::vector<const SetArray*> array_leaves_of(const SetArray& array);

}  // namespace hlo::conformance
