#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/sets/value_set.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// What each element of an array may be: one set for each component of each
/// element, row-major, real parts before imaginary ones.
struct ArraySet {
  Literal value;  // what the reference returns
  /// Empty where each element has the value's bits; NaN then stands for every
  /// quiet NaN where `any_nan` says so.
  std::vector<ValueSet> sets = {};
  bool any_nan = false;
  /// One for each component, or none: the set says nothing, because the bound
  /// of a sum is as large as the sum of the magnitudes.
  std::vector<bool> empty_bounds = {};

  /// The value's bits, and any quiet NaN where the operation computed a NaN.
  static ArraySet computed(Literal value);
  /// The value's bits, those of NaNs too: the operation moves data.
  static ArraySet moved(Literal value);

  ValueSet at(int64_t i, int part = 0) const;
  ElementSet element(int64_t i) const;
  void put(int64_t i, int part, const ValueSet& set);
  void put(int64_t i, const ElementSet& set);
};

/// The program must be refused with this rule.
struct RejectedSet {
  std::string rule;
};

/// Nothing is asked; why.
struct UnspecifiedSet {
  std::string reason;
  std::optional<Literal> value = {};  // what the reference returns, if told
};

/// What one leaf of a result may be.
using Expectation = std::variant<ArraySet, RejectedSet, UnspecifiedSet>;

/// Whether the set has one value at every element (NaNs count as one).
bool is_single(const Expectation& set);

}  // namespace hlo::conformance
