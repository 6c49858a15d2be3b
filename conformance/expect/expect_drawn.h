#pragma once

#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What the elements of `rng` may be: their range (spec/ops/rng.md). Right at
/// the elements where `observed` differs from the reference; null: at all.
Expectation expect_drawn(const Instruction& rng, Operands operands,
                         const Literal& reference, const Literal* observed);

/// What `rng` draws uniformly from the numbers a to b of a real type, without
/// b, where a and b may be any of two sets.
ValueSet drawn_uniformly(const ValueSet& from, const ValueSet& to,
                         ElementType type);

}  // namespace hlo::conformance
