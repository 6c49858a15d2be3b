#pragma once

#include <span>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "conformance/sets/value_set.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// Whether the profile leaves open what the operation gives for these elements:
/// integer-division=any a quotient or remainder by zero or of the least integer
/// by -1, conversions=any an integer of a float whose integral part is none of
/// its type.
bool is_open(const Instruction& instruction, const Profile& profile,
             std::span<const Scalar> operands);
/// Whether it does for some elements out of these sets, by the operation's
/// divisor. Conversions are open at an end of a set where they are in it.
bool may_divide_openly(const Instruction& instruction, const Profile& profile,
                       std::span<const ValueSet> operands);

/// What axes other than the level add to what a result may be: the other zero.
void add_axes(ValueSet& set, const Profile& profile, ElementType type);
/// What the axes make of the set of a result that is computed and whose code in
/// the reference is `value`: the other zero is added, where the value is NaN
/// anything that is free, and of NaNs only the canonical one is left.
ValueSet with_axes(ValueSet set, uint64_t value, const Profile& profile,
                   ElementType type);
/// What the axes make of the sets of an array that is computed, where the
/// observed one, if there is one, differs from its value.
void apply_axes(Expectation& set, const Literal* observed,
                const Profile& profile);

/// The numbers of the set and this NaN.
ValueSet with_nan(const ValueSet& set, uint64_t nan, ElementType type);

}  // namespace hlo::conformance
