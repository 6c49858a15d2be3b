#pragma once

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/model/literal.h"
#include "interpreter/numeric/format/float_format.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// Whether a number that overflowed has the largest finite one as neighbour:
/// infinity counts as the next binade.
bool is_next_to_infinity(const definition::Real& exact,
                         const numeric::FloatFormat& format);

/// By how many half units in the last place of the modulus the gate lets a part
/// be off: of type `part`, of a result of the complex function, product or
/// quotient (spec/conformance.md, Sets of operations).
double half_units_of_modulus(const Op& op, ElementType part);

/// What the profile's level admits of that operation on complex numbers,
/// element by element, where the reference differs from `observed`, if that is
/// given. With `ftz` that is a zero where a part becomes normal by its rounding
/// alone.
Expectation expect_complex(const Instruction& instruction, Operands operands,
                           const Literal& reference, const Literal* observed,
                           const Profile& profile);

}  // namespace hlo::conformance
