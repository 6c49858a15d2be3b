#pragma once

#include <cstdint>
#include <span>

#include "conformance/sets/expectation.h"

namespace hlo::conformance {

/// The codes that a component of a sum may have.
struct ComponentRange {
  uint64_t value = 0;  // the exact sum rounded once
  uint64_t low = 0;
  uint64_t high = 0;
  // The infinity of that side besides: partial sums may overflow.
  bool below = false;
  bool above = false;
  // NaN besides: both infinities can meet on the way, or what overflows or lies
  // below zero has no other code.
  bool nan = false;
  /// The bound says nothing: it is as large as the sum of the magnitudes, or a
  /// product may leave the range on the way.
  bool empty = false;
};

/// A set, which may follow from several ranges.
struct BoundedSet {
  ValueSet set;
  bool empty = false;  // the bound of one says nothing

  /// Adds what the codes of a range of one real float type are in another.
  void add(const ComponentRange& range, ElementType type, ElementType as);
};

/// The codes from low to high, the value and what may be besides; an end that
/// is NaN, which formats without infinity have in its place, admits all numbers
/// on that side, but where all three are NaN and the bound says so.
ValueSet set_of(const ComponentRange& range, ElementType type);
/// What conversion makes of numbers and NaNs of a real float type.
ValueSet converted(const ValueSet& set, ElementType type, ElementType to);
/// Makes what the set or any of the ranges holds, and what the reference
/// returns, the set of a component of element i, and notes an empty bound.
void put(ArraySet& set, int64_t i, int part, BoundedSet admitted);
void put(ArraySet& set, int64_t i, int part,
         std::span<const ComponentRange> ranges);
void put(ArraySet& set, int64_t i, int part, const ComponentRange& range);

}  // namespace hlo::conformance
