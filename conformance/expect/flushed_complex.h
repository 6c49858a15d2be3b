#pragma once

#include <functional>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// Whether the profile flushes what the instruction computes element by element
/// from complex numbers, in ways that ElementRule does not know.
bool flushes_complex(const Instruction& instruction, const Profile& profile);

/// What the instruction may return of those operands; `reference` is its value.
using ComplexSets =
    std::function<Expectation(Operands operands, const Literal& reference)>;

/// The sets of the instruction where each subnormal part of an operand may
/// count as zero (`daz`), and a part of the result where it is subnormal
/// (`ftz`).
Expectation expect_flushed_complex(const Instruction& instruction,
                                   Operands operands, const Literal& reference,
                                   const Profile& profile,
                                   const ComplexSets& sets);

}  // namespace hlo::conformance
