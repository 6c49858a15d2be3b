#pragma once

#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What the elements of `rng` may be: their range (spec/ops/rng.md). Right at
/// the elements where `observed` differs from the reference; null: at all.
Expectation expect_drawn(const Instruction& rng, Operands operands,
                         const Literal& reference, const Literal* observed);

}  // namespace hlo::conformance
