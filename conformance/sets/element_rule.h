#pragma once

#include <span>

#include "conformance/levels/level.h"
#include "conformance/levels/profile.h"
#include "conformance/sets/admitted.h"
#include "conformance/sets/expectation.h"
#include "conformance/sets/lanes.h"
#include "conformance/sets/value_set.h"

namespace hlo::conformance {

/// The sets of one element-wise instruction's elements, by the rules of a
/// profile (spec/conformance.md, Levels).
class ElementRule {
 public:
  /// Whether there are such sets: of operations with a loop over elements,
  /// but for complex results that are not exact.
  static bool applies_to(const Instruction& instruction);

  /// With `is_intermediate` the result may be kept unrounded where the profile
  /// lets it: the sets then reach to the next code beyond the exact value.
  ElementRule(const Instruction& instruction, const Profile& profile,
              bool is_intermediate = false);

  /// What the element may be whose operands' elements are these.
  ElementSet at(std::span<const Scalar> operands);
  /// The set at an end of a range of operands, wide enough that the sets of the
  /// ends hold those of all operands between them: |x| is at most `largest_x`.
  ElementSet at_end(std::span<const Scalar> operands, double largest_x);

  /// Whether one bound holds for all operands between two numbers.
  bool has_one_bound(double low, double high) const;

 private:
  ElementSet of_variant(std::span<const Scalar> operands);
  ValueSet of_real(std::span<const Scalar> operands, const Scalar& result);
  ElementSet of_complex(const Scalar& result) const;
  ValueSet of_integers(const Scalar& operand, const Scalar& result) const;
  void add_nan(ValueSet& set, std::span<const Scalar> operands,
               const Scalar& result) const;

  Lanes lanes_;
  Profile profile_;
  std::span<const Bound> bounds_;
  Limits limits_;
  bool computes_;  // not: it moves bits, or changes signs
  bool keeps_excess_;
  bool is_end_ = false;  // of a range
  double largest_x_ = 0;
};

/// Whether elements go to the result as they are: the operation moves data, and
/// no float to another type, which converts it.
bool moves_bits(const Instruction& instruction);
/// Whether the instruction only moves bits, or only changes signs: subnormal
/// numbers and NaNs go through it unchanged.
bool keeps_bits(const Instruction& instruction);
/// Whether axes change what it returns that its own rule does not know of:
/// element-wise operations do, and updates leave some elements as they are.
bool leaves_axes(const Instruction& instruction);

}  // namespace hlo::conformance
